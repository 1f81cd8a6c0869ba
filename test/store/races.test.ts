import { expect, test } from "vitest";
import { type ObjectStore, type Precondition, StoreError } from "../../src/model/store.ts";
import { createMemoryStore, type MemoryStore } from "../../src/store/memory.ts";
import { type RaceCount, raceWriters } from "../../src/store/races.ts";

/** A clock that goes on with each look, so that a race has so many looks and not so much time. */
function race(store: ObjectStore, looks = 400): Promise<RaceCount> {
  let nowMs = 0;
  return raceWriters([store, store, store, store], "doctor/races-x", {
    now: () => (nowMs += 1),
    forMs: looks,
    stop: new AbortController().signal,
  });
}

/** A memory store whose writes go another way. */
function storeThat(write: (memory: MemoryStore) => ObjectStore["write"]) {
  const memory = createMemoryStore();
  const store: ObjectStore = { ...memory, write: write(memory) };
  return { memory, store };
}

/** Looks whether the condition holds, and writes when others may have been there meanwhile. */
function lookFirst(memory: MemoryStore, isLate: (given: Precondition) => boolean) {
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

test("a store that holds to its conditions keeps every acknowledged update, and nothing of the race stays", async () => {
  const memory = createMemoryStore();
  const count = await race(memory);
  expect(count).toMatchObject({ lost: 0, badCreations: 0, unknown: 0 });
  expect(count.acknowledged).toBeGreaterThan(50);
  expect(count.creations).toBeGreaterThan(2);
  expect(count.conflicts).toBeGreaterThan(0);
  expect([...memory.objects.keys()]).toEqual([]);
});

test("updates that a store acknowledges and loses are counted", async () => {
  const { memory, store } = storeThat((below) => lookFirst(below, ({ kind }) => kind !== "absent"));
  const count = await race(store);
  expect(count.lost).toBeGreaterThan(0);
  expect(count.lost).toBeLessThan(count.acknowledged);
  expect(count.badCreations).toBe(0);
  expect([...memory.objects.keys()]).toEqual([]);
});

test("creations that several writers are told to have won are counted", async () => {
  const { store } = storeThat((below) => lookFirst(below, ({ kind }) => kind === "absent"));
  const count = await race(store);
  expect(count.badCreations).toBe(count.creations);
  expect(count.creations).toBeGreaterThan(2);
});

test("a write whose answer was lost counts neither as kept nor as lost, whether it was carried out or not", async () => {
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

test("a creation that comes after its answer was lost and its object was removed does not stay", async () => {
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

test("a store that refuses ends the race with its words, and nothing stays", async () => {
  const { memory, store } = storeThat((below) => async (key, object, precondition) => {
    if (precondition?.kind === "unchanged") throw new StoreError("write", key, "not allowed");
    return below.write(key, object, precondition);
  });
  await expect(race(store)).rejects.toThrow("not allowed");
  expect([...memory.objects.keys()]).toEqual([]);
});

test("nobody who stops the program waits for the end of the race", async () => {
  const memory = createMemoryStore();
  const stop = AbortSignal.abort();
  const rules = { now: () => 0, forMs: 1, stop };
  expect(await raceWriters([memory], "doctor/races-x", rules)).toMatchObject({ creations: 0 });
});
