import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { within } from "../../src/intake/within.ts";

test("what is done in time has its result, and its failure", async () => {
  expect(await within(delay(20, "done"), 5_000)).toBe("done");
  await expect(within(Promise.reject(new Error("no disk")), 5_000)).rejects.toThrow("no disk");
});

test("what takes too long is left, at the limit and not at the next slice of time", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let told: unknown;
  within(new Promise(() => undefined), 255).catch((error: unknown) => (told = error));
  await vi.advanceTimersByTimeAsync(254);
  expect(told).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(told).toEqual(new Error("no answer within 255 ms"));
});

test("while the process cannot run no time goes by: an answer that has come is heard", async () => {
  const answer = (async () => {
    // Ten turns of the loop, as a write of a file takes, which are held up for longer than the limit in all.
    for (let turn = 0; turn < 10; turn += 1) {
      await delay(1);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60);
    }
    return "written";
  })();
  expect(await within(answer, 250)).toBe("written");
});
