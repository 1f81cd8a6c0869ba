import { type Symptom, SYMPTOMS } from "../../model/service/choices.ts";
import {
  type MinuteRow,
  NO_REPORTS,
  type ReportCounts,
  type ReportLedger,
  type Reports,
  type ServiceReports,
} from "../../model/service/reports.ts";
import { rowAtTime } from "../../model/service/recent-reports.ts";
import { mapValues, sumOf } from "../../model/lists.ts";
import { MINUTE_MS, HOUR_MS } from "../../model/time.ts";
import {
  hourOf,
  HOURS_PER_DAY,
  COLD_START_MS,
  expectedReports,
  WINDOWS_PER_HOUR,
} from "./baseline.ts";
import { rowsBetween, rowAt } from "./sorted-rows.ts";
import { surplusIn } from "./share.ts";

export const MINUTES_PER_HOUR = 60;
export const MINUTES_PER_DAY: number = 24 * MINUTES_PER_HOUR;

/**
 * The published counts as of `nowMs`: reports of the last 60 and 1,440 minutes, including the current one, so that a report leaves
 * its window at most a minute early and never late. Surges are those of the last evaluation.
 */
export function reportsAsOf(ledger: ReportLedger, nowMs: number): Reports {
  return mapValues(ledger.services, (service) => countsOf(service, nowMs));
}

/** The same for one service; undefined stands for a service without reports. */
export function countsOf(service: ServiceReports | undefined, nowMs: number): ReportCounts {
  if (service === undefined) return NO_REPORTS;
  return {
    hour: countWithin(service.minutes, MINUTES_PER_HOUR, nowMs).accepted,
    day: countWithin(service.minutes, MINUTES_PER_DAY, nowMs).accepted,
    isSurging: service.surge.phase === "on",
  };
}

/** Reports of the last `length` minutes, including that of `nowMs`. */
export function countWithin(minutes: readonly MinuteRow[], length: number, nowMs: number) {
  const end = Math.floor(nowMs / MINUTE_MS) + 1;
  return sumMinutes(minutes, end - length, end);
}

/** Reports of the minutes in [from, to): those that count, and all. */
export function sumMinutes(minutes: readonly MinuteRow[], from: number, to: number) {
  let accepted = 0;
  let raw = 0;
  for (const row of rowsBetween(minutes, from, to)) {
    accepted += row[1];
    raw += row[2];
  }
  return { accepted, raw };
}

/** Accepted reports of the last 60 minutes that do not count because their block exceeds its share. */
export function countBeyondShare({ recent }: ServiceReports, nowMs: number): number {
  const [fromMs, toMs] = lastHour(nowMs);
  const [from, to] = [rowAtTime(recent, fromMs), rowAtTime(recent, toMs)];
  return [...surplusIn(recent, fromMs, toMs)].filter((place) => place >= from && place < to).length;
}

/** The last 60 minutes, including that of `nowMs`: [fromMs, toMs). */
export function lastHour(nowMs: number): readonly [fromMs: number, toMs: number] {
  const toMs = (Math.floor(nowMs / MINUTE_MS) + 1) * MINUTE_MS;
  return [toMs - HOUR_MS, toMs];
}

/** Accepted reports with a symptom, over the last 24 clock hours, including that of `nowMs`. */
export function countSymptoms(
  { symptoms }: ServiceReports,
  nowMs: number,
): ReadonlyMap<Symptom, number> {
  const end = hourOf(nowMs) + 1;
  const rows = rowsBetween(symptoms, end - HOURS_PER_DAY, end);
  return new Map(
    SYMPTOMS.map((symptom, place) => [
      symptom,
      sumOf(rows.map(([, counts]) => counts[place] ?? 0)),
    ]),
  );
}

/** Counted reports in each of 24 clock hours, the last being that of `nowMs`; all 0 for a service without reports. */
export function reportHoursOf(
  service: ServiceReports | undefined,
  nowMs: number,
): readonly number[] {
  const first = Math.floor(nowMs / HOUR_MS) - HOURS_PER_DAY + 1;
  return Array.from({ length: HOURS_PER_DAY }, (_, index) => {
    const from = (first + index) * MINUTES_PER_HOUR;
    return sumMinutes(service?.minutes ?? [], from, from + MINUTES_PER_HOUR).accepted;
  });
}

/**
 * Reports that are usual in each of these hours, whole numbers; empty for a service whose history is too short. Rounded, so that a page
 * does not change with each report.
 */
export function usualHoursOf(
  service: ServiceReports | undefined,
  nowMs: number,
): readonly number[] {
  const first = hourOf(nowMs) - HOURS_PER_DAY + 1;
  return Array.from({ length: HOURS_PER_DAY }, (_, index) => {
    return service && usualInHour(service, first + index, nowMs);
  }).flatMap((usual) => (usual === undefined ? [] : Math.round(usual)));
}

/** Reports that are usual in an hour by the baseline of surges; undefined: the history of the service is too short for one. */
export function usualInHour(
  { hours, firstAtMs }: ServiceReports,
  hour: number,
  nowMs: number,
): number | undefined {
  if (nowMs - firstAtMs < COLD_START_MS) return undefined;
  const quarter = expectedReports((one) => rowAt(hours, one), hourOf(firstAtMs), hour);
  return quarter * WINDOWS_PER_HOUR;
}
