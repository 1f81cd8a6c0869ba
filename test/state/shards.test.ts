import { describe, expect, test } from "vitest";
import { EMPTY_STATE } from "../../src/model/state.ts";
import { type ObjectStore, StoreError } from "../../src/model/store.ts";
import { readClosedDays, sealClosedDays } from "../../src/state/archive-store.ts";
import { advanceShards, loadShards, replaceShard, type ShardKind } from "../../src/state/shards.ts";
import { toPrivateObject } from "../../src/state/codec/stored.ts";
import { loadState, saveState, StateError } from "../../src/state/state-file.ts";
import { createMemoryStore } from "../store/memory-store.ts";

/** Shards of one number each. */
const NUMBERS: ShardKind<number> = {
  keyOf: (number) => `numbers/${number}.json`,
  encode: (value) => Buffer.from(String(value)),
  decode: (bytes) => {
    const value = Number(Buffer.from(bytes).toString());
    return Number.isNaN(value)
      ? { kind: "invalid", message: "this is no number" }
      : { kind: "ok", value };
  },
};

/** Adds one to the shard 7 of a store, and gives the pauses. */
async function addOne(store: ObjectStore) {
  const pauses: number[] = [];
  const pause = async (ms: number): Promise<void> => void pauses.push(ms);
  const loaded = await loadShards(NUMBERS, store, [7]);
  const replaced = replaceShard(NUMBERS, store, loaded, 7, (value = 0) => value + 1, pause);
  const end = await replaced.then(
    () => "written",
    (error: Error) => error.message,
  );
  const found = await loadShards(NUMBERS, store, [7]);
  return { end, pauses, value: found.shards.get(7) };
}

/** A store in which another writer adds ten before each of so many writes. */
function contended(times: number) {
  const memory = createMemoryStore();
  let left = times;
  const store: ObjectStore = {
    ...memory,
    write: async (key, object, precondition) => {
      if (left > 0) {
        left -= 1;
        const held = Number(Buffer.from((await memory.read(key))?.body ?? []).toString());
        await memory.write(key, { ...object, body: Buffer.from(String(held + 10)) });
      }
      return memory.write(key, object, precondition);
    },
  };
  return store;
}

const PAUSES = [20, 40, 80, 160, 320, 640, 1_280, 2_560, 5_120, 10_240, 20_480, 40_960];

describe("a shard", () => {
  test("that does not exist is made, and one that does is replaced", async () => {
    const store = createMemoryStore();
    expect(await addOne(store)).toEqual({ end: "written", pauses: [], value: 1 });
    expect(await addOne(store)).toEqual({ end: "written", pauses: [], value: 2 });
  });

  test("that others change is read again, after a pause that doubles", async () => {
    const eleven = await addOne(contended(11));
    expect(eleven).toEqual({ end: "written", pauses: PAUSES.slice(0, 11), value: 111 });
    expect(await addOne(contended(12))).toEqual({
      end: "memory: numbers/7.json was changed by others 12 times in a row. Are too many programs writing there?",
      pauses: PAUSES,
      value: 120,
    });
  });

  test("whose answers are lost fails with the last error", async () => {
    const store: ObjectStore = {
      ...createMemoryStore(),
      write: async (key) => {
        throw new StoreError("write", key, "no answer", { isUnknown: true });
      },
    };
    expect(await addOne(store)).toEqual({ end: "no answer", pauses: PAUSES, value: undefined });
  });

  test("that stays the same is not written", async () => {
    const store = contended(1);
    const loaded = { shards: new Map([[7, 5]]), etags: new Map() };
    const pause = async (): Promise<void> => undefined;
    await replaceShard(NUMBERS, store, loaded, 7, (value) => value, pause);
    await replaceShard(NUMBERS, store, loaded, 7, () => undefined, pause);
    expect(await store.listAll(9)).toEqual({ names: [], isComplete: true });
  });

  test("that is missing counts as empty, and one that is damaged ends with its key", async () => {
    const store = createMemoryStore();
    await addOne(store);
    const { shards, etags } = await loadShards(NUMBERS, store, [7, 8]);
    expect([...shards]).toEqual([[7, 1]]);
    expect([...etags]).toEqual([[7, await store.find("numbers/7.json")]]);
    const object = { body: Buffer.from("x"), contentType: "x", cacheControl: "x" };
    await store.write("numbers/8.json", object);
    const damaged = loadShards(NUMBERS, store, [8]);
    await expect(damaged).rejects.toThrow(
      new StateError("numbers/8.json in memory: this is no number"),
    );
  });
});

