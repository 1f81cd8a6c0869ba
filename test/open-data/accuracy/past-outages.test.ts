import { expect, test } from "vitest";
import type { ToldOutage } from "../../../src/model/service/accuracy.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/model/time.ts";
import { indexPastOutages } from "../../../src/open-data/accuracy/past-outages.ts";
import { at, outageAt } from "./sample-ledger.ts";

const NOW_MS = at("2026-11-20T10:00");
const SERVICES = ["vtb", "sber", "mts"].map((slug) => ({
  slug,
  category: slug === "mts" ? "mobile" : "banks",
}));

/** Outages of a service that began so many days ago and lasted so many minutes each. */
function outagesOf(slug: string, daysAgo: number, minutes: readonly number[]) {
  return minutes.map((length, place): ToldOutage => {
    const toldAtMs = NOW_MS - daysAgo * DAY_MS + place * HOUR_MS;
    return outageAt(slug, "2026-11-20T10:00", {
      toldAtMs,
      endedAtMs: toldAtMs + length * MINUTE_MS,
    });
  });
}

function indexOf(outages: readonly ToldOutage[], sinceMs: number | null = NOW_MS - 400 * DAY_MS) {
  return indexPastOutages({ sinceMs, outages }, SERVICES);
}

const FIVE = outagesOf("vtb", 3, [40, 5, 10, 200, 20]);

test("half lasted no longer than the median, and the longest is named", () => {
  const expected = { of: "service", days: 90, count: 5, medianMs: 20 * MINUTE_MS };
  const index = indexOf(FIVE);
  expect(index.own("vtb", NOW_MS)).toEqual({ ...expected, longestMs: 200 * MINUTE_MS });
  expect(index.nearest("vtb", NOW_MS)).toEqual(index.own("vtb", NOW_MS));
  const six = [...FIVE, ...outagesOf("vtb", 1, [300])];
  expect(indexOf(six).own("vtb", NOW_MS)).toMatchObject({ count: 6, medianMs: 20 * MINUTE_MS });
});

test("of a service with four outages those of its category are told, and of no other", () => {
  const index = indexOf([...FIVE.slice(0, 4), ...outagesOf("sber", 2, [60])]);
  expect(index.own("vtb", NOW_MS)).toBeUndefined();
  expect(index.nearest("vtb", NOW_MS)).toMatchObject({ of: "category", count: 5 });
  expect(index.nearest("sber", NOW_MS)).toMatchObject({ of: "category", count: 5 });
  expect(index.nearest("mts", NOW_MS)).toBeUndefined();
  expect(index.nearest("gone", NOW_MS)).toBeUndefined();
  expect(indexOf(outagesOf("gone", 2, [1, 2, 3, 4, 5])).nearest("other", NOW_MS)).toBeUndefined();
});

test("only ended outages of 90 days count, whose end a check saw", () => {
  const [first, ...others] = FIVE;
  if (first === undefined) throw new TypeError("no outage");
  const countWith = (changes: Partial<ToldOutage>, nowMs = NOW_MS) =>
    indexOf([{ ...first, ...changes }, ...others]).own("vtb", nowMs)?.count;
  expect(countWith({})).toBe(5);
  expect(countWith({ endedAtMs: null })).toBeUndefined();
  expect(countWith({ isEndUnseen: true })).toBeUndefined();
  expect(countWith({ endedAtMs: NOW_MS })).toBe(5);
  expect(countWith({ endedAtMs: NOW_MS + 1 })).toBeUndefined();
  expect(countWith({ toldAtMs: NOW_MS - 90 * DAY_MS })).toBe(5);
  expect(countWith({ toldAtMs: NOW_MS - 90 * DAY_MS - 1 })).toBeUndefined();
});

test("a young record says how many whole days it has, and nothing on its first day", () => {
  const outages = outagesOf("vtb", 1, [1, 2, 3, 4, 5]);
  const daysSince = (sinceMs: number | null) => indexOf(outages, sinceMs).own("vtb", NOW_MS)?.days;
  expect(daysSince(NOW_MS - 3.9 * DAY_MS)).toBe(3);
  expect(daysSince(NOW_MS - DAY_MS)).toBe(1);
  expect(daysSince(NOW_MS - DAY_MS + 1)).toBeUndefined();
  expect(daysSince(null)).toBeUndefined();
});
