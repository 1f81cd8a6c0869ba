import { expect, test } from "vitest";
import { endsWithin } from "../../src/commands/stopping.ts";

const DAY_MS = 86_400_000;

test("an act that ends is waited for, and rejects as it does", async () => {
  expect(await endsWithin(Promise.resolve(), DAY_MS)).toBe(true);
  await expect(endsWithin(Promise.reject(new Error("broken")), DAY_MS)).rejects.toThrow("broken");
});

test("an act that does not end is given up after its time", async () => {
  expect(await endsWithin(new Promise(() => undefined), 1)).toBe(false);
});
