import { afterAll, beforeAll, expect, test } from "vitest";
import type { CheckTarget } from "../../src/checks/target.ts";
import type { Behaviour } from "../world/behaviour.ts";
import { startWorldProcess, type WorldProcess } from "../world/world-process.ts";
import { RAW_KINDS, WORLD_KINDS } from "./hostile-kinds.ts";
import { startRawServer, type RawServer } from "./raw-server.ts";
import { runCrew, type CrewReply } from "./run-crew.ts";

let world: WorldProcess;
let raw: RawServer;
beforeAll(async () => {
  world = await startWorldProcess();
  raw = await startRawServer((host) => RAW_KINDS[host.replace(/-\d+\.test$/u, "")]?.[0]);
});
afterAll(() => Promise.all([world.close(), raw.close()]));

const TIMEOUT_MS = 3_000;

/** As many monitors, of every hostile kind in turn, each on a host of its own, and what each should be. */
async function prepare(
  count: number,
): Promise<{ targets: readonly CheckTarget[]; words: ReadonlyMap<string, string> }> {
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
    targets.push({ id: host, url, lastState: "healthy", timeoutMs: TIMEOUT_MS });
    words.set(host, kind.word);
  }
  return { targets, words };
}

function run(targets: readonly CheckTarget[]): Promise<CrewReply> {
  return runCrew({
    targets,
    config: { connectTo: [`:443:127.0.0.1:${world.tlsPort}`, `:80:127.0.0.1:${raw.port}`] },
    options: { concurrency: 128 },
    rootCaFile: world.rootCaFile,
  });
}

test(
  "a thousand hostile servers in one run cost bounded time and memory, and each gets its verdict",
  { timeout: 120_000 },
  async () => {
    const { targets, words } = await prepare(1_000);
    const few = await run(targets.slice(0, 300));
    const all = await run(targets);
    // Three times as many use no more: nothing piles up.
    expect(all.grownMb).toBeLessThan(few.grownMb + 150);
    expect(all.grownMb).toBeLessThan(500);
    // Those that take their whole time, side by side in 96 lanes, and the others beside them.
    expect(all.tookMs).toBeLessThan(40_000);
    expect(all.lagMs).toBeLessThan(150);
    expect(all.warnings).toEqual([]);
    const wrong = all.verdicts.flatMap(([id, verdict]) => {
      const word = "code" in verdict ? verdict.code : verdict.kind;
      return word === words.get(id) ? [] : [`${id}: ${word} instead of ${words.get(id)}`];
    });
    // All the servers are one process, which floods and answers at once: it may be too late for some.
    const late = wrong.filter((line) => /: (?:tcp|tls|http|body)-timeout instead of/u.test(line));
    expect(wrong.filter((line) => !late.includes(line))).toEqual([]);
    expect(late.length).toBeLessThan(100);
    if (process.env["HOSTILE_COSTS"] !== undefined) {
      const { tookMs, grownMb, lagMs } = all;
      process.stdout.write(`| 300 | ${few.tookMs} ms | ${few.grownMb} MiB | ${few.lagMs} ms |\n`);
      process.stdout.write(`| 1,000 | ${tookMs} ms | ${grownMb} MiB | ${lagMs} ms |\n`);
    }
  },
);
