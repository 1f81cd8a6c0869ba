import { sumOf } from "../../model/lists.ts";
import type { HourRow } from "../../model/service/reports.ts";
import { DAY_MS, HOUR_MS } from "../../model/time.ts";

/** Days before today in the baseline. */
const BASELINE_DAYS = 28;
/** Days of 28 with the most reports, which may be undetected outages and are left out; in proportion, rounded up, of fewer days. */
const TRIMMED_DAYS = 3;
const PSEUDO_HOURS = 4;
export const WINDOWS_PER_HOUR = 4;
/** Expected reports of a service that has almost none. */
const MIN_MEAN = 0.05;
export const SLOTS_PER_HOUR = 12;
export const HOURS_PER_DAY = 24;

/** Hours to keep: 28 days before the previous hour. */
export const BASELINE_HOURS: number = BASELINE_DAYS * HOURS_PER_DAY + 1;

/** From this age on, a service is compared with its own history. */
export const COLD_START_MS: number = 7 * DAY_MS;

/**
 * Reports expected in 15 minutes of this hour, at least 0.05: the trimmed mean of the same hour of the day and its two neighbours
 * over the last 28 days, shrunk towards the daily mean with the weight of four hours.
 *
 * `rowOf` gives the row of an hour, if there is one; hours before `firstHour` are unknown. Steps of whole days keep the hour of the
 * day in Moscow (UTC+3 all year), as in every zone without daylight saving time.
 */
export function expectedReports(
  rowOf: (hour: number) => HourRow | undefined,
  firstHour: number,
  nowHour: number,
): number {
  const days = daysBefore(firstHour, nowHour);
  const sum = (from: number, to: number) => addUp(rowOf, Math.max(from, firstHour), to);
  const seasonal = trim(days.map((hour) => sum(hour - 1, hour + 1)));
  const daily = trim(days.map((hour) => sum(hour, hour + HOURS_PER_DAY - 1)));
  const perHour = daily.hours === 0 ? 0 : daily.reports / daily.hours;
  const mean = (seasonal.reports + PSEUDO_HOURS * perHour) / (seasonal.hours + PSEUDO_HOURS);
  return Math.max(MIN_MEAN, mean / WINDOWS_PER_HOUR);
}

/** The same hour of each known day. */
function daysBefore(firstHour: number, nowHour: number): readonly number[] {
  return Array.from(
    { length: BASELINE_DAYS },
    (_, day) => nowHour - (day + 1) * HOURS_PER_DAY,
  ).filter((hour) => hour + 1 >= firstHour);
}

/** The reports of these hours, and how many of the hours were evaluated, in twelfths. */
function addUp(rowOf: (hour: number) => HourRow | undefined, from: number, to: number) {
  let reports = 0;
  let slots = 0;
  for (let hour = from; hour <= to; hour += 1) {
    const row = rowOf(hour);
    reports += row?.[1] ?? 0;
    slots += SLOTS_PER_HOUR - (row?.[2] ?? 0);
  }
  return { reports, hours: slots / SLOTS_PER_HOUR };
}

/** The sum without the days of the highest rates. */
function trim(days: readonly ReturnType<typeof addUp>[]) {
  const known = days.filter(({ hours }) => hours > 0);
  const trimmed = Math.ceil((known.length * TRIMMED_DAYS) / BASELINE_DAYS);
  const kept = known
    .toSorted((a, b) => a.reports / a.hours - b.reports / b.hours)
    .slice(0, known.length - trimmed);
  return {
    reports: sumOf(kept.map(({ reports }) => reports)),
    hours: sumOf(kept.map(({ hours }) => hours)),
  };
}

/** Number of the hour since the epoch. */
export function hourOf(atMs: number): number {
  return Math.floor(atMs / HOUR_MS);
}
