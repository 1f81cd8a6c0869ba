import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { withTimeout } from "../../src/store/with-timeout.ts";

test("an action in time gives its result or its error", async () => {
  expect(await withTimeout(delay(20, "done"), 5_000)).toBe("done");
  await expect(withTimeout(Promise.reject(new Error("no disk")), 5_000)).rejects.toThrow("no disk");
});

test("a slow action is rejected exactly at the limit", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let error: unknown;
  withTimeout(new Promise(() => undefined), 255).catch((reason: unknown) => (error = reason));
  await vi.advanceTimersByTimeAsync(254);
  expect(error).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(error).toEqual(new Error("no answer within 255 ms"));
});

test("time in which the event loop is blocked does not count", async () => {
  const answer = (async () => {
    // Ten turns of the event loop, blocked together for longer than the limit.
    for (let turn = 0; turn < 10; turn += 1) {
      await delay(1);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60);
    }
    return "written";
  })();
  expect(await withTimeout(answer, 250)).toBe("written");
});
