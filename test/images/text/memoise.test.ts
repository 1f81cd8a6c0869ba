import { expect, test } from "vitest";
import { memoise } from "../../../src/images/text/font.ts";

test("work is done once for each text, and again after a failure", async () => {
  const asked: string[] = [];
  const work = memoise(2, (text) => {
    asked.push(text);
    return asked.length === 1
      ? Promise.reject(new Error("not yet"))
      : Promise.resolve(asked.length);
  });
  await expect(work("a")).rejects.toThrow("not yet");
  expect(await Promise.all([work("a"), work("a"), work("b")])).toEqual([2, 2, 3]);
  expect(asked).toEqual(["a", "a", "b"]);
});

test("the least recently used text is forgotten first", async () => {
  const asked: string[] = [];
  const work = memoise(2, async (text) => asked.push(text));
  for (const text of ["a", "b", "a", "c", "a", "b"]) await work(text);
  expect(asked).toEqual(["a", "b", "c", "b"]);
});
