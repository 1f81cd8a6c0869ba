import { expect, test } from "vitest";
import { formatMoment } from "../../../src/site/browser/format-time.ts";

/** At noon in UTC, so that the day is the same in nearly every zone in which the tests may run. */
const atNoon = (year: number, month: number, day: number): number =>
  Date.UTC(year, month - 1, day, 12);

test("a moment of today has its time alone", () => {
  const atMs = atNoon(2026, 11, 17);
  expect(formatMoment(atMs, atMs, "ru")).toMatch(/^\d\d:\d\d/u);
});

test("a moment of another day of this year has its day", () => {
  const text = formatMoment(atNoon(2026, 11, 17), atNoon(2026, 11, 25), "ru");
  expect(text).toMatch(/^17 ноября, \d\d:\d\d/u);
});

test.each([
  ["ru", /^17 ноября 2016, \d\d:\d\d/u],
  ["en", /^17 November 2016, \d\d:\d\d/u],
] as const)("a moment of another year has its year, in %s", (language, expected) => {
  expect(formatMoment(atNoon(2016, 11, 17), atNoon(2026, 11, 17), language)).toMatch(expected);
});
