import { expect, test } from "vitest";
import {
  type ToldOutage,
  type TruthEntry,
  NO_ACCURACY,
} from "../../../src/model/service/accuracy.ts";
import { MINUTE_MS } from "../../../src/model/time.ts";
import { reportAccuracy } from "../../../src/open-data/accuracy/report.ts";
import { at, ledgerOn, outageAt, TRUTH, truthAt, TWO_MONTHS } from "./sample-ledger.ts";
import type { Accuracy } from "../../../src/contract/accuracy.ts";

/** November, with these outages and entries. */
function november(outages: readonly ToldOutage[], truth: readonly TruthEntry[] = []) {
  const { months } = reportAccuracy(ledgerOn("2026-11-21T09:00", { outages }), truth);
  const [month] = months;
  if (month === undefined) throw new Error("no month");
  return flatten(month);
}

/** The numbers of a month under one name each. */
function flatten({ outages, missed, delay, ...month }: Accuracy["months"][number]) {
  const { told, ...ofOutages } = outages;
  return {
    month: month.month,
    outages: told,
    ...ofOutages,
    falseSuspected: month.false.suspected,
    falseConfirmed: month.false.confirmed,
    rightConfirmed: month.right.confirmed,
    surged: month.late.surged,
    lateSuspected: month.late.suspected,
    ...missed,
    delayByTruth: delay.byTruth,
    delayByReports: delay.byReports,
    runnerNoneMinutes: month.noneMinutes.runner,
    ...month.controls,
  };
}

test("before the first day is over there is nothing to tell", () => {
  expect(reportAccuracy(NO_ACCURACY, TRUTH)).toMatchObject({
    since: null,
    until: 0,
    truthEntries: 3,
    months: [],
  });
  const sinceMs = at("2026-11-21T08:00");
  const first = ledgerOn("2026-11-21T09:00", {
    sinceMs,
    outages: [outageAt("bank", "2026-11-21T08:30")],
  });
  expect(reportAccuracy(first, [])).toMatchObject({ since: sinceMs / 1_000, months: [] });
});

const SHORT = outageAt("bank", "2026-11-12T10:05");
const LONG = outageAt("bank", "2026-11-12T10:05", { endedAtMs: at("2026-11-12T11:00"), runs: 3 });

test.each([
  ["short, and nobody else noticed", SHORT, { short: 1, falseSuspected: 1 }],
  ["reported", { ...SHORT, isReported: true }, { shortReported: 1, falseSuspected: 0 }],
  [
    "seen elsewhere",
    { ...SHORT, isSeenElsewhere: true },
    { shortSeenElsewhere: 1, falseSuspected: 0 },
  ],
  [
    "looked at elsewhere",
    { ...SHORT, isLookedAtElsewhere: true },
    { shortLookedAtElsewhere: 1, falseSuspected: 1 },
  ],
  ["longer than two runs", LONG, { outages: 1, short: 0, falseSuspected: 0 }],
  ["it lasts", { ...SHORT, endedAtMs: null }, { outages: 1, short: 0, falseSuspected: 0 }],
])("a false alarm is suspected or not: %s", (_, outage, expected) => {
  expect(november([outage])).toMatchObject(expected);
});

test.each([
  [
    "the service worked",
    "worked",
    { falseSuspected: 0, falseConfirmed: 1, rightConfirmed: 0, truthOutages: 0 },
  ],
  [
    "an outage",
    "outage",
    { falseSuspected: 0, falseConfirmed: 0, rightConfirmed: 1, missed: 0, truthOutages: 1 },
  ],
  [
    "blocked",
    "blocked",
    { falseSuspected: 0, falseConfirmed: 0, rightConfirmed: 1, missed: 0, truthOutages: 1 },
  ],
  ["slow", "slow", { falseSuspected: 0, falseConfirmed: 0, rightConfirmed: 0, truthOutages: 0 }],
] as const)("the truth decides a short outage: %s", (_, what, expected) => {
  expect(november([SHORT], [truthAt("2026-11-12T10:00", { what })])).toMatchObject(expected);
  const other = truthAt("2026-11-12T10:00", { what, slug: "shop" });
  expect(november([SHORT], [other])).toMatchObject({ falseSuspected: 1, falseConfirmed: 0 });
});

