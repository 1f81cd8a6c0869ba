import { expect, test } from "vitest";
import { SECOND_MS } from "../../src/model/time.ts";
import {
  aheadOf,
  describeClock,
  DOUBTED_CLOCK_MS,
  REFUSED_CLOCK_MS,
} from "../../src/store/store-clock.ts";

/* The store sends whole seconds: 100 s means any time from 100.000 to 100.999. */
test.each([
  { name: "in the middle of a request", sentMs: 99_000, receivedMs: 101_500, aheadMs: 0 },
  { name: "in the second before it", sentMs: 100_900, receivedMs: 101_200, aheadMs: 0 },
  { name: "long before it", sentMs: 161_000, receivedMs: 162_000, aheadMs: 60 * SECOND_MS },
  { name: "long after it", sentMs: 39_000, receivedMs: 40_000, aheadMs: -60 * SECOND_MS },
])("a store's time $name is a clock that is $aheadMs ms ahead", ({ aheadMs, ...times }) => {
  expect(aheadOf({ ...times, storeMs: 100_000 })).toBe(aheadMs);
});

test.each([
  { name: "at the start of its last second", sentMs: 101_000, receivedMs: 102_000, aheadMs: 0 },
  { name: "just before it", sentMs: 101_001, receivedMs: 102_000, aheadMs: 1 },
  { name: "at its end", sentMs: 99_000, receivedMs: 100_000, aheadMs: 0 },
  { name: "just after it", sentMs: 99_000, receivedMs: 99_999, aheadMs: -1 },
])("a store's time $name of a request: $aheadMs ms ahead", ({ aheadMs, ...times }) => {
  expect(aheadOf({ ...times, storeMs: 100_000 })).toBe(aheadMs);
});

test("a clock is doubted from half a minute on, and refused from five", () => {
  expect([DOUBTED_CLOCK_MS, REFUSED_CLOCK_MS]).toEqual([30 * SECOND_MS, 300 * SECOND_MS]);
});

test.each([
  [1_499, "1 s ahead of"],
  [-1_500, "2 s behind"],
  [119_000, "119 s ahead of"],
  [119_999, "120 s ahead of"],
  [120_000, "2 minutes ahead of"],
  [-151_000, "3 minutes behind"],
])("a clock that is %i ms ahead is told as %s", (aheadMs, words) => {
  expect(describeClock(aheadMs)).toBe(`the clock of this machine is ${words} that of the store`);
  expect(describeClock(aheadMs, "ours")).toBe(`the clock of this machine is ${words} ours`);
});
