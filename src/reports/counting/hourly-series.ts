import type { ServiceReports } from "../../model/reports.ts";
import { HOUR_MS } from "../../model/time.ts";
import { MINUTES_PER_HOUR, sumMinutes } from "./counts.ts";

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
