import * as z from "zod";
import {
  type AccuracyLedger,
  type MonthCounters,
  SHORT_RUNS,
  type ToldOutage,
} from "../../model/service/accuracy.ts";
import { SECOND_MS } from "../../model/time.ts";
import { codecOf, count, instant } from "./parts.ts";

/**
 * Runs; minutes without data of all services and of the runner; comparisons, only in Moscow, only abroad; congested runs, if there
 * were any.
 */
const counters = codecOf(
  z.tuple([count, count, count, count, count, count], count).readonly(),
  (stored): MonthCounters => {
    const [runs, serviceNoneMinutes, runnerNoneMinutes, compared, onlyMoscow, onlyAbroad] = stored;
    const [, , , , , , congestedRuns = 0] = stored;
    const none = { serviceNoneMinutes, runnerNoneMinutes };
    return { runs, congestedRuns, ...none, compared, onlyMoscow, onlyAbroad };
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

/** A time in whole seconds, or null. */
const seconds = codecOf(
  instant.nullable(),
  (at): number | null => (at === null ? null : at * SECOND_MS),
  (atMs) => (atMs === null ? null : atMs / SECOND_MS),
);

/** What each bit of an outage's flags says. */
const FLAGS = [
  "isReported",
  "isSeenElsewhere",
  "isLookedAtElsewhere",
] as const satisfies readonly (keyof ToldOutage)[];

/** Slug; told and ended, in seconds; runs; flags; last check, in milliseconds; surge, in seconds. */
const outage = codecOf(
  z
    .tuple([
      z.string(),
      instant,
      seconds,
      z
        .int()
        .min(1)
        .max(SHORT_RUNS + 1),
      z
        .int()
        .min(0)
        .max(2 ** FLAGS.length - 1),
      instant.nullable(),
      seconds,
    ])
    .readonly(),
  ([slug, told, endedAtMs, runs, bits, checkedAtMs, surgedAtMs]): ToldOutage => {
    const has = (flag: (typeof FLAGS)[number]): boolean =>
      Math.floor(bits / 2 ** FLAGS.indexOf(flag)) % 2 === 1;
    return {
      slug,
      toldAtMs: told * SECOND_MS,
      endedAtMs,
      runs,
      checkedAtMs,
      isReported: has("isReported"),
      isSeenElsewhere: has("isSeenElsewhere"),
      isLookedAtElsewhere: has("isLookedAtElsewhere"),
      surgedAtMs,
    };
  },
  (one) =>
    [
      one.slug,
      one.toldAtMs / SECOND_MS,
      one.endedAtMs,
      one.runs,
      FLAGS.reduce((bits, flag, at) => bits + (one[flag] ? 2 ** at : 0), 0),
      one.checkedAtMs,
      one.surgedAtMs,
    ] as const,
);

/** The month, then its counters. */
const month = codecOf(
  z.tuple([count, counters]).readonly(),
  ([month, rest]): AccuracyLedger["months"][number] => ({ month, ...rest }),
  ({ month, ...rest }) => [month, rest] as const,
);

/** The record of how often we were wrong. Most of it is lists of numbers, because it is kept for two years. */
export const ACCURACY = z.strictObject({
  sinceMs: instant.nullable(),
  day: count,
  months: z.array(month).readonly(),
  today: counters,
  outages: z.array(outage).readonly(),
});
