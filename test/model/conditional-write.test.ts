import { expect, test } from "vitest";
import {
  type ObjectStore,
  StoreError,
  backoffMs,
  writeIfUnchanged,
} from "../../src/model/store.ts";
import { createMemoryStore } from "../store/memory-store.ts";

const OBJECT = { body: Buffer.from("x"), contentType: "text/plain", cacheControl: "" };

function failing(thrown: Error): ObjectStore {
  return { ...createMemoryStore(), write: () => Promise.reject(thrown) };
}

test("a conditional write creates, and then replaces only the version that was read", async () => {
  const store = createMemoryStore();
  const first = await writeIfUnchanged(store, "a", OBJECT, undefined);
  expect(first).toEqual({ kind: "written", etag: await store.find("a") });
  expect(await writeIfUnchanged(store, "a", OBJECT, undefined)).toEqual({ kind: "conflict" });
  expect(await writeIfUnchanged(store, "a", OBJECT, "stale")).toEqual({ kind: "conflict" });
  expect(await writeIfUnchanged(store, "a", OBJECT, await store.find("a"))).toEqual(first);
});

test("an unknown outcome is a value, any other failure is thrown", async () => {
  const error = new StoreError("write", "a", "lost", { isUnknown: true });
  expect(await writeIfUnchanged(failing(error), "a", OBJECT, undefined)).toEqual({
    kind: "unknown",
    error,
  });
  const refused = new StoreError("write", "a", "refused");
  await expect(writeIfUnchanged(failing(refused), "a", OBJECT, undefined)).rejects.toBe(refused);
});

test("an error of a store says what was asked, of which key, and why", () => {
  const cause = new Error("reset");
  const known = new StoreError("read", "a", "lost", { cause, sharedFault: "clock" });
  expect(known).toMatchObject({
    name: "StoreError",
    message: "lost",
    operation: "read",
    key: "a",
    isUnknown: false,
    sharedFault: "clock",
    cause,
  });
  expect(new StoreError("find", "b", "gone")).toMatchObject({
    isUnknown: false,
    sharedFault: undefined,
  });
});

test("the back-off doubles up to its limit", () => {
  const limits = { firstMs: 10, longestMs: 100 };
  expect([1, 2, 3, 4, 5].map((attempt) => backoffMs(attempt, () => 0.5, limits))).toEqual([
    10, 20, 40, 50, 50,
  ]);
  expect(backoffMs(1, () => 0, limits)).toBe(0);
});
