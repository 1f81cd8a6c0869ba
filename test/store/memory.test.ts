import { expect, test } from "vitest";
import { createMemoryStore } from "./memory-store.ts";
import { describeStore, toObject } from "./contract.ts";

describeStore("the memory store", async () => createMemoryStore());

test("the memory store exposes the content type and cache policy of its objects", async () => {
  const store = createMemoryStore();
  await store.write("a/b", toObject("x"));
  expect([...store.objects.keys()]).toEqual(["a/b"]);
  expect(store.objects.get("a/b")).toMatchObject({
    contentType: "application/json; charset=utf-8",
    cacheControl: "max-age=60",
  });
});