test("a journal is kept only with changes, and names the shards that exist, in order", async () => {
  const stateStore = createMemoryStore();
  const shards = [2, 9, 10];
  for (const number of shards)
    await stateStore.write(`numbers/${number}.json`, toPrivateObject(Buffer.from("0")));
  const kind = { ...NUMBERS, apply: (_: number, value = 0) => value + 1 };
  const stored = { sequence: 4, shards: [10, 9, 2, 1], pending: null };
  const deps = { stateStore, pause: async (): Promise<void> => undefined };
  const { next } = await advanceShards(kind, deps, stored, {});
  const changes = new Map([["a", 1]]);
  const changed = { sequence: 5, pending: { sequence: 5, changes }, shards };
  expect(next({ sequence: 5, changes }).journal).toEqual(changed);
  const same = { sequence: 4, pending: null, shards };
  expect(next({ sequence: 5, changes: new Map() }).journal).toEqual(same);
});

test("a state is saved over the version that was read alone, and no cache may keep it", async () => {
  const store = createMemoryStore();
  expect(await loadState(store)).toEqual({ state: EMPTY_STATE, etag: undefined });
  const written = await saveState(store, EMPTY_STATE, undefined);
  expect(written).toEqual({ kind: "written", etag: await store.find("state.json.gz") });
  expect(await saveState(store, EMPTY_STATE, undefined)).toEqual({ kind: "conflict" });
  expect(store.objects.get("state.json.gz")).toMatchObject({
    contentType: "application/gzip",
    cacheControl: "no-store",
  });
  const { state, etag } = await loadState(store);
  expect(state).toEqual(EMPTY_STATE);
  expect(await saveState(store, state, etag)).toMatchObject({ kind: "written" });
});

describe("the days of a closed month", () => {
  const partOf = (date: string) => ({ date, method: "1", files: [] });
  const DAYS = [partOf("2026-10-01"), partOf("2026-10-02")];
  const KEY = "archive/2026-10.days.json";

  test("are what the first writer made of them, without those of other months", async () => {
    const store = createMemoryStore();
    expect(await readClosedDays(store, "2026-10")).toBeUndefined();
    const mixed = [...DAYS, partOf("2026-11-01")];
    expect(await sealClosedDays(store, "2026-10", mixed)).toEqual(mixed);
    expect(store.objects.get(KEY)).toMatchObject({ contentType: "application/json" });
    expect(await sealClosedDays(store, "2026-10", [])).toEqual(DAYS);
    expect(await readClosedDays(store, "2026-10")).toEqual(DAYS);
  });

  test("are written over what is damaged, and are those of a faster writer", async () => {
    const store = createMemoryStore();
    const object = { body: Buffer.from("["), contentType: "x", cacheControl: "x" };
    await store.write(KEY, object);
    const late: ObjectStore = {
      ...store,
      write: async (key, mine, precondition) => {
        await sealClosedDays(store, "2026-10", DAYS);
        return store.write(key, mine, precondition);
      },
    };
    expect(await sealClosedDays(late, "2026-10", [])).toEqual(DAYS);
  });

  test("are an error where the winner left nothing that can be read", async () => {
    const refusing: ObjectStore = {
      ...createMemoryStore(),
      write: async () => ({ kind: "conflict" }),
    };
    await expect(sealClosedDays(refusing, "2026-10", DAYS)).rejects.toThrow(
      `memory: ${KEY} was changed meanwhile.`,
    );
  });
});
