import {
  type AccuracyReport,
  type Delay,
  type MonthAccuracy,
  startOfMonth,
} from "../../model/service/accuracy.ts";
import type { Accuracy } from "../../contract/accuracy.ts";
import { METHOD_CHANGES, METHOD_VERSION } from "../../model/service/method.ts";
import type { Document } from "../../model/service/snapshot.ts";
import { toJsonDocument } from "../../model/service/to-document.ts";
import { toUnixSeconds } from "../../model/time.ts";

export const ACCURACY_KEY = "accuracy/v1.json";

/** The document of the accuracy. */
export function buildAccuracy(report: AccuracyReport): Document {
  return toJsonDocument(ACCURACY_KEY, {
    license: "CC-BY-4.0",
    method: METHOD_VERSION,
    methodChanges: METHOD_CHANGES,
    since: report.sinceMs === null ? null : toUnixSeconds(report.sinceMs),
    until: toUnixSeconds(report.untilMs),
    truthEntries: report.truthEntries,
    months: report.months.map(toMonth),
  } satisfies Accuracy);
}

function toMonth(month: MonthAccuracy): Accuracy["months"][number] {
  return {
    month: new Date(startOfMonth(month.month)).toISOString().slice(0, 7),
    runs: month.runs,
    congestedRuns: month.congestedRuns,
    outages: {
      told: month.outages,
      short: month.short,
      shortReported: month.shortReported,
      shortLookedAtElsewhere: month.shortLookedAtElsewhere,
      shortSeenElsewhere: month.shortSeenElsewhere,
    },
    false: { suspected: month.falseSuspected, confirmed: month.falseConfirmed },
    right: { confirmed: month.rightConfirmed },
    late: { surged: month.surged, suspected: month.lateSuspected },
    missed: { truthOutages: month.truthOutages, missed: month.missed },
    delay: { byTruth: toDelay(month.delayByTruth), byReports: toDelay(month.delayByReports) },
    noneMinutes: { services: month.serviceNoneMinutes, runner: month.runnerNoneMinutes },
    controls: {
      compared: month.compared,
      onlyMoscow: month.onlyMoscow,
      onlyAbroad: month.onlyAbroad,
    },
  };
}

function toDelay({ count, medianSeconds, p90Seconds }: Delay) {
  return { count, median: medianSeconds, p90: p90Seconds };
}
