import { expect, test } from "vitest";
import { StoreError } from "../../src/model/store.ts";
import { countRequests } from "../../src/store/request-counter.ts";
import { createMemoryStore } from "./memory-store.ts";

const OBJECT = { body: Buffer.from("x"), contentType: "x", cacheControl: "x" };

test("each request is counted by its kind, failed ones as well", async () => {
  const store = countRequests(createMemoryStore());
  const nothing = { read: 0, find: 0, write: 0, remove: 0, list: 0 };
  const before = store.requests();
  expect(before).toEqual(nothing);
  await store.write("a.txt", OBJECT, { kind: "absent" });
  await store.write("a.txt", OBJECT, { kind: "absent" });
  await store.read("a.txt");
  await expect(store.read("../a")).rejects.toThrow(StoreError);
  await store.find("a.txt");
  expect(await store.has("a.txt")).toBe(true);
  await store.remove("a.txt");
  await store.list("x");
  await store.listAll(1);
  expect(store.requests()).toEqual({ read: 2, find: 2, write: 2, remove: 1, list: 2 });
  expect(before).toEqual(nothing);
});

test("what a store is asked for reaches it unchanged, and so does its clock", async () => {
  const memory = createMemoryStore();
  const store = countRequests({ ...memory, clockAheadMs: () => 7 });
  expect(await store.write("a.txt", OBJECT, { kind: "absent" })).toMatchObject({ kind: "written" });
  expect(await store.write("a.txt", OBJECT, { kind: "absent" })).toEqual({ kind: "conflict" });
  expect((await store.read("a.txt", 0))?.body).toHaveLength(1);
  expect([store.name, store.identity, store.clockAheadMs?.()]).toEqual(["memory", "memory", 7]);
  expect(countRequests(memory)).not.toHaveProperty("clockAheadMs");
});
