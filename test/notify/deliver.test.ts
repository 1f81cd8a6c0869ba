import { describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/model/time.ts";
import { deliver, type Delivery } from "../../src/notify/deliver.ts";
import type { News } from "../../src/notify/outbox.ts";
import { decodeLedger, LedgerError, openLedger } from "../../src/notify/ledger.ts";
import type { Change, Message, SendResult } from "../../src/notify/rules/change.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { atDepth, isFull } from "../depth.ts";
import { T0 } from "../model/samples.ts";
import { createMortal, writeInSteps } from "../mortal.ts";
import { createRandom } from "../random.ts";

const KEY = "ledger.json.gz";
const RUN_MS = 5 * MINUTE_MS;
const SUBJECTS = 40;

/** Sites that fail and recover, their owners, and a notifier that may die at any step. */
function createWorld(seed: number) {
  const random = createRandom(seed);
  const store = createMemoryStore();
  const changes: Change[] = [];
  const states = new Map<string, { state: string; sinceMs: number }>();
  /** What each owner was told, in order, repetitions included. */
  const heard = new Map<string, Message[]>();
  const world = { nowMs: T0, lastRunMs: T0, isDown: false, trouble: 0, lostAnswers: 0, kills: 0 };
  const channels = new Set<string>();
  const addChannel = (subject: string): void => {
    channels.add(subject);
    states.set(subject, { state: "healthy", sinceMs: T0 });
    heard.set(subject, []);
    changes.push({ seq: changes.length + 1, subject, atMs: world.nowMs, kind: "added" });
  };
  const turn = (subject: string): void => {
    const { state: before, sinceMs } = states.get(subject) ?? { state: "healthy", sinceMs: T0 };
    const after = before === "healthy" ? "failing" : "healthy";
    const { lastRunMs: atMs } = world;
    changes.push({
      seq: changes.length + 1,
      subject,
      atMs,
      kind: "changed",
      before,
      sinceMs,
      after,
    });
    states.set(subject, { state: after, sinceMs: atMs });
  };
  const news = (): News => ({
    next: changes.length + 1,
    changes: changes.filter(({ atMs }) => atMs > world.nowMs - 2 * DAY_MS),
    lastRunMs: world.lastRunMs,
    channelsFor: ({ subject }) => (channels.has(subject) ? [subject] : []),
    subjectsOf: (channel) => (channels.has(channel) ? 1 : undefined),
  });
  const receive = async (channel: string, message: Message): Promise<SendResult> => {
    const fate = random();
    if (world.isDown || fate < world.trouble) return { kind: "failed", reason: "tcp-refused" };
    if (fate < 1.5 * world.trouble)
      return { kind: "failed", reason: "status 429", retryAfterMs: 20 * MINUTE_MS };
    heard.get(channel)?.push(message);
    if (fate > 1 - world.trouble) {
      world.lostAnswers += 1;
      return { kind: "failed", reason: "http-timeout" };
    }
    return { kind: "delivered" };
  };
  return {
    random,
    store,
    changes,
    states,
    heard,
    world,
    channels,
    addChannel,
    turn,
    news,
    receive,
  };
}

type World = ReturnType<typeof createWorld>;

/** One cycle of a new process; it may die at one of its writes or messages. */
async function cycle(
  { store, news, receive, world, channels }: World,
  diesAt = Number.POSITIVE_INFINITY,
): Promise<Delivery | "busy" | "died"> {
  // What has left the process still arrives.
  const mortal = createMortal(diesAt, () => world.nowMs % 2 === 0);
  const living = deliver(
    {
      read: async () => [
        {
          ...news(),
          send: (channel, message) => mortal.step(() => receive(channel, message)),
        },
      ],
      stopChannels: async (gone) => gone.forEach((channel) => channels.delete(channel)),
      onFailed: () => undefined,
      concurrency: 8,
    },
    {
      ledgers: [await openLedger(writeInSteps(store, mortal), KEY)],
      holder: `process-${world.nowMs}`,
      wallMs: () => world.nowMs,
      signal: new AbortController().signal,
    },
  );
  return Promise.race([living, mortal.death]);
}

/** Lets time pass, with a cycle every so often, until nothing is left to tell. */
async function comeToRest(one: World): Promise<void> {
  for (let at = 0; at < 60; at += 1) {
    one.world.nowMs += 10 * MINUTE_MS;
    one.world.lastRunMs = Math.floor(one.world.nowMs / RUN_MS) * RUN_MS;
    await cycle(one);
  }
}

const stateHeard = (messages: readonly Message[]): string =>
  messages.findLast(({ notices }) => notices.length > 0)?.notices.at(-1)?.after ?? "healthy";

test("through kills, lost answers and outages, owners know how their sites are", async () => {
  const one = createWorld(7);
  const { random, world, heard, states, changes } = one;
  for (let at = 0; at < SUBJECTS; at += 1) one.addChannel(`s${at}`);
  const wanted = atDepth(300, 10_000);
  while (changes.length < wanted) {
    world.lastRunMs += RUN_MS;
    world.nowMs = world.lastRunMs + random() * MINUTE_MS;
    world.trouble = random() < 0.3 ? 0.3 : 0;
    world.isDown = Math.floor(world.lastRunMs / HOUR_MS) % 50 > 45;
    for (const subject of states.keys()) if (random() < 0.06) one.turn(subject);
    for (let at = 0; at < 2; at += 1) {
      world.nowMs += MINUTE_MS;
      const isFatal = random() < 0.2;
      const result = await cycle(one, isFatal ? 1 + Math.floor(random() * 6) : undefined);
      if (result === "died") world.kills += 1;
    }
  }
  Object.assign(world, { trouble: 0, isDown: false });
  await comeToRest(one);
  for (const [subject, { state }] of states)
    expect([subject, stateHeard(heard.get(subject) ?? [])]).toEqual([subject, state]);
  expect(world.kills).toBeGreaterThan(atDepth(7, 200));
  const repeated = [...heard.values()].map((messages) => {
    const byId = new Map(messages.map((message) => [message.id, message]));
    for (const message of messages) expect(message).toEqual(byId.get(message.id));
    return messages.length - byId.size;
  });
  // At most eight messages are under way when a process dies.
  const total = repeated.reduce((a, b) => a + b, 0);
  expect(total).toBeLessThanOrEqual(8 * world.kills + world.lostAnswers);
  const ledger = (await openLedger(one.store, KEY)).current();
  expect([...ledger.channels.values()].flatMap(({ waiting }) => waiting)).toEqual([]);
});

describe.skipIf(isFull)("a notifier", () => {
  test("tells of a channel that was added, once", async () => {
    const one = createWorld(1);
    one.addChannel("a");
    expect(await cycle(one)).toMatchObject({ delivered: 1, failed: 0 });
    expect(await cycle(one)).toMatchObject({ delivered: 0 });
    expect(one.heard.get("a")?.map(({ kind }) => kind)).toEqual(["added"]);
  });

  test("that was down for a day tells each owner once how it is now", async () => {
    const one = createWorld(2);
    one.addChannel("a");
    await cycle(one);
    for (let hour = 1; hour <= 24; hour += 1) {
      one.world.lastRunMs = T0 + hour * HOUR_MS;
      one.world.nowMs = one.world.lastRunMs + MINUTE_MS;
      one.turn("a");
    }
    one.turn("a");
    one.world.nowMs += DAY_MS / 2;
    one.world.lastRunMs += DAY_MS / 2;
    await cycle(one);
    expect(one.heard.get("a")?.slice(1)).toMatchObject([
      { kind: "flapping", notices: [{ after: "failing", changes: 25 }] },
    ]);
  });

  test("leaves the work to another that holds the lease, until it ends", async () => {
    const one = createWorld(3);
    one.addChannel("a");
    expect(await cycle(one, 2)).toBe("died");
    one.world.nowMs += SECOND_MS;
    expect(await cycle(one)).toBe("busy");
    one.world.nowMs += MINUTE_MS;
    expect(await cycle(one)).toMatchObject({ delivered: 1 });
  });

  test("gives a channel up that refuses for five days, and one that is gone at once", async () => {
    const one = createWorld(4);
    one.addChannel("a");
    one.world.isDown = true;
    for (let hour = 0; hour < 119; hour += 1) {
      await cycle(one);
      one.world.nowMs += HOUR_MS;
    }
    expect(one.channels.has("a")).toBe(true);
    for (let hour = 0; hour < 4; hour += 1) {
      one.world.nowMs += HOUR_MS;
      await cycle(one);
    }
    expect(one.channels.has("a")).toBe(false);
    one.addChannel("b");
    await cycle({ ...one, receive: async () => ({ kind: "gone" }) });
    expect(one.channels.has("b")).toBe(false);
  });

  test("keeps a channel whose service is silent for weeks, and refuses then", async () => {
    const one = createWorld(4);
    one.addChannel("a");
    const silent = { kind: "failed", reason: "tcp-timeout", isUnheard: true } as const;
    for (let hour = 0; hour < 240; hour += 1) {
      await cycle({ ...one, receive: async () => silent });
      one.world.nowMs += HOUR_MS;
    }
    one.world.isDown = true;
    await cycle(one);
    expect(one.channels.has("a")).toBe(true);
  });

  test("that was away for too long says how many changes it has missed", async () => {
    const one = createWorld(5);
    one.addChannel("a");
    await cycle(one);
    for (let at = 0; at < 3; at += 1) one.turn("a");
    one.world.nowMs += 3 * DAY_MS;
    expect(await cycle(one)).toMatchObject({ missed: 3 });
  });

  test("that is new does not bring up the past", async () => {
    const one = createWorld(6);
    one.addChannel("a");
    one.world.nowMs += HOUR_MS;
    expect(await cycle(one)).toMatchObject({ delivered: 0, missed: 0 });
    expect(await cycle(one)).toMatchObject({ delivered: 0, missed: 0 });
  });
});

test.skipIf(isFull)("a ledger that is none is refused, and left as it is", async () => {
  for (const text of ["", "{}", "\u001f\u008b garbage"]) {
    const bytes = new TextEncoder().encode(text);
    expect(() => decodeLedger(bytes, "ledger")).toThrow(LedgerError);
    const store = createMemoryStore();
    await store.write(KEY, { body: bytes, contentType: "x", cacheControl: "no-store" });
    await expect(openLedger(store, KEY)).rejects.toThrow(
      `${KEY} in memory is not a ledger of this program, or damaged. Restore it from a copy, or remove it: then only changes of the last quarter of an hour are sent.`,
    );
    expect((await store.read(KEY))?.body).toEqual(bytes);
  }
});
