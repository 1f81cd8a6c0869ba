import {
  CHECK_CLASSES,
  type DayCounts,
  MAX_MONTHS,
  type MonthCounts,
  type ServiceHistory,
} from "../../model/service/history.ts";
import { toUtcMonth } from "../../model/service/accuracy.ts";
import { sumOf } from "../../model/lists.ts";
import { DAY_MS, toUtcDay } from "../../model/time.ts";
import { isDown } from "./episodes.ts";

/** The months with the checks of further days, oldest first, without those that are too old. */
export function addToMonths(
  months: readonly MonthCounts[],
  days: readonly DayCounts[],
): readonly MonthCounts[] {
  const byMonth = new Map(months.map((one) => [one.month, one]));
  for (const { day, counts } of days) {
    const month = toUtcMonth(day * DAY_MS);
    const { checks, down } = byMonth.get(month) ?? { checks: 0, down: 0 };
    byMonth.set(month, { month, checks: checks + sumOf(counts), down: down + downIn(counts) });
  }
  const newest = Math.max(...byMonth.keys());
  return [...byMonth.values()]
    .filter(({ month }) => month > newest - MAX_MONTHS)
    .toSorted((a, b) => a.month - b.month);
}

/** Checks in which a critical endpoint failed, of counts in the order of `CHECK_CLASSES`. */
export function downIn(counts: DayCounts["counts"]): number {
  return sumOf(counts.filter((_, rank) => isDown(CHECK_CLASSES[rank] ?? "up")));
}

/** The checks of a service by month, of all days that have ended, oldest first. A month without any check is absent. */
export function monthsOfService(
  record: Pick<ServiceHistory, "days" | "months"> | undefined,
  nowMs: number,
): readonly MonthCounts[] {
  if (record === undefined) return [];
  const ended = record.days.filter(({ day }) => day < toUtcDay(nowMs));
  return ended.length === 0 ? (record.months ?? []) : addToMonths(record.months ?? [], ended);
}
