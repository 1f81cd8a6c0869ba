import { expect, test } from "vitest";
import { toSlot } from "../../src/monitors/uptime/time-slots.ts";
import { StoreError } from "../../src/model/store.ts";
import {
  decodeHours,
  encodeHours,
  listSealed,
  listSpool,
  readSpool,
  writeSpool,
} from "../../src/state/archive-store.ts";
import { createMemoryStore } from "../store/memory-store.ts";

const BODY = new Uint8Array([1]);
const OTHER = { body: BODY, contentType: "text/plain", cacheControl: "no-store" };

async function storeWith(...keys: readonly string[]) {
  const store = createMemoryStore();
  for (const key of keys) await store.write(key, OTHER, { kind: "absent" });
  return store;
}

test("a slot is five minutes, counted from 1970", () => {
  expect(toSlot(Date.UTC(1970, 0, 2))).toBe(288);
  expect([toSlot(299_999), toSlot(300_000), toSlot(-1)]).toEqual([0, 1, -1]);
});

test("slots of the spool are by day, ascending, without files of others", async () => {
  const store = await storeWith(
    "archive-spool/notes.txt",
    "archive-spool/x.ndjson.gz",
    "archive-spool/0000000005.ndjson.gz.new",
  );
  for (const slot of [288, 287, 0]) expect(await writeSpool(store, slot, BODY)).toBe(true);
  expect(await listSpool(store)).toEqual(
    new Map([
      [0, [0, 287]],
      [1, [288]],
    ]),
  );
  expect(await readSpool(store, [287, 5])).toEqual([BODY]);
});

test("the first run of a slot decides what is kept", async () => {
  const store = createMemoryStore();
  expect(await writeSpool(store, 1, BODY)).toBe(true);
  expect(await writeSpool(store, 1, BODY)).toBe(true);
  expect(await writeSpool(store, 1, new Uint8Array([2]))).toBe(false);
  expect(await readSpool(store, [1])).toEqual([BODY]);
});

test("a write whose answer is lost counts by what the store has then", async () => {
  const lost = new StoreError("write", "archive-spool", "no answer came", { isUnknown: true });
  const endWith = async (held: Uint8Array | undefined): Promise<boolean> => {
    const memory = createMemoryStore();
    const write: typeof memory.write = async (key, object) => {
      if (held !== undefined) await memory.write(key, { ...object, body: held });
      throw lost;
    };
    return writeSpool({ ...memory, write }, 1, BODY);
  };
  expect(await endWith(BODY)).toBe(true);
  expect(await endWith(new Uint8Array([2]))).toBe(false);
  await expect(endWith(undefined)).rejects.toBe(lost);
});

test("a conflict over an object that is gone again is passed over", async () => {
  const memory = createMemoryStore();
  const write = async () => ({ kind: "conflict" }) as const;
  expect(await writeSpool({ ...memory, write }, 1, BODY)).toBe(false);
});

test("sealed files have a day or a month", async () => {
  const keys = ["archive/2026-11.a.parquet", "archive/2026-11-24.a.parquet"];
  const store = await storeWith(...keys, "archive/2026.a", "archive/notes.txt");
  expect((await listSealed(store)).toSorted((a, b) => a.date.localeCompare(b.date))).toEqual([
    { date: "2026-11", key: keys[0] },
    { date: "2026-11-24", key: keys[1] },
  ]);
});

test("hours are read as they were written, and damaged ones are none", () => {
  const hours = [{ hour: 0, counts: [["bank", 0] as const] }];
  expect(decodeHours(encodeHours(hours))).toEqual(hours);
  expect(decodeHours(encodeHours([{ hour: -1, counts: [] }]))).toEqual([]);
  expect(decodeHours(encodeHours([{ hour: 0, counts: [["bank", -1]] }]))).toEqual([]);
  expect(decodeHours(BODY)).toEqual([]);
});
