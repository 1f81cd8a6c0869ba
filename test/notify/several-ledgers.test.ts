import { expect, test } from "vitest";
import { MINUTE_MS, SECOND_MS } from "../../src/model/time.ts";
import { deliver } from "../../src/notify/deliver.ts";
import type { News } from "../../src/notify/outbox.ts";
import { openLedger, openLedgers, type LedgerKeys } from "../../src/notify/ledger.ts";
import type { Change } from "../../src/notify/rules/change.ts";
import { T0 } from "../model/samples.ts";
import { createMortal, writeInSteps } from "../mortal.ts";
import { createRandom } from "../random.ts";
import { createMemoryStore } from "../store/memory-store.ts";

const KEYS = ["all.json.gz", "all-1.json.gz", "all-2.json.gz"] as const satisfies LedgerKeys;
const RUN_MS = 5 * MINUTE_MS;

/** Channels `0a`, `0b`, `1a` and so on, of the ledger of their digit; each hears of its letter. */
const CHANNELS = ["0a", "0b", "1a", "1b", "2a", "2b"];

/** Services that turn, and a notifier that is a new process in each cycle. */
function createWorld(keys: LedgerKeys = KEYS) {
  const store = createMemoryStore();
  const world = { nowMs: T0, keys, takesMs: 0, silent: new Set<string>(), channels: CHANNELS };
  const written: string[] = [];
  const heard: string[] = [];
  const changes: Change[] = [];
  const states = new Map<string, string>();
  const turn = (subject: string): void => {
    const before = states.get(subject) ?? "ok";
    const after = before === "ok" ? "fail" : "ok";
    states.set(subject, after);
    const sinceMs = world.nowMs - RUN_MS;
    const seq = changes.length + 1;
    changes.push({ kind: "changed", seq, subject, atMs: world.nowMs, before, sinceMs, after });
  };
  const outboxOf = (part: number) => {
    const own = world.channels.filter(
      (one) => world.keys.length === 1 || one.startsWith(`${part}`),
    );
    const news: News = {
      next: changes.length + 1,
      changes,
      lastRunMs: world.nowMs,
      isOpen: true,
      stateNow: (subject) => states.get(subject) ?? "ok",
      channelsFor: ({ subject }) => own.filter((one) => one.endsWith(subject)),
      subjectsOf: (channel) => (own.includes(channel) ? 1 : undefined),
    };
    return news;
  };
  const cycle = async (diesAt = Number.POSITIVE_INFINITY) => {
    const mortal = createMortal(diesAt, () => world.nowMs % 2 === 0);
    const recorded = {
      ...store,
      write: async (...write: Parameters<typeof store.write>) => {
        written.push(write[0]);
        return store.write(...write);
      },
    };
    const send = async (
      channel: string,
      { notices }: { notices: readonly { after: string }[] },
    ) => {
      heard.push(`${channel} ${notices.map(({ after }) => after).join()}`);
      world.nowMs += world.takesMs;
      if (world.silent.has(channel)) return { kind: "failed", reason: "http-timeout" } as const;
      return { kind: "delivered" } as const;
    };
    const withSend = (part: number) => ({ ...outboxOf(part), send });
    const living = deliver(
      {
        read: async ([, ...others]) => [withSend(0), ...others.map((_, at) => withSend(at + 1))],
        onFailed: () => undefined,
        concurrency: 1,
      },
      {
        ledgers: await openLedgers(writeInSteps(recorded, mortal), world.keys),
        holder: `process-${world.nowMs}`,
        wallMs: () => world.nowMs,
        signal: new AbortController().signal,
      },
    );
    return Promise.race([living, mortal.death]);
  };
  /** The changes of a run, and a cycle after the next run, which confirms them. */
  const run = async (...turning: readonly string[]) => {
    world.nowMs += RUN_MS;
    for (const subject of turning) turn(subject);
    world.nowMs += RUN_MS;
    written.length = 0;
    heard.length = 0;
    return cycle();
  };
  return { store, world, written, heard, turn, run, cycle };
}

