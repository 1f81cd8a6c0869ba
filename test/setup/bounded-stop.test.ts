import { expect, onTestFinished, test } from "vitest";
import { sleep } from "../../src/setup/io.ts";
import { within } from "../../src/setup/long-running.ts";

const DAY_MS = 86_400_000;

test("an action that ends in time is awaited, with its rejection", async () => {
  expect(await within(Promise.resolve(1), DAY_MS, "late")).toBe(1);
  const broken = Promise.reject(new Error("broken"));
  await expect(within(broken, DAY_MS, "late")).rejects.toThrow("broken");
});

test("an action that does not end is abandoned after the time limit", async () => {
  expect(await within(new Promise(() => undefined), 1, "late")).toBe("late");
});

test("sleeps end with their signal, for which many may wait without a warning", async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error): void => void warnings.push(name);
  process.on("warning", note);
  onTestFinished(() => void process.off("warning", note));
  const stop = new AbortController();
  const sleeping = Array.from({ length: 20 }, () => sleep(DAY_MS, stop.signal));
  await new Promise(setImmediate);
  expect(warnings).toEqual([]);
  stop.abort("aborted");
  expect(await Promise.race(sleeping)).toBeUndefined();
  await Promise.all(sleeping);
  expect(await sleep(1, new AbortController().signal)).toBeUndefined();
});
