import type { UptimeCount, UptimeWindow } from "../../model/monitor/monitor.ts";
import type { MonitorClock, MonitorRecord } from "../../model/monitor/uptime.ts";
import { dayOfSlot, SLOTS_PER_DAY, toSlot } from "./time-slots.ts";

const DAYS_OF: Readonly<Record<Exclude<UptimeWindow, "24h">, number>> = {
  "7d": 7,
  "30d": 30,
  "90d": 90,
};

interface Sums {
  readonly failed: number;
  readonly skipped: number;
}

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

function countDay(record: MonitorRecord, clock: MonitorClock, firstSlot: number): UptimeCount {
  const { runs, recentSlots } = clock;
  const before = countBelow(recentSlots.length, (index) => (recentSlots[index] ?? 0) < firstSlot);
  const firstRun = Math.max(runs - recentSlots.length + before + 1, record.firstRun);
  return settle(runs - firstRun + 1, sumMarks(record, firstRun));
}

function countDays(record: MonitorRecord, clock: MonitorClock, firstDay: number): UptimeCount {
  const { runs, days } = clock;
  const before = countBelow(days.length, (index) => (days[index]?.[0] ?? 0) < firstDay);
  const firstRun = Math.max(days[before]?.[1] ?? runs + 1, record.firstRun);
  return settle(runs - firstRun + 1, sumDays(record, firstDay));
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

function sumMarks({ marks, marksEnd }: MonitorRecord, firstRun: number): Sums {
  let failed = 0;
  let skipped = 0;
  const firstMark = marksEnd - marks.length + 1;
  for (let index = Math.max(0, firstRun - firstMark); index < marks.length; index += 1) {
    if (marks[index] === "f") failed += 1;
    else if (marks[index] === "s") skipped += 1;
  }
  return { failed, skipped };
}

function sumDays({ days }: MonitorRecord, firstDay: number): Sums {
  let failed = 0;
  let skipped = 0;
  for (const entry of days) {
    if (entry.day < firstDay) continue;
    failed += entry.failed;
    skipped += entry.skipped;
  }
  return { failed, skipped };
}

/** Needed only if record and clock come from different states. */
function settle(runs: number, { failed, skipped }: Sums): UptimeCount {
  const decided = Math.max(0, runs - skipped);
  return { decided, healthy: Math.max(0, decided - failed) };
}
