import { expect, test } from "vitest";
import { FRESH_MS, PERSISTENT_MS, toUnixSeconds, toUtcDay } from "../../src/model/time.ts";

test("seconds are rounded down, never into the future", () => {
  expect(toUnixSeconds(1_999)).toBe(1);
  expect(toUnixSeconds(2_000)).toBe(2);
});

test("a UTC day begins at its first millisecond", () => {
  expect(toUtcDay(86_399_999)).toBe(0);
  expect(toUtcDay(86_400_000)).toBe(1);
});

test("checks are fresh for 15 minutes and an episode is recent for 24 hours", () => {
  expect([FRESH_MS, PERSISTENT_MS]).toEqual([900_000, 86_400_000]);
});
