import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { within } from "../../src/intake/within.ts";

test("what is done in time has its result, and its failure", async () => {
  expect(await within(delay(20, "done"), 5_000)).toBe("done");
  await expect(within(Promise.reject(new Error("no disk")), 5_000)).rejects.toThrow("no disk");
});

test("what takes too long is left, at the limit and not at the next slice of time", async () => {
  const startMs = performance.now();
  await expect(within(new Promise(() => undefined), 250)).rejects.toThrow(
    "no answer within 250 ms",
  );
  expect(performance.now() - startMs).toBeGreaterThan(240);
});

test("while the process cannot run no time goes by: an answer that has come is heard", async () => {
  const answer = (async () => {
    // Ten turns of the loop, as a write of a file takes, each held up for longer than the limit.
    for (let turn = 0; turn < 10; turn += 1) {
      await delay(1);
      const endMs = performance.now() + 60;
      while (performance.now() < endMs);
    }
    return "written";
  })();
  expect(await within(answer, 250)).toBe("written");
});
