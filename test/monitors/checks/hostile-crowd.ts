import type { CheckTarget } from "../../../src/monitors/checks/check-target.ts";
import type { Behaviour } from "../../simulated-internet/behaviour.ts";
import {
  startInternetProcess,
  type InternetProcess,
} from "../../simulated-internet/internet-process.ts";
import { RAW_KINDS, INTERNET_KINDS } from "./hostile-kinds.ts";
import { startRawServer, type RawServer } from "./raw-server.ts";
import { runPool } from "./run-pool.ts";
import type { PoolReply } from "./pool-order.ts";

/** Many monitors of hostile servers, and the expected result of each check, by id. */
export interface Crowd {
  readonly targets: readonly CheckTarget[];
  readonly words: ReadonlyMap<string, string>;
}

export interface CrowdHarness {
  /** That many monitors, of every hostile kind in turn, each on a host of its own. */
  readonly gather: (count: number) => Promise<Crowd>;
  /** Checks them in one run, in a process of its own. */
  readonly run: (targets: readonly CheckTarget[]) => Promise<PoolReply>;
  readonly close: () => Promise<unknown>;
}

/** For servers that never end their response, and for those that do. */
export interface CrowdTimes {
  readonly shortMs: number;
  readonly longMs: number;
}

/** Servers for many monitors: one process for TLS, this one for the others. */
export async function openCrowdHarness(times: CrowdTimes): Promise<CrowdHarness> {
  const internet = await startInternetProcess();
  const raw = await startRawServer((host) => RAW_KINDS[host.replace(/-\d+\.test$/u, "")]?.[0]);
  return {
    gather: (count) => gather(internet, count, times),
    run: (targets) => runAll(targets, internet, raw),
    close: () => Promise.all([internet.close(), raw.close()]),
  };
}

async function gather(
  internet: InternetProcess,
  count: number,
  { shortMs, longMs }: CrowdTimes,
): Promise<Crowd> {
  const kinds: readonly { name: string; behaviour?: Behaviour; word: string }[] = [
    ...Object.entries(INTERNET_KINDS).map(([name, [behaviour, word]]) => ({
      name,
      behaviour,
      word,
    })),
    ...Object.entries(RAW_KINDS).map(([name, [, word]]) => ({ name, word })),
  ];
  const words = new Map<string, string>();
  const targets: CheckTarget[] = [];
  for (let index = 0; index < count; index += 1) {
    const kind = kinds[index % kinds.length];
    if (kind === undefined) continue;
    const host = `${kind.name.toLowerCase()}-${index}.test`;
    if (kind.behaviour !== undefined) await internet.set({ [host]: kind.behaviour });
    const url = `${kind.behaviour === undefined ? "http" : "https"}://${host}/`;
    const timeoutMs = kind.word.endsWith("-timeout") ? shortMs : longMs;
    targets.push({ id: host, url, lastState: "healthy", timeoutMs });
    words.set(host, kind.word);
  }
  return { targets, words };
}

function runAll(
  targets: readonly CheckTarget[],
  internet: InternetProcess,
  raw: RawServer,
): Promise<PoolReply> {
  return runPool({
    targets,
    config: { connectTo: [`:443:127.0.0.1:${internet.tlsPort}`, `:80:127.0.0.1:${raw.port}`] },
    options: { concurrency: 128 },
    rootCaFile: internet.rootCaFile,
  });
}
