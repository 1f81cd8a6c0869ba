import { describe, expect, test } from "vitest";
import { type ObjectStore, StoreError } from "../../src/model/store.ts";
import { deliver } from "../../src/notify/deliver.ts";
import type { News } from "../../src/notify/outbox.ts";
import {
  decodeLedger,
  encodeLedger,
  LEASE_MS,
  type Ledger,
  openBook,
  openLedger,
} from "../../src/notify/ledger.ts";
import type { Message } from "../../src/notify/rules/change.ts";
import { NEW_CHANNEL } from "../../src/notify/rules/channel-ledger.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { T0 } from "../model/samples.ts";

const KEY = "ledger.json.gz";

/** Nothing happens, and no channel hears of it. */
const QUIET: News = {
  next: 1,
  changes: [],
  lastRunMs: T0,
  channelsFor: () => [],
  subjectsOf: () => undefined,
};

const heldBy = (holder: string): Ledger => ({
  cursor: 1,
  lease: { holder, untilMs: T0 },
  channels: new Map(),
});

const holderIn = async (store: ObjectStore) =>
  (await openLedger(store, KEY)).current().lease?.holder;

/** A store whose next writes take effect, or do not, and then have no answer. */
function loseAnswers(store: ObjectStore, takesEffect: boolean): ObjectStore {
  return {
    ...store,
    write: async (...write) => {
      if (takesEffect) await store.write(...write);
      throw new StoreError("write", KEY, "no answer", { isUnknown: true });
    },
  };
}

describe("of two notifiers with one ledger", () => {
  test("the second to write learns it, and the first goes on", async () => {
    const store = createMemoryStore();
    const [first, second] = [await openLedger(store, KEY), await openLedger(store, KEY)];
    expect(await first.save(heldBy("first"))).toBe(true);
    expect(await second.save(heldBy("second"))).toBe(false);
    expect(second.current().lease).toBeUndefined();
    expect(await first.save(heldBy("first again"))).toBe(true);
    expect(first.current().lease?.holder).toBe("first again");
    expect(await holderIn(store)).toBe("first again");
  });

  test("only the one that has the lease sends, and a message comes once", async () => {
    const store = createMemoryStore();
    const sent: string[] = [];
    const news: News = {
      next: 2,
      changes: [{ seq: 1, subject: "a", atMs: T0, kind: "added" }],
      lastRunMs: T0,
      channelsFor: () => ["a"],
      subjectsOf: () => 1,
    };
    const run = async (holder: string) => {
      const send = async ({ id }: Message, by: string) => {
        sent.push(`${by} ${id}`);
        return { kind: "delivered" } as const;
      };
      const outbox = { ...news, send: (_: string, one: Message) => send(one, holder) };
      const read = async () => [outbox] as const;
      const turn = { wallMs: () => T0, signal: new AbortController().signal };
      const ledger = await openLedger(store, KEY);
      return deliver(
        { read, onFailed: () => undefined, concurrency: 1 },
        { ...turn, ledgers: [ledger], holder },
      );
    };
    const results = await Promise.all([run("x"), run("y")]);
    expect(results.filter((one) => one === "busy").length).toBe(1);
    expect(sent.length).toBe(1);
  });
});

test("a source has to give an outbox for each ledger", async () => {
  const store = createMemoryStore();
  const ledgers = [await openLedger(store, KEY), await openLedger(store, "other.json.gz")] as const;
  const outbox = { ...QUIET, send: async () => ({ kind: "delivered" }) as const };
  const source = { read: async () => [outbox] as const, onFailed: () => undefined, concurrency: 1 };
  const turn = { wallMs: () => T0, signal: new AbortController().signal, holder: "x", ledgers };
  await expect(deliver(source, turn)).rejects.toThrow(
    new TypeError("a source gives an outbox for each ledger"),
  );
});

