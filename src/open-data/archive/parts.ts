import type { ArchiveMonth, ArchivePart, ArchiveState } from "../../model/service/archive.ts";
import { DAY_MS, dateOfDay } from "../../model/time.ts";

/* Which days and months the archive has. */

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

/** The days of closed months, oldest first. */
export function closedDates({ months }: Pick<ArchiveState, "months">): readonly string[] {
  return months.flatMap(({ date, closedDays = [] }) => closedDays.map((day) => `${date}-${day}`));
}

/** Months whose days may leave the state: all but the newest and the one before, so that the website shows a week without a request. */
export function monthsToClose({ days, months }: ArchiveState): readonly ArchiveMonth[] {
  const newest = days.at(-1);
  if (newest === undefined) return [];
  const lastOpen = monthOf(dateOfDay(dayOfDate(`${monthOf(newest.date)}-01`) - 1));
  const withDays = new Set(days.map(({ date }) => monthOf(date)));
  return months.filter(
    ({ date, closedDays }) => closedDays === undefined && date < lastOpen && withDays.has(date),
  );
}

/** Both archives. Of a part that both have the known one stays, except that a closed month wins. Another run may have sealed meanwhile. */
export function mergeArchive(known: ArchiveState, more: ArchiveState): ArchiveState {
  const all = [...more.months, ...known.months];
  const months = byDate([...all, ...all.filter(({ closedDays }) => closedDays !== undefined)]);
  const closed = new Set(closedDates({ months }));
  const days = byDate([...more.days, ...known.days]).filter(({ date }) => !closed.has(date));
  return { days, months, sealedDay: more.sealedDay };
}

/** One part of each date, the last, oldest first. */
function byDate<Part extends ArchivePart>(parts: readonly Part[]): readonly Part[] {
  const known = new Map(parts.map((part) => [part.date, part]));
  return [...known.values()].toSorted((a, b) => (a.date < b.date ? -1 : 1));
}

/** The archive without what is older than it is kept. */
export function keepNewest(
  archive: ArchiveState,
  keptDays: number | undefined,
  today: number,
): ArchiveState {
  if (keptDays === undefined) return archive;
  const isKept = (date: string): boolean => !isOlderThan(date, keptDays, today);
  const months = archive.months.filter(({ date }) => isKept(date));
  return {
    ...archive,
    days: archive.days.filter(({ date }) => isKept(date)),
    months: months.map(({ closedDays, ...month }) =>
      closedDays === undefined
        ? month
        : { ...month, closedDays: closedDays.filter((day) => isKept(`${month.date}-${day}`)) },
    ),
  };
}
