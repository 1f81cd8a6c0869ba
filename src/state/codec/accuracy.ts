import * as z from "zod";
import {
  type AccuracyLedger,
  type MonthCounters,
  OUTAGE_ABOUT,
  SHORT_RUNS,
  type ToldOutage,
} from "../../model/service/accuracy.ts";
import { codecOf, count, instant, listOf, packedRow, seconds } from "../../model/stored-parts.ts";

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

const FLAGS = ["isReported", "isSeenElsewhere", "isLookedAtElsewhere", "isEndUnseen"] as const;

type Flags = Pick<ToldOutage, (typeof FLAGS)[number]>;

const flags = codecOf(
  z
    .int()
    .min(0)
    .max(2 ** FLAGS.length - 1),
  (bits) => Object.fromEntries(FLAGS.map((flag, at) => [flag, (bits & (2 ** at)) !== 0])) as Flags,
  (are: Flags) => FLAGS.reduce((bits, flag, at) => bits + (are[flag] ? 2 ** at : 0), 0),
);

const outage = codecOf(
  packedRow({
    slug: z.string(),
    toldAtMs: seconds,
    endedAtMs: seconds.nullable(),
    runs: z
      .int()
      .min(1)
      .max(SHORT_RUNS + 1),
    flags,
    checkedAtMs: instant.nullable(),
    surgedAtMs: seconds.nullable(),
    about: OUTAGE_ABOUT.optional(),
  }),
  ({ flags: are, about = null, ...one }): ToldOutage => ({ ...one, about, ...are }),
  ({ about, ...one }) => ({
    ...one,
    flags: one,
    about: about === null ? undefined : { ...about, operators: about.operators },
  }),
);

const month = codecOf(
  z.tuple([count, counters]).readonly(),
  ([month, rest]): AccuracyLedger["months"][number] => ({ month, ...rest }),
  ({ month, ...rest }) => [month, rest] as const,
);

/** The record of how often we were wrong. Most of it is lists of numbers, because it is kept for two years. */
export const ACCURACY = z.strictObject({
  sinceMs: instant.nullable(),
  day: count,
  months: listOf(month),
  today: counters,
  outages: listOf(outage),
});
