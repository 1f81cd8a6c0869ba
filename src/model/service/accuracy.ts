/** An outage that lasted for more runs than these is not short. */
export const SHORT_RUNS = 2;

/** One outage that we told: from the first failing verdict until the verdict was no longer failing. Times are whole seconds. */
export interface ToldOutage {
  readonly slug: string;
  /** When the verdict was published. */
  readonly toldAtMs: number;
  /** Null: it lasts. */
  readonly endedAtMs: number | null;
  /** Runs that found it, at most `SHORT_RUNS + 1`, which also stands for an end that no run saw. */
  readonly runs: number;
  /** Time of the last run that found it; only while it lasts. */
  readonly checkedAtMs: number | null;
  /** A user reported the service from ten minutes before until the end. */
  readonly isReported: boolean;
  /** Another place saw an endpoint of the service fail. */
  readonly isSeenElsewhere: boolean;
  /** Another place was heard, so that it could have seen it. */
  readonly isLookedAtElsewhere: boolean;
  /** When reports surged; null: they did not. */
  readonly surgedAtMs: number | null;
}

/** What is counted in a month without a list of its own. */
export interface MonthCounters {
  /** Valid runs. */
  readonly runs: number;
  /** Those of them in which the runner was slow itself, so that `partial` and `slow` were not told. */
  readonly congestedRuns: number;
  /** Minutes in which a service had no recent check, of all services together. */
  readonly serviceNoneMinutes: number;
  /** Minutes in which there was no recent run at all. */
  readonly runnerNoneMinutes: number;
  /** Services, in each run, that could be compared with places abroad. */
  readonly compared: number;
  /** Those of them that failed in Moscow and worked abroad. */
  readonly onlyMoscow: number;
  /** Those of them that worked in Moscow and failed abroad. */
  readonly onlyAbroad: number;
}

export const NOTHING_COUNTED: MonthCounters = {
  runs: 0,
  congestedRuns: 0,
  serviceNoneMinutes: 0,
  runnerNoneMinutes: 0,
  compared: 0,
  onlyMoscow: 0,
  onlyAbroad: 0,
};

/** The counters of a month; `month` is the number of whole months since January 1970, in UTC. */
export interface AccuracyMonth extends MonthCounters {
  readonly month: number;
}

/** What the state keeps to tell how often we were wrong. */
export interface AccuracyLedger {
  /** From when on the list of outages is complete; null before the first run. */
  readonly sinceMs: number | null;
  /** The UTC day that is being counted; days before it are over. */
  readonly day: number;
  /** Up to the end of the day before, oldest first. A month without anything is absent. */
  readonly months: readonly AccuracyMonth[];
  /** Of `day`. */
  readonly today: MonthCounters;
  /** In the order in which they were told. */
  readonly outages: readonly ToldOutage[];
}

export const NO_ACCURACY: AccuracyLedger = {
  sinceMs: null,
  day: 0,
  months: [],
  today: NOTHING_COUNTED,
  outages: [],
};

/** What is known of a service from elsewhere. Source: docs/open-data.md, "The truth". */
export const TRUTH_KINDS = ["outage", "blocked", "slow", "worked"] as const;
export type TruthKind = (typeof TRUTH_KINDS)[number];

/** An entry of `truth.yaml`. */
export interface TruthEntry {
  readonly slug: string;
  readonly fromMs: number;
  /** Null: it lasts. */
  readonly toMs: number | null;
  readonly what: TruthKind;
  readonly source: string;
}

/** The months that are kept, the current one included. */
export const ACCURACY_MONTHS = 24;

/** The number of a month, as in `AccuracyMonth`. */
export function toUtcMonth(atMs: number): number {
  const at = new Date(atMs);
  return (at.getUTCFullYear() - 1970) * 12 + at.getUTCMonth();
}

/** The beginning of a month by its number. */
export function startOfMonth(month: number): number {
  return Date.UTC(1970 + Math.floor(month / 12), month % 12, 1);
}

/** How long we took, of so many outages. Whole seconds; null without any. */
export interface Delay {
  readonly count: number;
  readonly medianSeconds: number | null;
  readonly p90Seconds: number | null;
}

/** How often we were wrong in a month. */
export interface MonthAccuracy extends MonthCounters {
  /** As in `AccuracyMonth`. */
  readonly month: number;
  /** That we told and that began in it. */
  readonly outages: number;
  /** Those of them that were over after two runs; nothing is known of those that last. */
  readonly short: number;
  /** Short ones that a user reported. */
  readonly shortReported: number;
  /** Short ones that another place saw. */
  readonly shortSeenElsewhere: number;
  /** Short ones at which another place looked. */
  readonly shortLookedAtElsewhere: number;
  /** Short ones without a report, without another place that saw them, and without an entry of the truth. */
  readonly falseSuspected: number;
  /** The truth says that the service worked. */
  readonly falseConfirmed: number;
  /** The truth says that it did not. */
  readonly rightConfirmed: number;
  /** Outages in which reports surged. */
  readonly surged: number;
  /** Those of them that surged ten minutes or more before our verdict. */
  readonly lateSuspected: number;
  /** Outages of the truth that began in it. */
  readonly truthOutages: number;
  /** Those of them that we did not tell. */
  readonly missed: number;
  /** From the beginning by the truth to our verdict; 0 if we told it before. */
  readonly delayByTruth: Delay;
  /** From the surge of reports to our verdict; negative if we told it before. */
  readonly delayByReports: Delay;
}

export interface AccuracyReport {
  /** Null before the first run. */
  readonly sinceMs: number | null;
  /** The end of the last day that is counted. */
  readonly untilMs: number;
  readonly truthEntries: number;
  /** Newest first; the months in which no day is over are left out. */
  readonly months: readonly MonthAccuracy[];
}
