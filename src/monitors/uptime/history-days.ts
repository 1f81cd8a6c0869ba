import type { MonitorClock, MonitorRecord } from "../../model/monitor/uptime.ts";
import { DAYS_KEPT, dayOfSlot, toSlot } from "./time-slots.ts";

/** A UTC day on which a check of a monitor failed or was left out. */
export interface ExceptionalDay {
  readonly day: number;
  /** Runs that included the monitor. */
  readonly checks: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The runs that counted on each day of the clock. */
export function runsOfDays({ runs, days }: MonitorClock): ReadonlyMap<number, number> {
  return new Map(
    days.map(([day, first], place) => [day, (days[place + 1]?.[1] ?? runs + 1) - first]),
  );
}

/** The days of a monitor that were not whole, the oldest first, without the day of `nowMs`: it has not ended. */
export function exceptionalDaysOf(
  { firstRun, days }: MonitorRecord,
  clock: MonitorClock,
  nowMs: number,
): readonly ExceptionalDay[] {
  if (days.length === 0) return [];
  const today = dayOfSlot(Math.max(toSlot(nowMs), clock.lastSlot));
  const firstRuns = new Map(clock.days);
  const runs = runsOfDays(clock);
  return days
    .filter(({ day }) => day < today && day > today - DAYS_KEPT)
    .map(({ day, failed, skipped }) => {
      const before = Math.max(0, firstRun - (firstRuns.get(day) ?? firstRun));
      return { day, checks: Math.max(0, (runs.get(day) ?? 0) - before), failed, skipped };
    });
}
