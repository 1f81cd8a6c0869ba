import { expect, test } from "vitest";
import { SECOND_MS } from "../../src/model/time.ts";
import { aheadOf } from "../../src/store/store-clock.ts";

/* The store sends whole seconds: 100 s means any time from 100.000 to 100.999. */
test.each([
  { name: "in the middle of a request", sentMs: 99_000, receivedMs: 101_500, aheadMs: 0 },
  { name: "in the second before it", sentMs: 100_900, receivedMs: 101_200, aheadMs: 0 },
  { name: "long before it", sentMs: 161_000, receivedMs: 162_000, aheadMs: 60 * SECOND_MS },
  { name: "long after it", sentMs: 39_000, receivedMs: 40_000, aheadMs: -60 * SECOND_MS },
])("a store's time $name is a clock that is $aheadMs ms ahead", ({ aheadMs, ...times }) => {
  expect(aheadOf({ ...times, storeMs: 100_000 })).toBe(aheadMs);
});
