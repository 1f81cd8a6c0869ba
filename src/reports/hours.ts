import type { ServiceReports } from "../model/reports.ts";
import { HOUR_MS, MINUTE_MS } from "../model/time.ts";
import { sumMinutes } from "./counts.ts";

const HOURS = 24;
const MINUTES_PER_HOUR = HOUR_MS / MINUTE_MS;

/** Reports that counted in each of 24 hours of the clock, that of `nowMs` last; all 0 for a service that nobody has reported. */
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
