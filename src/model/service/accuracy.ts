import * as z from "zod";
import { VERDICT_CODES } from "../../contract/codes/verdict.ts";
import {
  codecOf,
  count,
  failureCode,
  instant,
  listOf,
  packedRow,
  seconds,
  type Stored,
} from "../stored-parts.ts";
import { SCOPES } from "./interference.ts";
import { UNUSUAL_OPERATORS } from "./reports.ts";

/** An outage that lasted for more runs than these is not short. */
export const SHORT_RUNS = 2;

/** What was known of an outage when it began, and while it lasted; src/contract/outages.ts describes the other fields. */
export const OUTAGE_ABOUT = packedRow({
  code: z.enum(VERDICT_CODES),
  /** Where it failed, by what was known last. */
  scope: z.enum(SCOPES),
  /** When a check found it first, in whole seconds. */
  sinceMs: seconds,
  /** What most endpoints had in the run in which most failed; null: no check failed. */
  cause: failureCode.nullable(),
  failing: count,
  counted: count,
  network: z.string().nullable(),
  /** Whose subscribers reported it more often than usual, by what was known last. Absent: of no operator. */
  operators: UNUSUAL_OPERATORS.optional(),
});

export type OutageAbout = Stored<typeof OUTAGE_ABOUT>;

/** What is noted of an outage, a bit each. */
const flags = codecOf(
  z.int().min(0).max(15),
  (bits) => ({
    /** A user reported the service from ten minutes before until the end. */
    isReported: (bits & 1) !== 0,
    /** Another place saw an endpoint of the service fail. */
    isSeenElsewhere: (bits & 2) !== 0,
    /** Another place was heard, so that it could have seen it. */
    isLookedAtElsewhere: (bits & 4) !== 0,
    /** It is over, and no check saw its end: there was a gap without runs, or its service left the catalogue. */
    isEndUnseen: (bits & 8) !== 0,
  }),
  ({ isReported, isSeenElsewhere, isLookedAtElsewhere, isEndUnseen }) =>
    +isReported + 2 * +isSeenElsewhere + 4 * +isLookedAtElsewhere + 8 * +isEndUnseen,
);

/** One outage that we told: from the first failing verdict until the verdict was no longer failing. Times are whole seconds. */
const TOLD_OUTAGE = codecOf(
  packedRow({
    slug: z.string(),
    /** When the verdict was published. */
    toldAtMs: seconds,
    /** Null: it lasts. */
    endedAtMs: seconds.nullable(),
    /** Runs that found it, at most `SHORT_RUNS + 1`, which also stands for an end that no run saw. */
    runs: z
      .int()
      .min(1)
      .max(SHORT_RUNS + 1),
    flags,
    /** Time of the last run that found it; only while it lasts. */
    checkedAtMs: instant.nullable(),
    /** When reports surged; null: they did not. */
    surgedAtMs: seconds.nullable(),
    /** What its page tells of it; null: an older version told it. */
    about: OUTAGE_ABOUT.optional(),
  }),
  ({ flags: are, about = null, ...one }) => ({ ...one, about, ...are }),
  ({ about, ...one }) => ({ ...one, flags: one, about: about ?? undefined }),
);

export type ToldOutage = Stored<typeof TOLD_OUTAGE>;

/** What the truth says of an outage that we told. `unclear`: the service was slow. */
export type Judgement = "right" | "false" | "unclear";

/** An outage with an address of its own, and what else is known of it. */
export interface OutageEntry extends Omit<ToldOutage, "about"> {
  /** `vtb.202611230258`: unique and permanent, because a relapse within 15 minutes continues an outage. */
  readonly id: string;
  readonly about: OutageAbout;
  /** What the truth says of it; null: nothing. */
  readonly judgement: Judgement | null;
  readonly corrections: readonly TruthEntry[];
  /** The ids of others that began with it, in the order in which they were told. */
  readonly together: readonly string[];
}

/** Whose outages a sum of past ones is about. */
export const PAST_OF = ["service", "category"] as const;

/** Days that a sum of past outages looks back. Source of both numbers: docs/open-data.md, "How long". */
export const MAX_PAST_DAYS = 90;
/** Fewer say nothing about how long the next one lasts. */
export const MIN_PAST_OUTAGES = 5;

/** The outages that ended in the days before a moment, and how long they lasted. Source: docs/open-data.md, "How long". */
export const PAST_OUTAGES = packedRow({
  /** Of all services of its category, if the service has too few of its own. */
  of: z.enum(PAST_OF),
  /** Whole days that were looked at. */
  days: count,
  count,
  medianMs: count,
  longestMs: count,
});

export type PastOutages = Stored<typeof PAST_OUTAGES>;

/** What is counted in a month without a list of its own; src/contract/accuracy.ts says what each number is. */
export const NOTHING_COUNTED = {
  runs: 0,
  /** In these neither `partial` nor `slow` was told. */
  congestedRuns: 0,
  serviceNoneMinutes: 0,
  runnerNoneMinutes: 0,
  compared: 0,
  onlyMoscow: 0,
  onlyAbroad: 0,
};

export type MonthCounters = Readonly<typeof NOTHING_COUNTED>;

/** Runs; minutes without data, of all services and of the runner; comparisons, by result; congested runs, if there were any. */
const counters = codecOf(
  z.tuple([count, count, count, count, count, count], count).readonly(),
  (stored): MonthCounters => {
    const [runs, serviceNoneMinutes, runnerNoneMinutes, compared, onlyMoscow, onlyAbroad] = stored;
    const none = { serviceNoneMinutes, runnerNoneMinutes };
    return { runs, congestedRuns: stored[6] ?? 0, ...none, compared, onlyMoscow, onlyAbroad };
  },
  (one) =>
    [
      one.runs,
      one.serviceNoneMinutes,
      one.runnerNoneMinutes,
      one.compared,
      one.onlyMoscow,
      one.onlyAbroad,
      ...(one.congestedRuns === 0 ? [] : [one.congestedRuns]),
    ] as const,
);

/** The counters of a month; `month` is the number of whole months since January 1970, in UTC. */
const accuracyMonth = codecOf(
  z.tuple([count, counters]).readonly(),
  ([month, rest]) => ({ month, ...rest }),
  ({ month, ...rest }) => [month, rest] as const,
);

export type AccuracyMonth = Stored<typeof accuracyMonth>;

/** What the state keeps to tell how often we were wrong. Most of it is lists of numbers, because it is kept for two years. */
export const ACCURACY = z.strictObject({
  /** From when on the list of outages is complete; null before the first run. */
  sinceMs: instant.nullable(),
  /** The UTC day that is being counted; days before it are over. */
  day: count,
  /** Up to the end of the day before, oldest first. A month without anything is absent. */
  months: listOf(accuracyMonth),
  /** Of `day`. */
  today: counters,
  /** In the order in which they were told. */
  outages: listOf(TOLD_OUTAGE),
});

export type AccuracyLedger = Stored<typeof ACCURACY>;

/** Before the first run. */
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

/** `YYYY-MM` of a month by its number. */
export function nameOfMonth(month: number): string {
  return new Date(startOfMonth(month)).toISOString().slice(0, "YYYY-MM".length);
}

/** The beginning of a month by its number. */
export function startOfMonth(month: number): number {
  return Date.UTC(1970 + Math.floor(month / 12), month % 12, 1);
}
