import type { CheckTarget } from "../../src/checks/target.ts";
import type { Behaviour } from "../world/behaviour.ts";
import { startWorldProcess, type WorldProcess } from "../world/world-process.ts";
import { RAW_KINDS, WORLD_KINDS } from "./hostile-kinds.ts";
import { startRawServer, type RawServer } from "./raw-server.ts";
import { runCrew, type CrewReply } from "./run-crew.ts";

/** Many monitors of hostile servers, and what each check should come to, by id. */
export interface Crowd {
  readonly targets: readonly CheckTarget[];
  readonly words: ReadonlyMap<string, string>;
}

export interface CrowdLab {
  /** As many monitors, of every hostile kind in turn, each on a host of its own. */
  readonly gather: (count: number) => Promise<Crowd>;
  /** Checks them in one run, in a process of its own. */
  readonly run: (targets: readonly CheckTarget[]) => Promise<CrewReply>;
  readonly close: () => Promise<unknown>;
}

/** For servers that never come to an end, and for those that do. */
export interface CrowdTimes {
  readonly shortMs: number;
  readonly longMs: number;
}

/** Servers for crowds: one process for those that speak TLS, this one for the others. */
export async function openCrowdLab(times: CrowdTimes): Promise<CrowdLab> {
  const world = await startWorldProcess();
  const raw = await startRawServer((host) => RAW_KINDS[host.replace(/-\d+\.test$/u, "")]?.[0]);
  return {
    gather: (count) => gather(world, count, times),
    run: (targets) => runAll(targets, world, raw),
    close: () => Promise.all([world.close(), raw.close()]),
  };
}

async function gather(
  world: WorldProcess,
  count: number,
  { shortMs, longMs }: CrowdTimes,
): Promise<Crowd> {
  const kinds: readonly { name: string; behaviour?: Behaviour; word: string }[] = [
    ...Object.entries(WORLD_KINDS).map(([name, [behaviour, word]]) => ({ name, behaviour, word })),
    ...Object.entries(RAW_KINDS).map(([name, [, word]]) => ({ name, word })),
  ];
  const words = new Map<string, string>();
  const targets: CheckTarget[] = [];
  for (let index = 0; index < count; index += 1) {
    const kind = kinds[index % kinds.length];
    if (kind === undefined) continue;
    const host = `${kind.name.toLowerCase()}-${index}.test`;
    if (kind.behaviour !== undefined) await world.set({ [host]: kind.behaviour });
    const url = `${kind.behaviour === undefined ? "http" : "https"}://${host}/`;
    const timeoutMs = kind.word.endsWith("-timeout") ? shortMs : longMs;
    targets.push({ id: host, url, lastState: "healthy", timeoutMs });
    words.set(host, kind.word);
  }
  return { targets, words };
}

function runAll(
  targets: readonly CheckTarget[],
  world: WorldProcess,
  raw: RawServer,
): Promise<CrewReply> {
  return runCrew({
    targets,
    config: { connectTo: [`:443:127.0.0.1:${world.tlsPort}`, `:80:127.0.0.1:${raw.port}`] },
    options: { concurrency: 128 },
    rootCaFile: world.rootCaFile,
  });
}
