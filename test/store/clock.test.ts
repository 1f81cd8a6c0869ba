import { expect, test } from "vitest";
import { SECOND_MS } from "../../src/model/time.ts";
import { aheadOf } from "../../src/store/clock.ts";

/* The store tells whole seconds: 100 s stands for all of 100.000 to 100.999. */
test.each([
  { name: "in the middle of a request", askedMs: 99_000, answeredMs: 101_500, aheadMs: 0 },
  { name: "in the second before it", askedMs: 100_900, answeredMs: 101_200, aheadMs: 0 },
  { name: "long before it", askedMs: 161_000, answeredMs: 162_000, aheadMs: 60 * SECOND_MS },
  { name: "long after it", askedMs: 39_000, answeredMs: 40_000, aheadMs: -60 * SECOND_MS },
])("a store's time $name is a clock that is $aheadMs ms ahead", ({ aheadMs, ...times }) => {
  expect(aheadOf({ ...times, storeMs: 100_000 })).toBe(aheadMs);
});
