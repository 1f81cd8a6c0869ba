import { expect, test } from "vitest";
import { createRecent, remember } from "../../src/badge/lru.ts";

test("what was asked for longest ago is forgotten first", () => {
  const recent = createRecent<number>(2);
  recent.set("a", 1);
  recent.set("b", 2);
  expect(recent.get("a")).toBe(1);
  recent.set("c", 3);
  expect([recent.get("a"), recent.get("b"), recent.get("c")]).toEqual([1, undefined, 3]);
});

test("an entry that is set again counts once, and can be taken out", () => {
  const recent = createRecent<number>(2);
  recent.set("a", 1);
  recent.set("b", 2);
  recent.set("a", 3);
  expect([recent.get("a"), recent.get("b")]).toEqual([3, 2]);
  recent.delete("a");
  expect(recent.get("a")).toBeUndefined();
});

test("work is done once for each text, but again after it failed", async () => {
  const asked: string[] = [];
  const work = remember(2, (text) => {
    asked.push(text);
    return asked.length === 1
      ? Promise.reject(new Error("not yet"))
      : Promise.resolve(asked.length);
  });
  await expect(work("a")).rejects.toThrow("not yet");
  expect(await Promise.all([work("a"), work("a"), work("b")])).toEqual([2, 2, 3]);
  expect(asked).toEqual(["a", "a", "b"]);
});