describe("after another notifier has written", () => {
  const open = async () => {
    const store = createMemoryStore();
    let writes = 0;
    const counting: ObjectStore = {
      ...store,
      write: (...write) => {
        writes += 1;
        return store.write(...write);
      },
    };
    const ledger = await openLedger(counting, KEY);
    await (await openLedger(store, KEY)).save(heldBy("other"));
    return { store, ledger, writes: () => writes };
  };

  test("a book is lost, and writes no more", async () => {
    const { store, ledger, writes } = await open();
    const book = openBook(heldBy("own"), ledger, { holder: "own", wallMs: () => T0 });
    expect([await book.save(LEASE_MS), book.isHeld()]).toEqual([false, false]);
    await store.remove(KEY);
    expect([await book.save(LEASE_MS), await book.record()]).toEqual([false, false]);
    expect([writes(), await holderIn(store)]).toEqual([1, undefined]);
  });

  test("a cycle without messages is left to that one", async () => {
    const { store, ledger } = await open();
    const outbox = { ...QUIET, send: async () => ({ kind: "delivered" }) as const };
    const source = { read: async () => [outbox] as const, onFailed: () => undefined };
    const { signal } = new AbortController();
    const turn = { ledgers: [ledger] as const, holder: "own", wallMs: () => T0, signal };
    expect(await deliver({ ...source, concurrency: 1 }, turn)).toBe("busy");
    expect(await holderIn(store)).toBe("other");
  });
});

test("after a write that failed a book is lost", async () => {
  const store = createMemoryStore();
  let writes = 0;
  const write: ObjectStore["write"] = async () => {
    writes += 1;
    throw new StoreError("write", KEY, "the store is down");
  };
  const ledger = await openLedger({ ...store, write }, KEY);
  const book = openBook({ channels: new Map() }, ledger, { holder: "own", wallMs: () => T0 });
  await expect(book.save(LEASE_MS)).rejects.toThrow("the store is down");
  expect([book.isHeld(), writes]).toEqual([false, 1]);
});

describe("a write without an answer", () => {
  test("was ours if the ledger is what was written, and the next one goes over it", async () => {
    const store = createMemoryStore();
    let isLossy = true;
    const flaky: ObjectStore = {
      ...store,
      write: (...write) => (isLossy ? loseAnswers(store, true) : store).write(...write),
    };
    const ledger = await openLedger(flaky, KEY);
    expect(await ledger.save(heldBy("own"))).toBe(true);
    expect(ledger.current().lease?.holder).toBe("own");
    isLossy = false;
    expect(await ledger.save(heldBy("own again"))).toBe(true);
    expect(await holderIn(store)).toBe("own again");
  });

  test("is an error if the ledger of another is there, or none", async () => {
    const store = createMemoryStore();
    const ledger = await openLedger(loseAnswers(store, false), KEY);
    await expect(ledger.save(heldBy("own"))).rejects.toThrow("no answer");
    await (await openLedger(store, KEY)).save(heldBy("other"));
    await expect(ledger.save(heldBy("own"))).rejects.toThrow("no answer");
    expect(await holderIn(store)).toBe("other");
    expect(ledger.current().lease).toBeUndefined();
  });
});

describe("the bytes of a ledger", () => {
  const full: Ledger = {
    cursor: 7,
    lease: { holder: "a", untilMs: T0 },
    channels: new Map([
      [
        "a",
        {
          ...NEW_CHANNEL,
          waiting: [
            { seq: 5, subject: "s", atMs: 1, kind: "added" },
            {
              seq: 6,
              subject: "s",
              atMs: 2,
              kind: "changed",
              before: "ok",
              sinceMs: 0,
              after: "fail",
              code: "tcp-refused",
              id: "s.2.fail",
              isUrgent: true,
              beganMs: 0,
            },
          ],
          told: new Map([["s", { state: "ok", sinceMs: 0, toldAtMs: 1 }]]),
          offered: new Map([["s", "fail"]]),
          sent: new Map([["s", { ref: "9", atMs: 1 }]]),
          tries: 2,
          failingSinceMs: 3,
          nextAtMs: 4,
        },
      ],
      ["b", NEW_CHANNEL],
    ]),
  };

  test("give the same ledger again", () => {
    expect(decodeLedger(encodeLedger(full), "l")).toEqual(full);
    expect(decodeLedger(encodeLedger({ channels: new Map() }), "l")).toEqual({
      channels: new Map(),
    });
  });

  test("are not made of a number that no outbox has", () => {
    expect(() => encodeLedger({ ...full, cursor: 0 })).toThrow("cursor");
    expect(() => encodeLedger({ ...full, lease: { holder: "a", untilMs: -1 } })).toThrow("untilMs");
  });
});
