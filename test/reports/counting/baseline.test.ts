import { expect, test } from "vitest";
import type { HourRow } from "../../../src/model/service/reports.ts";
import { expectedReports } from "../../../src/reports/counting/baseline.ts";

const NOW_HOUR = 500_000;
const LONG_AGO = NOW_HOUR - 10_000;

/** Rows from a function of the age in hours. */
function expected(
  reportsAgo: (hoursAgo: number) => number,
  leftOutAgo: (hoursAgo: number) => number = () => 0,
  firstHour = LONG_AGO,
): number {
  return expectedReports(
    (hour): HourRow => [hour, reportsAgo(NOW_HOUR - hour), leftOutAgo(NOW_HOUR - hour)],
    firstHour,
    NOW_HOUR,
  );
}

test("the expected number is a quarter of the hourly mean", () => {
  expect(expected(() => 20)).toBeCloseTo(5, 12);
});

test("it is at least 0.05, also without any history", () => {
  expect(expected(() => 0)).toBe(0.05);
  expect(expected(() => 20, undefined, NOW_HOUR)).toBe(0.05);
});

test("it follows the hour of the day and its two neighbours", () => {
  const isNear = (ago: number) => [23, 0, 1].includes(ago % 24);
  // 25 kept days × 3 hours at 40, and 4 hours of the daily mean 40 × 3 / 24.
  const mean = (75 * 40 + 4 * 5) / 79;
  expect(expected((ago) => (isNear(ago) ? 40 : 0))).toBeCloseTo(mean / 4, 12);
  expect(expected((ago) => (ago % 24 === 12 ? 40 : 0))).toBeLessThan(0.1);
});

test("today is not used, so a surge cannot raise its own baseline", () => {
  expect(expected((ago) => (ago < 23 ? 10_000 : 20))).toBeCloseTo(5, 0);
});

test("the three days with the most reports are left out", () => {
  const isOutage = (ago: number) => ago < 3 * 24;
  expect(expected((ago) => (isOutage(ago) ? 10_000 : 20))).toBeCloseTo(5, 6);
});

test("excluded slots do not count as slots without reports", () => {
  expect(
    expected(
      () => 10,
      () => 6,
    ),
  ).toBeCloseTo(5, 12);
  expect(
    expected(
      (ago) => (ago > 200 ? 20 : 0),
      (ago) => (ago > 200 ? 0 : 12),
    ),
  ).toBeCloseTo(5, 6);
});

test("hours before the first report are unknown and not hours without reports", () => {
  const firstHour = NOW_HOUR - 8 * 24;
  expect(expected((ago) => (ago <= 8 * 24 ? 20 : 0), undefined, firstHour)).toBeCloseTo(5, 6);
  // With a day of more reports, which is left out: of 28 days it would be one of three.
  const grown = (ago: number) => (ago > 8 * 24 ? 0 : ago < 24 ? 30 : 20);
  expect(expected(grown, undefined, firstHour)).toBeCloseTo(5, 6);
});

test.each([
  [9, 1],
  [10, 2],
  [18, 2],
  [19, 3],
])("of %i known days, the %i with the most reports are left out", (days, bad) => {
  // In the middle of a day, so that each is in one sum alone.
  const withOutages = (outages: number) => (ago: number) => {
    const isOutage = ago % 24 >= 6 && ago % 24 <= 16 && ago > 24 && ago < 24 * (outages + 1);
    return isOutage ? 10_000 : 20;
  };
  const firstHour = NOW_HOUR - days * 24;
  expect(expected(withOutages(bad), undefined, firstHour)).toBeCloseTo(5, 6);
  expect(expected(withOutages(bad + 1), undefined, firstHour)).toBeGreaterThan(10);
});

test("the hour before the same hour 28 days ago is the oldest that counts", () => {
  const oldest = 28 * 24 + 1;
  expect(expected((ago) => (ago > oldest ? 0 : 20))).toBeCloseTo(5, 12);
  expect(expected((ago) => (ago >= oldest ? 0 : 20))).toBeLessThan(5);
});

test("a day counts from the hour on that is a neighbour of the same hour", () => {
  // Of two days the one with more reports is left out; of the first day the last hour of three is known, and 23 of the day.
  const rate = (ago: number) => (ago >= 25 ? 8 : 40);
  expect(expected(rate, undefined, NOW_HOUR - 47)).toBeCloseTo(2, 12);
  expect(expected(rate, undefined, NOW_HOUR - 46)).toBe(0.05);
});
