import type { MonitorClock, MonitorRecord } from "../../model/monitor/uptime.ts";
import { msOfLevel } from "../../model/response-level.ts";
import { dayOfSlot, DAYS_KEPT, hourOfSlot, HOURS_KEPT, toSlot } from "./time-slots.ts";

/** From this share of failed checks on, a day is major. Source: docs/monitors/uptime.md, "On the page". */
const MAJOR_SHARE = 0.05;

/** How bad one day was: no failed check, less than a twentieth of the decided ones, or more. */
export type DayGrade = "whole" | "minor" | "major";

/** The last 90 UTC days of a monitor up to `nowMs`, or the last counted run; null without a decided check. See `uptimeOf`. */
export function uptimeDaysOf(
  record: MonitorRecord,
  clock: MonitorClock,
  nowMs: number,
): readonly (DayGrade | null)[] {
  const today = dayOfSlot(Math.max(toSlot(nowMs), clock.lastSlot));
  const exceptions = new Map(record.days.map((day) => [day.day, day]));
  const runs = runsOfDays(clock, record.firstRun);
  return Array.from({ length: DAYS_KEPT }, (_, index) => {
    const day = today - DAYS_KEPT + 1 + index;
    const { failed, skipped } = exceptions.get(day) ?? { failed: 0, skipped: 0 };
    return gradeDay((runs.get(day) ?? 0) - skipped, failed);
  });
}

/** The runs that counted on each day of the clock; of a monitor only those from its first run on. */
export function runsOfDays(
  { runs, days }: MonitorClock,
  firstRun = 0,
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

/** The days of a monitor that were not whole, the oldest first, without that of `nowMs`; `checks`: the runs that included the monitor. */
export function exceptionalDaysOf(
  { firstRun, days }: MonitorRecord,
  clock: MonitorClock,
  nowMs: number,
) {
  if (days.length === 0) return [];
  const today = dayOfSlot(Math.max(toSlot(nowMs), clock.lastSlot));
  const runs = runsOfDays(clock, firstRun);
  return days
    .filter(({ day }) => day < today && day > today - DAYS_KEPT)
    .map((one) => ({ ...one, checks: runs.get(one.day) ?? 0 }));
}

/** Response times, whole milliseconds, of the last 24 clock hours; null if none is stored. Source: docs/monitors/uptime.md. */
export function responseOf({ response }: MonitorRecord, nowMs: number): readonly (number | null)[] {
  const firstHour = hourOfSlot(toSlot(nowMs)) - HOURS_KEPT + 1;
  return Array.from({ length: HOURS_KEPT }, (_, index) => {
    if (response === undefined) return null;
    const { hour, levels } = response;
    const ms = msOfLevel(levels.charAt(firstHour + index - (hour - levels.length + 1)));
    return ms === undefined ? null : Math.round(ms);
  });
}
