import { expect, test } from "vitest";
import { addFolded } from "../../src/model/folded-ids.ts";
import type { OwnerEdit } from "../../src/model/monitor/owned-monitor.ts";
import { StoreError } from "../../src/model/store.ts";
import { openEdits, writeEdits } from "../../src/state/inbox.ts";
import { createInboxSeries } from "../../src/store/inbox-id.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { T0 } from "../model/samples.ts";

const NONE = new Map();
const silent = (): void => undefined;

function edits(count: number, from = 0): readonly OwnerEdit[] {
  return Array.from({ length: count }, (_, at) => ({
    kind: "remove",
    id: `m${from + at}`,
    atMs: T0,
  }));
}

test("edits are taken in the order of their objects and in them", async () => {
  const store = createMemoryStore();
  const nextId = createInboxSeries();
  await writeEdits(store, nextId(T0 + 1), edits(2, 2));
  await writeEdits(store, nextId(T0), edits(2));
  const taken = await (await openEdits(store, silent)).take(NONE);
  expect(taken.items).toEqual(edits(4));
});

test("a generation takes at most 10,000 edits, whole objects of them", async () => {
  const store = createMemoryStore();
  const nextId = createInboxSeries();
  for (let object = 0; object < 60; object += 1) await writeEdits(store, nextId(T0), edits(190));
  const taken = await (await openEdits(store, silent)).take(NONE);
  expect([taken.ids.length, taken.items.length]).toEqual([52, 52 * 190]);
});

test("a thousand small objects are taken at once", async () => {
  const store = createMemoryStore();
  const nextId = createInboxSeries();
  for (let object = 0; object < 1_000; object += 1) await writeEdits(store, nextId(T0), edits(1));
  expect((await (await openEdits(store, silent)).take(NONE)).ids.length).toBe(1_000);
});

test("an object that cannot be read makes all wait, because edits count in order", async () => {
  const store = createMemoryStore();
  const nextId = createInboxSeries();
  for (let object = 0; object < 3; object += 1) await writeEdits(store, nextId(T0), edits(1));
  const [, second = ""] = (await store.list("owner-edits")).toSorted((a, b) => (a < b ? -1 : 1));
  const failing = {
    ...store,
    read: async (key: string) => {
      if (key === second) throw new StoreError("read", key, "the store is busy");
      return store.read(key);
    },
  };
  const events: string[] = [];
  const inbox = await openEdits(failing, ({ event }) => void events.push(event));
  expect(await inbox.take(NONE)).toEqual({ ids: [], items: [] });
  expect(events).toEqual(["owner-edits-deferred"]);
});

test("a damaged object is counted as empty, with an event", async () => {
  const store = createMemoryStore();
  const id = createInboxSeries()(T0);
  const object = { contentType: "application/json", cacheControl: "no-store" };
  await store.write(`owner-edits/${id}.json`, { ...object, body: Buffer.from("{") });
  const events: string[] = [];
  const inbox = await openEdits(store, ({ event }) => void events.push(event));
  expect(await inbox.take(NONE)).toEqual({ ids: [id], items: [] });
  expect(events).toEqual(["inbox-damaged"]);
});

test("a defect of the store's code is an error at once", async () => {
  const defect = new TypeError("a defect");
  const store = createMemoryStore();
  const id = createInboxSeries()(T0);
  await writeEdits(store, id, edits(1));
  const failing = async (): Promise<never> => {
    throw defect;
  };
  await expect(openEdits({ ...store, list: failing }, silent)).rejects.toBe(defect);
  const inbox = await openEdits({ ...store, remove: failing }, silent);
  await expect(inbox.clear(addFolded(NONE, [id], T0))).rejects.toBe(defect);
});
