import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/model/time.ts";
import { describeLength } from "../../src/site/words/numbers.ts";

test.each([
  [0, "1 минута", "1 minute"],
  [2 * MINUTE_MS - 1, "1 минута", "1 minute"],
  [2 * MINUTE_MS, "2 минуты", "2 minutes"],
  [HOUR_MS - 1, "59 минут", "59 minutes"],
  [HOUR_MS, "1 час", "1 hour"],
  [HOUR_MS + 20 * MINUTE_MS, "1 час 20 минут", "1 hour 20 minutes"],
  [12 * HOUR_MS, "12 часов", "12 hours"],
  [13 * HOUR_MS + 59 * MINUTE_MS, "13 часов 59 минут", "13 hours 59 minutes"],
  [23 * HOUR_MS + MINUTE_MS, "23 часа 1 минута", "23 hours 1 minute"],
  [DAY_MS, "1 день", "1 day"],
  [DAY_MS + 5 * MINUTE_MS, "1 день", "1 day"],
  [3 * DAY_MS + 2 * HOUR_MS + 5 * MINUTE_MS, "3 дня 2 часа", "3 days 2 hours"],
  [29 * DAY_MS + 23 * HOUR_MS, "29 дней 23 часа", "29 days 23 hours"],
])("%i ms are %s", (ms, ru, en) => {
  expect([describeLength(ms, "ru"), describeLength(ms, "en")]).toEqual([ru, en]);
});

test("with one unit the length is rounded down to it", () => {
  expect(describeLength(23 * HOUR_MS + 59 * MINUTE_MS, "en", 1)).toBe("23 hours");
  expect(describeLength(3 * DAY_MS - 1, "en", 1)).toBe("2 days");
});
