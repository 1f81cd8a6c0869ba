import type { MonitorClock, MonitorRecord } from "../model/uptime.ts";
import { msOfLevel } from "../model/response-level.ts";
import { hourOfSlot, HOURS_KEPT } from "./response.ts";
import { DAYS_KEPT, dayOfSlot, toSlot } from "./slots.ts";

/** From this share of failed checks on, a day was a bad one. Source: docs/uptime.md, "On the page". */
const MAJOR_SHARE = 0.05;

/** How bad one day was: no check failed, less than a twentieth of those that were decided, or more. */
export type DayGrade = "whole" | "minor" | "major";

/**
 * The last 90 UTC days of a monitor, the last one that of `nowMs`; null where no check was decided. As for `uptimeOf`, a moment
 * before the last counted run is taken for the moment of that run, and the figures are exact once the shard has taken in the journal.
 */
export function daysOf(
  record: MonitorRecord,
  clock: MonitorClock,
  nowMs: number,
): readonly (DayGrade | null)[] {
  const today = dayOfSlot(Math.max(toSlot(nowMs), clock.lastSlot));
  const exceptions = new Map(record.days.map((day) => [day.day, day]));
  const runs = countRuns(record, clock);
  return Array.from({ length: DAYS_KEPT }, (_, index) => {
    const day = today - DAYS_KEPT + 1 + index;
    const { failed, skipped } = exceptions.get(day) ?? { failed: 0, skipped: 0 };
    return gradeDay((runs.get(day) ?? 0) - skipped, failed);
  });
}

/** Runs of each day that had the monitor. */
function countRuns(
  { firstRun }: MonitorRecord,
  { runs, days }: MonitorClock,
): ReadonlyMap<number, number> {
  return new Map(
    days.map(([day, first], index) => {
      const next = days[index + 1]?.[1] ?? runs + 1;
      return [day, Math.max(0, next - Math.max(first, firstRun))];
    }),
  );
}

function gradeDay(decided: number, failed: number): DayGrade | null {
  if (decided <= 0) return null;
  if (failed === 0) return "whole";
  return failed / decided < MAJOR_SHARE ? "minor" : "major";
}

/**
 * Response time in each of the last 24 hours of the clock, whole milliseconds, the last one the hour of `nowMs`; null where none
 * was remembered. Which check is remembered: docs/uptime.md, "Response times".
 */
export function responseOf({ response }: MonitorRecord, nowMs: number): readonly (number | null)[] {
  const firstHour = hourOfSlot(toSlot(nowMs)) - HOURS_KEPT + 1;
  return Array.from({ length: HOURS_KEPT }, (_, index) => {
    if (response === undefined) return null;
    const { hour, levels } = response;
    const ms = msOfLevel(levels.charAt(firstHour + index - (hour - levels.length + 1)));
    return ms === undefined ? null : Math.round(ms);
  });
}
