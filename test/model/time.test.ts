import { expect, test } from "vitest";
import {
  dateOfDay,
  DAY_MS,
  FRESH_MS,
  HOUR_MS,
  isCalendarDate,
  MINUTE_MS,
  nameOfMinute,
  PERSISTENT_MS,
  SECOND_MS,
  toIsoSeconds,
  toUnixSeconds,
  toUtcDay,
  toWholeSeconds,
} from "../../src/model/time.ts";

test("seconds are rounded down, never into the future", () => {
  expect([1_999, 2_000].map(toUnixSeconds)).toEqual([1, 2]);
  expect([1_999, 2_000].map(toWholeSeconds)).toEqual([1_000, 2_000]);
  const atMs = Date.UTC(2026, 10, 21, 9, 5, 7, 999);
  expect(toIsoSeconds(atMs)).toBe("2026-11-21T09:05:07Z");
  expect(toIsoSeconds(atMs + 1)).toBe("2026-11-21T09:05:08Z");
});

test("a UTC day begins at its first millisecond", () => {
  expect(toUtcDay(86_399_999)).toBe(0);
  expect(toUtcDay(86_400_000)).toBe(1);
  expect([0, 59, 20_778].map(dateOfDay)).toEqual(["1970-01-01", "1970-03-01", "2026-11-21"]);
});

test("the name of a minute has its digits, and no seconds", () => {
  const minute = Date.UTC(2026, 10, 23, 2, 58);
  expect(nameOfMinute(minute)).toBe("202611230258");
  expect(nameOfMinute(minute + 59_999)).toBe("202611230258");
  expect(nameOfMinute(minute - 1)).toBe("202611230257");
});

test.each([
  ["2026-11-21", true],
  ["2024-02-29", true],
  ["2026-02-29", false],
  ["2026-02-31", false],
  ["2026-13-01", false],
  ["2026-00-10", false],
  ["2026-11-00", false],
  ["2026-11-2", false],
  ["2026-11", false],
  ["2026-11-21T00:00:00Z", false],
  [" 2026-11-21", false],
  ["12026-11-21", false],
  ["2026-11-211", false],
  ["", false],
])("%j names a day: %s", (text, isDay) => {
  expect(isCalendarDate(text)).toBe(isDay);
});

test("checks are fresh for 15 minutes and an episode is recent for 24 hours", () => {
  expect([FRESH_MS, PERSISTENT_MS]).toEqual([900_000, 86_400_000]);
  expect([SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS]).toEqual([1_000, 60_000, 3_600_000, 86_400_000]);
});