test("only ledgers with something to tell are written, and the first, last", async () => {
  const { run, written, heard } = createWorld();
  await run();
  expect(written).toEqual([KEYS[0]]);
  await run();
  expect(written).toEqual([]);
  await run("other");
  expect([heard, written]).toEqual([[], [KEYS[0]]]);
  await run("a");
  expect(heard.toSorted()).toEqual(["0a fail", "1a fail", "2a fail"]);
  expect(new Set(written)).toEqual(new Set(KEYS));
  expect(written.lastIndexOf(KEYS[0])).toBe(written.length - 1);
  expect(written.indexOf(KEYS[0])).toBeGreaterThan(written.lastIndexOf(KEYS[1]));
});

test("a channel that a ledger has later is not told of what was before it", async () => {
  const { run, cycle, world, heard } = createWorld();
  await run("c");
  world.channels = [...CHANNELS, "2c"];
  world.nowMs += MINUTE_MS;
  await cycle();
  expect(heard).toEqual([]);
  await run("c");
  expect(heard).toEqual(["2c ok"]);
});

test("whichever write a notifier dies at, every channel knows how its service is", async () => {
  const random = createRandom(5);
  for (let kill = 1; kill < 16; kill += 1) {
    const { run, turn, cycle, world, heard } = createWorld();
    await run();
    world.nowMs += RUN_MS;
    turn("a");
    if (random() < 0.5) turn("b");
    world.nowMs += RUN_MS;
    await cycle(kill);
    const first = [...heard];
    world.nowMs += RUN_MS;
    await cycle();
    const told = [...first, ...heard];
    for (const channel of CHANNELS.filter((one) => one.endsWith("a")))
      expect([kill, channel, told.filter((one) => one.startsWith(channel)).length > 0]).toEqual([
        kill,
        channel,
        true,
      ]);
  }
});

test("ledgers that are not there yet begin with what the only one knew", async () => {
  const { run, world, heard, store } = createWorld(["all.json.gz"]);
  await run();
  await run("a");
  expect(heard).toHaveLength(3);
  world.keys = KEYS;
  world.nowMs += 30 * MINUTE_MS;
  await run("other");
  expect(heard).toEqual([]);
  const known = await Promise.all(
    KEYS.map(async (key) => [...(await openLedger(store, key)).current().channels.keys()]),
  );
  expect(known).toEqual([["0a"], ["1a"], ["2a"]]);
  await run("a");
  expect(heard.toSorted()).toEqual(["0a ok", "1a ok", "2a ok"]);
});

test("a cycle that takes long is cut, and the next one tells the rest", async () => {
  const { run, world, heard, cycle } = createWorld();
  await run();
  world.takesMs = 46 * SECOND_MS;
  expect(await run("a")).toMatchObject({ delivered: expect.any(Number), isCut: true });
  const before = heard.length;
  expect(before).toBeLessThan(3);
  for (let times = 0; times < 3; times += 1) await cycle();
  expect(heard.toSorted()).toEqual(["0a fail", "1a fail", "2a fail"]);
  expect(await cycle()).toMatchObject({ delivered: 0, isCut: false });
});

test("while another notifier has one of them, the first is not written", async () => {
  const { run, world, written, store } = createWorld();
  await run("a");
  const ledger = await openLedger(store, KEYS[1]);
  const lease = { holder: "other", untilMs: world.nowMs + 60 * MINUTE_MS };
  await ledger.save({ ...ledger.current(), lease });
  expect(await run("a")).toBe("busy");
  expect(written).not.toContain(KEYS[0]);
  expect(written).toContain(KEYS[2]);
});

test("a receiver that does not answer is asked after those of all ledgers", async () => {
  const { run, world, heard } = createWorld();
  world.silent = new Set(["1a", "0a"]);
  await run("a");
  expect(heard).toHaveLength(3);
  await run("b");
  expect(heard.slice(0, 3).toSorted()).toEqual(["0b fail", "1b fail", "2b fail"]);
  expect(heard.slice(3).toSorted()).toEqual(["0a fail", "1a fail"]);
});
