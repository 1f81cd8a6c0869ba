import { isRefusal } from "../../model/failures.ts";
import { firstIndexWhere } from "../../model/lists.ts";
import {
  byWindow,
  type UptimeCount,
  type UptimeWindow,
  WINDOW_DAYS,
} from "../../model/monitor/monitor.ts";
import type { MonitorClock, MonitorRecord } from "../../model/monitor/uptime.ts";
import { msOfLevel } from "../../model/response-level.ts";
import { HISTORY_DAYS } from "../../model/time.ts";
import { dayOfSlot, hourOfSlot, HOURS_KEPT, SLOTS_PER_DAY, toSlot } from "./time-slots.ts";

/**
 * Decided and healthy checks of a monitor in a window that ends at `nowMs`. `24h` is the last 288 slots; the others are the current
 * UTC day and the previous ones, 7, 30 or 90 in all. A time before the last counted run is replaced by that of the run, because
 * part of its own window may be forgotten. Without a record: 0 of 0. Exact once the journal is applied to the shard. Source:
 * docs/monitors/uptime.md.
 */
export function uptimeOf(
  record: MonitorRecord | undefined,
  clock: MonitorClock,
  window: UptimeWindow,
  nowMs: number,
): UptimeCount {
  if (record === undefined) return { decided: 0, healthy: 0 };
  const nowSlot = Math.max(toSlot(nowMs), clock.lastSlot);
  return window === "24h"
    ? countDay(record, clock, nowSlot - SLOTS_PER_DAY + 1)
    : countDays(record, clock, dayOfSlot(nowSlot) - WINDOW_DAYS[window] + 1);
}

/** The counts of all windows. */
export function uptimesOf(record: MonitorRecord | undefined, clock: MonitorClock, nowMs: number) {
  return byWindow((window) => uptimeOf(record, clock, window, nowMs));
}

function countDay(record: MonitorRecord, clock: MonitorClock, firstSlot: number): UptimeCount {
  const { runs, recentSlots } = clock;
  const isInWindow = (index: number): boolean => (recentSlots[index] ?? 0) >= firstSlot;
  const before = firstIndexWhere(recentSlots.length, isInWindow);
  const firstRun = Math.max(runs - recentSlots.length + before + 1, record.firstRun);
  const { marks, marksEnd } = record;
  const kept = marks.slice(Math.max(0, firstRun - (marksEnd - marks.length + 1)));
  const countOf = (mark: string): number => kept.split(mark).length - 1;
  return settle(runs - firstRun + 1, countOf("f"), countOf("s"));
}

function countDays(record: MonitorRecord, clock: MonitorClock, firstDay: number): UptimeCount {
  const { runs, days } = clock;
  const before = firstIndexWhere(days.length, (index) => (days[index]?.[0] ?? 0) >= firstDay);
  const firstRun = Math.max(days[before]?.[1] ?? runs + 1, record.firstRun);
  let [failed, skipped] = [0, 0];
  for (const entry of record.days) {
    if (entry.day < firstDay) continue;
    failed += entry.failed;
    skipped += entry.skipped;
  }
  return settle(runs - firstRun + 1, failed, skipped);
}

/** Needed only if record and clock come from different states. */
function settle(runs: number, failed: number, skipped: number): UptimeCount {
  const decided = Math.max(0, runs - skipped);
  return { decided, healthy: Math.max(0, decided - failed) };
}

/**
 * Whether a monitor was ever healthy, as far as its record remembers: in the last 90 UTC days including that of `nowMs`, or before
 * that if refusals have counted as failing since. Other failures are not remembered for longer. Source: docs/monitors/uptime.md,
 * "Refusals".
 */
export function wasHealthy(record: MonitorRecord | undefined, clock: MonitorClock, nowMs: number) {
  if (record === undefined) return false;
  const { state, code } = record;
  if (state === "healthy") return true;
  // A refusal of a monitor that was never healthy has a condition of its own.
  if (state === "failing" && code !== undefined && isRefusal(code)) return true;
  return uptimeOf(record, clock, "90d", nowMs).healthy > 0;
}

/** From this share of failed checks on, a day is major. Source: docs/monitors/uptime.md, "On the page". */
const MAJOR_SHARE = 0.05;

/** How bad one day was: no failed check, less than a twentieth of the decided ones, or more. */
export type DayGrade = "whole" | "minor" | "major";

/** The last 90 UTC days of a monitor up to `nowMs`, or the last counted run; null without a decided check. See `uptimeOf`. */
export function uptimeDaysOf(record: MonitorRecord, clock: MonitorClock, nowMs: number) {
  const today = dayOfSlot(Math.max(toSlot(nowMs), clock.lastSlot));
  const exceptions = new Map(record.days.map((day) => [day.day, day]));
  const runs = runsOfDays(clock, record.firstRun);
  return Array.from({ length: HISTORY_DAYS }, (_, index) => {
    const day = today - HISTORY_DAYS + 1 + index;
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
    .filter(({ day }) => day < today && day > today - HISTORY_DAYS)
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
