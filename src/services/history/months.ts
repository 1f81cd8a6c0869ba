import {
  CHECK_CLASSES,
  type DayCounts,
  MAX_MONTHS,
  type MonthCounts,
  type ServiceHistory,
} from "../../model/service/history.ts";
import { toUtcMonth } from "../../model/service/accuracy.ts";
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
    byMonth.set(month, {
      month,
      checks: checks + counts.reduce((sum, count) => sum + count, 0),
      down: down + counts.reduce((sum, count, rank) => sum + (isDownAt(rank) ? count : 0), 0),
    });
  }
  const newest = Math.max(...byMonth.keys());
  return [...byMonth.values()]
    .filter(({ month }) => month > newest - MAX_MONTHS)
    .toSorted((a, b) => a.month - b.month);
}

function isDownAt(rank: number): boolean {
  return isDown(CHECK_CLASSES[rank] ?? "up");
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
