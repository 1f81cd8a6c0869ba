import { expect, test } from "vitest";
import { EMPTY_LEDGER, type Report } from "../../../src/model/service/reports.ts";
import { HOUR_MS, MINUTE_MS } from "../../../src/model/time.ts";
import { foldReports } from "../../../src/reports/counting/fold-reports.ts";
import { reportHoursOf } from "../../../src/reports/counting/hourly-series.ts";

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
