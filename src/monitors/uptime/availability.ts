import { isRefusal } from "../../model/failures.ts";
import type { UptimeCount, UptimeWindow } from "../../model/monitor/monitor.ts";
import type { MonitorClock, MonitorRecord } from "../../model/monitor/uptime.ts";
import { dayOfSlot, SLOTS_PER_DAY, toSlot } from "./time-slots.ts";

const DAYS_OF: Readonly<Record<Exclude<UptimeWindow, "24h">, number>> = {
  "7d": 7,
  "30d": 30,
  "90d": 90,
};

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
    : countDays(record, clock, dayOfSlot(nowSlot) - DAYS_OF[window] + 1);
}

/** The counts of all windows. */
export function uptimesOf(
  record: MonitorRecord | undefined,
  clock: MonitorClock,
  nowMs: number,
): Readonly<Record<UptimeWindow, UptimeCount>> {
  const count = (window: UptimeWindow) => uptimeOf(record, clock, window, nowMs);
  return { "24h": count("24h"), "7d": count("7d"), "30d": count("30d"), "90d": count("90d") };
}

function countDay(record: MonitorRecord, clock: MonitorClock, firstSlot: number): UptimeCount {
  const { runs, recentSlots } = clock;
  const before = countBelow(recentSlots.length, (index) => (recentSlots[index] ?? 0) < firstSlot);
  const firstRun = Math.max(runs - recentSlots.length + before + 1, record.firstRun);
  const { marks, marksEnd } = record;
  const kept = marks.slice(Math.max(0, firstRun - (marksEnd - marks.length + 1)));
  const countOf = (mark: string): number => kept.split(mark).length - 1;
  return settle(runs - firstRun + 1, countOf("f"), countOf("s"));
}

function countDays(record: MonitorRecord, clock: MonitorClock, firstDay: number): UptimeCount {
  const { runs, days } = clock;
  const before = countBelow(days.length, (index) => (days[index]?.[0] ?? 0) < firstDay);
  const firstRun = Math.max(days[before]?.[1] ?? runs + 1, record.firstRun);
  let [failed, skipped] = [0, 0];
  for (const entry of record.days) {
    if (entry.day < firstDay) continue;
    failed += entry.failed;
    skipped += entry.skipped;
  }
  return settle(runs - firstRun + 1, failed, skipped);
}

/** How many of the first `length` places are below, if those with checks come first. */
function countBelow(length: number, isBelow: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBelow(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
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
export function wasHealthy(
  record: MonitorRecord | undefined,
  clock: MonitorClock,
  nowMs: number,
): boolean {
  if (record === undefined) return false;
  const { state, code } = record;
  if (state === "healthy") return true;
  // A refusal of a monitor that was never healthy has a condition of its own.
  if (state === "failing" && code !== undefined && isRefusal(code)) return true;
  return uptimeOf(record, clock, "90d", nowMs).healthy > 0;
}
