import {
  type AccuracyMonth,
  type MonthCounters,
  NOTHING_COUNTED,
} from "../../model/service/accuracy.ts";

/** The sum of two rows of counters. */
export function addCounters(one: MonthCounters, other: Partial<MonthCounters>): MonthCounters {
  return {
    runs: one.runs + (other.runs ?? 0),
    congestedRuns: one.congestedRuns + (other.congestedRuns ?? 0),
    serviceNoneMinutes: one.serviceNoneMinutes + (other.serviceNoneMinutes ?? 0),
    runnerNoneMinutes: one.runnerNoneMinutes + (other.runnerNoneMinutes ?? 0),
    compared: one.compared + (other.compared ?? 0),
    onlyMoscow: one.onlyMoscow + (other.onlyMoscow ?? 0),
    onlyAbroad: one.onlyAbroad + (other.onlyAbroad ?? 0),
  };
}

/** The months with counters added to one of them. A month without anything is left out. */
export function addToMonth(
  months: readonly AccuracyMonth[],
  month: number,
  counters: Partial<MonthCounters>,
): readonly AccuracyMonth[] {
  if (Object.values(counters).every((count) => count === 0)) return months;
  const before = months.find((one) => one.month === month) ?? NOTHING_COUNTED;
  const others = months.filter((one) => one.month !== month);
  const sum = { month, ...addCounters(before, counters) };
  return [...others, sum].toSorted((a, b) => a.month - b.month);
}
