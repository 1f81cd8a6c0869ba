import * as z from "zod";
import {
  type AccuracyLedger,
  type MonthCounters,
  TOLD_OUTAGE,
} from "../../model/service/accuracy.ts";
import { codecOf, count, instant, listOf } from "../../model/stored-parts.ts";

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
  outages: listOf(TOLD_OUTAGE),
});
