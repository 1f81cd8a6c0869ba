import { DAY_MS, dateOfDay } from "../../model/time.ts";

/** `YYYY-MM` of a day `YYYY-MM-DD`. */
export function monthOf(date: string): string {
  return date.slice(0, "YYYY-MM".length);
}

/** The UTC day of `YYYY-MM-DD`. */
export function dayOfDate(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / DAY_MS;
}

/** Whether a month is over by the beginning of a day. */
export function isMonthOver(month: string, day: number): boolean {
  return monthOf(dateOfDay(day)) > month;
}

/** Whether a day or month, `YYYY-MM-DD` or `YYYY-MM`, ended more than so many days before the beginning of a day. */
export function isOlderThan(date: string, days: number, today: number): boolean {
  const isMonth = date.length === "YYYY-MM".length;
  const first = dayOfDate(isMonth ? `${date}-01` : date);
  // A month is as old as its last day; the first of the next one is 28 to 31 days later.
  const end = isMonth ? dayOfDate(`${monthOf(dateOfDay(first + 31))}-01`) : first + 1;
  return today - end >= days;
}
