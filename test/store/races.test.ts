import { expect, test } from "vitest";
import { type ObjectStore, type Precondition, StoreError } from "../../src/model/store.ts";
import { createMemoryStore, type MemoryStore } from "./memory-store.ts";
import { type RaceCount, raceWriters } from "../../src/store/conditional-write-check.ts";

/** Races with a clock that advances at each reading, so that the length of a race does not depend on time. */
function race(store: ObjectStore, readings = 400): Promise<RaceCount> {
  let nowMs = 0;
  return raceWriters([store, store, store, store], "doctor/races-x", {
    now: () => (nowMs += 1),
    forMs: readings,
    stop: new AbortController().signal,
  });
}

/** A memory store with another `write`. */
function storeThat(write: (memory: MemoryStore) => ObjectStore["write"]) {
  const memory = createMemoryStore();
  const store: ObjectStore = { ...memory, write: write(memory) };
  return { memory, store };
}

/** Checks the precondition and writes later, when other writers may have written in between. */
function checkThenWrite(memory: MemoryStore, isLate: (given: Precondition) => boolean) {
  const write: ObjectStore["write"] = async (key, object, precondition) => {
    if (precondition === undefined || !isLate(precondition))
      return memory.write(key, object, precondition);
    const held = await memory.find(key);
    const wanted = precondition.kind === "absent" ? undefined : precondition.etag;
    if (held !== wanted) return { kind: "conflict" };
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    return memory.write(key, object);
  };
  return write;
}

test("a store that enforces preconditions keeps every acknowledged update", async () => {
  const memory = createMemoryStore();
  const count = await race(memory);
  expect(count).toMatchObject({ lost: 0, badCreations: 0, unknown: 0 });
  expect(count.acknowledged).toBeGreaterThan(50);
  expect(count.creations).toBeGreaterThan(2);
  expect(count.conflicts).toBeGreaterThan(0);
  expect([...memory.objects.keys()]).toEqual([]);
});

test("updates that a store acknowledges and loses are counted", async () => {
  const { memory, store } = storeThat((below) =>
    checkThenWrite(below, ({ kind }) => kind !== "absent"),
  );
  const count = await race(store);
  expect(count.lost).toBeGreaterThan(0);
  expect(count.lost).toBeLessThan(count.acknowledged);
  expect(count.badCreations).toBe(0);
  expect([...memory.objects.keys()]).toEqual([]);
});

test("creations that are acknowledged to several writers are counted", async () => {
  const { store } = storeThat((below) => checkThenWrite(below, ({ kind }) => kind === "absent"));
  const count = await race(store);
  expect(count.badCreations).toBe(count.creations);
  expect(count.creations).toBeGreaterThan(2);
});

test("a write whose response was lost counts neither as kept nor as lost", async () => {
  const { memory, store } = storeThat((below) => {
    let writes = 0;
    return async (key, object, precondition) => {
      writes += 1;
      if (writes % 7 === 0) {
        if (writes % 2 === 0) await below.write(key, object, precondition);
        throw new StoreError("write", key, "cut", { isUnknown: true });
      }
      return below.write(key, object, precondition);
    };
  });
  const count = await race(store);
  expect(count.unknown).toBeGreaterThan(0);
  expect(count).toMatchObject({ lost: 0, badCreations: 0 });
  expect([...memory.objects.keys()]).toEqual([]);
});

test("a creation that arrives after its object was removed does not stay", async () => {
  const memory = createMemoryStore();
  const late = new Map<string, () => Promise<unknown>>();
  const store: ObjectStore = {
    ...memory,
    write: async (key, object, precondition) => {
      if (precondition?.kind !== "absent" || late.has(key))
        return memory.write(key, object, precondition);
      late.set(key, () => memory.write(key, object, precondition));
      throw new StoreError("write", key, "cut", { isUnknown: true });
    },
    remove: async (key) => {
      await memory.remove(key);
      await late.get(key)?.();
      late.set(key, async () => undefined);
    },
  };
  expect(await race(store)).toMatchObject({ lost: 0, badCreations: 0 });
  expect(late.size).toBeGreaterThan(2);
  expect([...memory.objects.keys()]).toEqual([]);
});

test("a store that refuses ends the race with its error, and nothing stays", async () => {
  const { memory, store } = storeThat((below) => async (key, object, precondition) => {
    if (precondition?.kind === "unchanged") throw new StoreError("write", key, "not allowed");
    return below.write(key, object, precondition);
  });
  await expect(race(store)).rejects.toThrow("not allowed");
  expect([...memory.objects.keys()]).toEqual([]);
});

test("a stop ends the race", async () => {
  const memory = createMemoryStore();
  const stop = AbortSignal.abort();
  const rules = { now: () => 0, forMs: 1, stop };
  expect(await raceWriters([memory], "doctor/races-x", rules)).toMatchObject({ creations: 0 });
});
