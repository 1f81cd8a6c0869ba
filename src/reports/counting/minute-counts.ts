import type { Report, ReportCounts, ReportLedger } from "../../model/service/reports.ts";
import { MINUTE_MS } from "../../model/time.ts";
import { MINUTES_PER_DAY, MINUTES_PER_HOUR } from "./counts.ts";

/** Counted reports of one service, in typed arrays, which are cheap to pass between threads. */
export interface MinuteColumns {
  /** `floor(atMs / 1 min)`, ascending. */
  readonly minutes: Uint32Array;
  readonly accepted: Uint32Array;
}

/** The counted reports of a ledger, by slug. */
export type AcceptedReports = ReadonlyMap<string, MinuteColumns>;

/** The counts in a response to a report. */
export type AnswerCounts = Pick<ReportCounts, "hour" | "day">;

export function addCounts(a: AnswerCounts, b: AnswerCounts): AnswerCounts {
  return { hour: a.hour + b.hour, day: a.day + b.day };
}

export function acceptedOf({ services }: ReportLedger): AcceptedReports {
  return new Map(
    [...services].map(([slug, { minutes }]) => [
      slug,
      {
        minutes: Uint32Array.from(minutes, ([minute]) => minute),
        accepted: Uint32Array.from(minutes, ([, accepted]) => accepted),
      },
    ]),
  );
}

/** Reports of the last 60 and 1,440 minutes, including that of `nowMs`, as in `countsOf`. */
export function countColumns(columns: MinuteColumns | undefined, nowMs: number): AnswerCounts {
  const counts = { hour: 0, day: 0 };
  if (columns === undefined) return counts;
  const { minutes, accepted } = columns;
  for (let place = minutes.length - 1; place >= 0; place -= 1) {
    if (!addTo(counts, minutes[place] ?? 0, accepted[place] ?? 0, nowMs)) break;
  }
  return counts;
}

/** False if the minute is too long ago to count. */
function addTo(
  counts: { hour: number; day: number },
  minute: number,
  reports: number,
  nowMs: number,
): boolean {
  const age = Math.floor(nowMs / MINUTE_MS) - minute;
  if (age >= 0 && age < MINUTES_PER_DAY) counts.day += reports;
  if (age >= 0 && age < MINUTES_PER_HOUR) counts.hour += reports;
  return age < MINUTES_PER_DAY;
}

/** Numbers of reports by service and minute: its size depends on the minutes and not on the reports. */
export interface Tally {
  /** Adds a number at the service and minute of a report. */
  readonly add: (report: Pick<Report, "slug" | "atMs">, reports: number) => void;
  /** Subtracts a number at the service and minute of a report. If there are fewer, returns false and leaves 0. */
  readonly subtract: (report: Pick<Report, "slug" | "atMs">, reports: number) => boolean;
  readonly addAll: (other: Tally) => void;
  readonly clear: () => void;
  readonly count: (slug: string, nowMs: number) => AnswerCounts;
  readonly entries: () => Iterable<readonly [string, ReadonlyMap<number, number>]>;
}

export function createTally(): Tally {
  const services = new Map<string, Map<number, number>>();
  const change = (slug: string, minute: number, by: number): boolean => {
    const minutes = services.get(slug) ?? new Map<number, number>();
    services.set(slug, minutes);
    const reports = (minutes.get(minute) ?? 0) + by;
    if (reports > 0) minutes.set(minute, reports);
    else minutes.delete(minute);
    return reports >= 0;
  };
  return {
    add: ({ slug, atMs }, reports) => void change(slug, Math.floor(atMs / MINUTE_MS), reports),
    subtract: ({ slug, atMs }, reports) => change(slug, Math.floor(atMs / MINUTE_MS), -reports),
    addAll: (other) => {
      for (const [slug, minutes] of other.entries()) {
        for (const [minute, reports] of minutes) change(slug, minute, reports);
      }
    },
    clear: () => services.clear(),
    count: (slug, nowMs) => {
      const counts = { hour: 0, day: 0 };
      for (const [minute, reports] of services.get(slug) ?? [])
        addTo(counts, minute, reports, nowMs);
      return counts;
    },
    entries: () => services,
  };
}