test.each([
  ["20 minutes after it began", "2026-11-12T09:45", 20 * 60],
  ["before it began", "2026-11-12T10:15", 0],
  ["at once", "2026-11-12T10:05", 0],
])("the delay by the truth, told %s", (_, from, seconds) => {
  const { delayByTruth } = november([LONG], [truthAt(from)]);
  expect(delayByTruth).toEqual({ count: 1, median: seconds, p90: seconds });
});

test.each([
  ["nothing was told", [], 1],
  ["another service was", [outageAt("shop", "2026-11-12T10:05")], 1],
  ["an hour too early", [outageAt("bank", "2026-11-12T09:00")], 1],
  ["up to 15 minutes after its end", [outageAt("bank", "2026-11-12T11:10")], 0],
  ["later", [outageAt("bank", "2026-11-12T11:15")], 1],
])("an outage of the truth is missed or not: %s", (_, outages, missed) => {
  expect(november(outages, [truthAt("2026-11-12T10:00")])).toMatchObject({
    truthOutages: 1,
    missed,
  });
});

test("the truth of before the record, and of today, is not weighed", () => {
  const sinceMs = at("2026-11-05T12:00");
  const ledger = ledgerOn("2026-11-21T09:00", { sinceMs });
  const truth = ["2026-11-05T10:00", "2026-11-05T13:00", "2026-11-21T08:00"].map((text) =>
    truthAt(text),
  );
  expect(reportAccuracy(ledger, truth).months.map(flatten)).toMatchObject([
    { truthOutages: 1, missed: 1 },
  ]);
});

test.each([
  [-20, { surged: 1, lateSuspected: 1 }, 20 * 60],
  [-10, { surged: 1, lateSuspected: 1 }, 10 * 60],
  [-9, { surged: 1, lateSuspected: 0 }, 9 * 60],
  [4, { surged: 1, lateSuspected: 0 }, -4 * 60],
])("reports that surged %i minutes after the verdict", (minutes, expected, seconds) => {
  const surgedAtMs = LONG.toldAtMs + minutes * MINUTE_MS;
  const month = november([{ ...LONG, surgedAtMs }]);
  expect(month).toMatchObject(expected);
  expect(month.delayByReports).toEqual({ count: 1, median: seconds, p90: seconds });
});

test("median and 90th percentile are values that occurred", () => {
  const outages = Array.from({ length: 10 }, (_, place) =>
    outageAt("bank", `2026-11-${place + 10}T10:05`, {
      surgedAtMs: at(`2026-11-${place + 10}T10:05`) - place * MINUTE_MS,
    }),
  );
  expect(november(outages).delayByReports).toEqual({
    count: 10,
    median: 240,
    p90: 480,
  });
});

test("today does not count until it is over: what changes in it changes nothing", () => {
  const yesterday = outageAt("bank", "2026-11-20T23:50", { endedAtMs: null, runs: 2 });
  const before = november([yesterday]);
  expect(before).toMatchObject({ outages: 1, short: 0 });
  const ended = {
    ...yesterday,
    endedAtMs: at("2026-11-21T00:00"),
    surgedAtMs: at("2026-11-21T00:00"),
  };
  expect(november([ended, outageAt("bank", "2026-11-21T05:00")])).toEqual(before);
});

test("months are apart, newest first, and a month without anything is there", () => {
  const { months } = reportAccuracy(TWO_MONTHS, TRUTH);
  expect(months.map(flatten)).toMatchObject([
    {
      month: "2026-11",
      outages: 3,
      compared: 489_600,
      truthOutages: 1,
      missed: 1,
      falseConfirmed: 1,
    },
    {
      month: "2026-10",
      outages: 3,
      runnerNoneMinutes: 70,
      truthOutages: 1,
      missed: 0,
      falseSuspected: 1,
    },
  ]);
  const empty = reportAccuracy(ledgerOn("2027-01-01T09:00"), []);
  expect(empty.months.map(({ month }) => month)).toEqual(["2026-12", "2026-11", "2026-10"]);
  // On the first of a month nothing of it is over.
  expect(reportAccuracy(ledgerOn("2026-12-01T09:00"), []).months[0]?.month).toBe("2026-11");
});
