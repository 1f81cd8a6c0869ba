import * as z from "zod";
import {
  type AccuracyLedger,
  type MonthCounters,
  SHORT_RUNS,
  type ToldOutage,
} from "../../model/service/accuracy.ts";
import { SECOND_MS } from "../../model/time.ts";

const instant = z.int().min(0);
const count = z.int().min(0);

/**
 * Runs; minutes without data of all services and of the runner; comparisons, only in Moscow, only abroad; congested runs, which records
 * of before 2026-11-26 do not have.
 */
const counters = z.tuple([count, count, count, count, count, count], count).readonly();

/** What each bit of an outage's flags says. */
const FLAGS = [
  "isReported",
  "isSeenElsewhere",
  "isLookedAtElsewhere",
] as const satisfies readonly (keyof ToldOutage)[];

/** The record of how often we were wrong in the stored state. Most of it is lists of numbers, because it is kept for two years. */
export const ACCURACY_SCHEMA = z.strictObject({
  sinceMs: instant.nullable(),
  day: count,
  /** Number of the month, and its counters. */
  months: z.array(z.tuple([count, counters]).readonly()).readonly(),
  today: counters,
  /** Slug; told and ended, in seconds; runs; flags; last check, in milliseconds; surge, in seconds. */
  outages: z
    .array(
      z
        .tuple([
          z.string(),
          instant,
          instant.nullable(),
          z
            .int()
            .min(1)
            .max(SHORT_RUNS + 1),
          z
            .int()
            .min(0)
            .max(2 ** FLAGS.length - 1),
          instant.nullable(),
          instant.nullable(),
        ])
        .readonly(),
    )
    .readonly(),
});

export type AccuracyWire = z.infer<typeof ACCURACY_SCHEMA>;

/** What a state has that was written before there was a record. */
export const NO_ACCURACY_WIRE: AccuracyWire = {
  sinceMs: null,
  day: 0,
  months: [],
  today: [0, 0, 0, 0, 0, 0],
  outages: [],
};

export function toAccuracyWire(ledger: AccuracyLedger): AccuracyWire {
  const { sinceMs, day, months, today, outages } = ledger;
  return {
    sinceMs,
    day,
    months: months.map(({ month, ...rest }) => [month, packCounters(rest)]),
    today: packCounters(today),
    outages: outages.map((outage) => [
      outage.slug,
      outage.toldAtMs / SECOND_MS,
      toSeconds(outage.endedAtMs),
      outage.runs,
      FLAGS.reduce((bits, flag, at) => bits + (outage[flag] ? 2 ** at : 0), 0),
      outage.checkedAtMs,
      toSeconds(outage.surgedAtMs),
    ]),
  };
}

/** The inverse of `toAccuracyWire`. */
export function fromAccuracyWire(wire: AccuracyWire): AccuracyLedger {
  const { sinceMs, day, months, today, outages } = wire;
  return {
    sinceMs,
    day,
    months: months.map(([month, packed]) => ({ month, ...unpackCounters(packed) })),
    today: unpackCounters(today),
    outages: outages.map(([slug, told, ended, runs, bits, checkedAtMs, surged]) => {
      const has = (flag: (typeof FLAGS)[number]): boolean =>
        Math.floor(bits / 2 ** FLAGS.indexOf(flag)) % 2 === 1;
      return {
        slug,
        toldAtMs: told * SECOND_MS,
        endedAtMs: toMs(ended),
        runs,
        checkedAtMs,
        isReported: has("isReported"),
        isSeenElsewhere: has("isSeenElsewhere"),
        isLookedAtElsewhere: has("isLookedAtElsewhere"),
        surgedAtMs: toMs(surged),
      };
    }),
  };
}

function toSeconds(atMs: number | null): number | null {
  return atMs === null ? null : atMs / SECOND_MS;
}

function toMs(seconds: number | null): number | null {
  return seconds === null ? null : seconds * SECOND_MS;
}

type Packed = z.infer<typeof counters>;

function packCounters(one: MonthCounters): Packed {
  return [
    one.runs,
    one.serviceNoneMinutes,
    one.runnerNoneMinutes,
    one.compared,
    one.onlyMoscow,
    one.onlyAbroad,
    ...(one.congestedRuns === 0 ? [] : [one.congestedRuns]),
  ];
}

function unpackCounters(packed: Packed): MonthCounters {
  const [runs, serviceNoneMinutes, runnerNoneMinutes, compared, onlyMoscow, onlyAbroad] = packed;
  const [, , , , , , congestedRuns = 0] = packed;
  const none = { serviceNoneMinutes, runnerNoneMinutes };
  return { runs, congestedRuns, ...none, compared, onlyMoscow, onlyAbroad };
}
