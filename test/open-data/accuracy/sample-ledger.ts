import {
  type AccuracyLedger,
  type MonthCounters,
  NOTHING_COUNTED,
  type OutageAbout,
  type ToldOutage,
  type TruthEntry,
} from "../../../src/model/service/accuracy.ts";
import { MINUTE_MS, toUtcDay } from "../../../src/model/time.ts";

/** An instant of these samples: `2026-11-20T10:05`. */
export function at(text: string): number {
  return Date.parse(`${text}:00Z`);
}

/** What is known of an outage that a third of the endpoints had. */
export const ABOUT: OutageAbout = {
  code: "fail",
  scope: "russia",
  sinceMs: at("2026-11-02T14:55"),
  cause: "tls-reset",
  failing: 1,
  counted: 3,
  network: null,
};

/** By default short, over after five minutes, and unnoticed. */
export function outageAt(
  slug: string,
  text: string,
  changes: Partial<ToldOutage> = {},
): ToldOutage {
  const toldAtMs = at(text);
  return {
    slug,
    toldAtMs,
    endedAtMs: toldAtMs + 5 * MINUTE_MS,
    runs: 1,
    checkedAtMs: null,
    isReported: false,
    isSeenElsewhere: false,
    isLookedAtElsewhere: false,
    surgedAtMs: null,
    about: null,
    isEndUnseen: false,
    ...changes,
  };
}

/** What is known of the bank; by default an outage of an hour. */
export function truthAt(text: string, changes: Partial<TruthEntry> = {}): TruthEntry {
  const fromMs = at(text);
  return {
    slug: "bank",
    fromMs,
    toMs: fromMs + 60 * MINUTE_MS,
    what: "outage",
    source: "https://bank.example.ru/news",
    ...changes,
  };
}

export function countersOf(changes: Partial<MonthCounters>): MonthCounters {
  return { ...NOTHING_COUNTED, ...changes };
}

/** A ledger that began on 1 October and is read on the day of `text`. */
export function ledgerOn(text: string, changes: Partial<AccuracyLedger> = {}): AccuracyLedger {
  return {
    sinceMs: at("2026-10-01T00:00"),
    day: toUtcDay(at(text)),
    months: [],
    today: NOTHING_COUNTED,
    outages: [],
    ...changes,
  };
}

/** Something of everything. */
export const TWO_MONTHS: AccuracyLedger = ledgerOn("2026-11-21T09:00", {
  months: [
    {
      month: 681,
      ...countersOf({ runs: 8_915, runnerNoneMinutes: 70, serviceNoneMinutes: 6_120 }),
    },
    {
      month: 682,
      ...countersOf({ runs: 5_760, compared: 489_600, onlyMoscow: 1_210, onlyAbroad: 37 }),
    },
  ],
  outages: [
    outageAt("bank", "2026-10-05T10:05"),
    outageAt("shop", "2026-10-07T02:00", { isReported: true }),
    outageAt("bank", "2026-10-09T12:20", {
      endedAtMs: at("2026-10-09T13:40"),
      runs: 3,
      isReported: true,
      surgedAtMs: at("2026-10-09T12:05"),
    }),
    outageAt("shop", "2026-11-02T15:00", { isLookedAtElsewhere: true, isSeenElsewhere: true }),
    outageAt("post", "2026-11-12T08:10", { isLookedAtElsewhere: true }),
    outageAt("bank", "2026-11-15T18:00", {
      endedAtMs: at("2026-11-15T19:00"),
      runs: 3,
      isReported: true,
      surgedAtMs: at("2026-11-15T18:10"),
    }),
  ],
});

export const TRUTH: readonly TruthEntry[] = [
  truthAt("2026-10-09T12:00", { toMs: at("2026-10-09T13:30") }),
  truthAt("2026-11-10T09:00"),
  truthAt("2026-11-12T08:00", { slug: "post", what: "worked" }),
];
