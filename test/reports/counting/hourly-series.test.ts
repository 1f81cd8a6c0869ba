import { expect, test } from "vitest";
import {
  NO_OPERATORS,
  EMPTY_LEDGER,
  type HourRow,
  NO_SURGE,
  type Report,
  type ServiceReports,
} from "../../../src/model/service/reports.ts";
import { NO_RECENT_REPORTS } from "../../../src/model/service/recent-reports.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/model/time.ts";
import { foldReports } from "../../../src/reports/counting/fold-reports.ts";
import {
  countsOf,
  countSymptoms,
  reportHoursOf,
  usualHoursOf,
} from "../../../src/reports/counting/counts.ts";
import { acceptedOf, countColumns } from "../../../src/reports/counting/pending-counts.ts";

const NOW = 500_000 * HOUR_MS + 7 * MINUTE_MS;

function report(minutesAgo: number, network: string): Report {
  return { slug: "bank", atMs: NOW - minutesAgo * MINUTE_MS, network, block: "b" };
}

test("reports are in their clock hour, the current one last", () => {
  const reports = [
    report(0, "a"),
    report(7, "b"),
    report(8, "c"),
    report(9, "d"),
    report(1_380, "e"),
  ];
  const { ledger } = foldReports(EMPTY_LEDGER, reports, NOW);
  const hours = reportHoursOf(ledger.services.get("bank"), NOW);
  // Seven minutes past: 0 and 7 minutes ago are this hour; 23 hours ago is the first.
  expect(hours).toEqual([1, ...Array.from({ length: 21 }, () => 0), 2, 2]);
});

test("a service without reports has none", () => {
  expect(reportHoursOf(undefined, NOW)).toEqual(Array.from({ length: 24 }, () => 0));
});

test("symptoms count in the clock hour of now and the 23 before it", () => {
  // Seven minutes past the hour: 23 hours and 7 minutes ago the first hour begins.
  const reports = [0, 1_387, 1_388].map((ago, at): Report => {
    return { ...report(ago, `n${at}`), symptom: ago === 0 ? "login" : "app" };
  });
  const service = foldReports(EMPTY_LEDGER, reports, NOW).ledger.services.get("bank");
  if (service === undefined) throw new Error("no report was taken");
  expect(Object.fromEntries(countSymptoms(service, NOW))).toEqual({
    "does-not-open": 0,
    slow: 0,
    login: 1,
    payments: 0,
    app: 1,
    other: 0,
  });
});

test.each([
  [0, { hour: 1, day: 1 }],
  [59, { hour: 1, day: 1 }],
  [60, { hour: 0, day: 1 }],
  [1_439, { hour: 0, day: 1 }],
  [1_440, { hour: 0, day: 0 }],
  [-1, { hour: 0, day: 0 }],
])("a report of %i minutes ago counts the same in a ledger and in an answer", (ago, counts) => {
  const { ledger } = foldReports(EMPTY_LEDGER, [report(ago, "a")], NOW - ago * MINUTE_MS);
  const { hour, day } = countsOf(ledger.services.get("bank"), NOW);
  expect({ hour, day }).toEqual(counts);
  expect(countColumns(acceptedOf(ledger).get("bank"), NOW)).toEqual(counts);
});

/** 30 days of a service with 20 reports in each hour, and 80 in three hours around the present one of each day. */
function daily(ageMs: number): ServiceReports {
  const hours = Array.from({ length: 30 * 24 }, (_, at): HourRow => {
    const hoursAgo = 30 * 24 - at;
    return [500_000 - hoursAgo, [23, 0, 1].includes(hoursAgo % 24) ? 80 : 20, 0];
  });
  return {
    firstAtMs: NOW - ageMs,
    minutes: [],
    symptoms: [],
    operators: NO_OPERATORS,
    recent: NO_RECENT_REPORTS,
    hours,
    surge: NO_SURGE,
  };
}

test("usual reports are those of the same hour of other days, in each of 24 hours", () => {
  const usual = usualHoursOf(daily(60 * DAY_MS), NOW);
  expect(usual).toHaveLength(24);
  // The hour itself is the last one; each is a mean with its neighbours, drawn a little towards that of the day.
  expect(usual.slice(0, 3)).toEqual([58, 39, 20]);
  expect(new Set(usual.slice(2, 21))).toEqual(new Set([20]));
  expect(usual.slice(-4)).toEqual([20, 39, 58, 77]);
});

test("usual reports are known after seven days, and of no service without reports", () => {
  expect(usualHoursOf(daily(7 * DAY_MS), NOW)).toHaveLength(24);
  expect(usualHoursOf(daily(7 * DAY_MS - 1), NOW)).toEqual([]);
  expect(usualHoursOf(undefined, NOW)).toEqual([]);
});

test("a service without reports has none, and no surge", () => {
  expect(countsOf(undefined, NOW)).toEqual({ hour: 0, day: 0, isSurging: false });
});
