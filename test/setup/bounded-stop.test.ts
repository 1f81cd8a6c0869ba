import { expect, test } from "vitest";
import { endsWithin } from "../../src/setup/long-running.ts";

const DAY_MS = 86_400_000;

test("an action that ends in time is awaited, with its rejection", async () => {
  expect(await endsWithin(Promise.resolve(), DAY_MS)).toBe(true);
  await expect(endsWithin(Promise.reject(new Error("broken")), DAY_MS)).rejects.toThrow("broken");
});

test("an action that does not end is abandoned after the time limit", async () => {
  expect(await endsWithin(new Promise(() => undefined), 1)).toBe(false);
});
