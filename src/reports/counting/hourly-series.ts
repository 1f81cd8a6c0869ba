import type { ServiceReports } from "../../model/service/reports.ts";
import { HOUR_MS } from "../../model/time.ts";
import { COLD_START_MS, expectedReports, hourOf } from "./baseline.ts";
import { MINUTES_PER_HOUR, sumMinutes } from "./counts.ts";
import { rowAt } from "./sorted-rows.ts";

const HOURS = 24;

/** Counted reports in each of 24 clock hours, the last being that of `nowMs`; all 0 for a service without reports. */
export function reportHoursOf(
  service: ServiceReports | undefined,
  nowMs: number,
): readonly number[] {
  const first = Math.floor(nowMs / HOUR_MS) - HOURS + 1;
  return Array.from({ length: HOURS }, (_, index) => {
    const from = (first + index) * MINUTES_PER_HOUR;
    return sumMinutes(service?.minutes ?? [], from, from + MINUTES_PER_HOUR).accepted;
  });
}

const QUARTERS_PER_HOUR = 4;

/**
 * Reports that are usual in each of these hours by the baseline of surges, whole numbers; empty for a service whose history is too
 * short for one. Rounded, so that a page does not change with each report.
 */
export function usualHoursOf(
  service: ServiceReports | undefined,
  nowMs: number,
): readonly number[] {
  if (service === undefined || nowMs - service.firstAtMs < COLD_START_MS) return [];
  const { hours, firstAtMs } = service;
  const first = hourOf(nowMs) - HOURS + 1;
  return Array.from({ length: HOURS }, (_, index) => {
    const quarter = expectedReports((hour) => rowAt(hours, hour), hourOf(firstAtMs), first + index);
    return Math.round(quarter * QUARTERS_PER_HOUR);
  });
}
