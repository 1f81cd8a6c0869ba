import {
  type AccuracyLedger,
  ACCURACY_MONTHS,
  type MonthCounters,
  NOTHING_COUNTED,
  startOfMonth,
  toUtcMonth,
  type AccuracyMonth,
} from "../../model/service/accuracy.ts";
import { DAY_MS, FRESH_MS, MINUTE_MS, toWholeSeconds, toUtcDay } from "../../model/time.ts";
import { foldToldOutages, type ServiceLook } from "./told-outages.ts";

/** Outages that are kept at most; the oldest are dropped first. Source: docs/open-data.md, "Accuracy". */
const MAX_OUTAGES = 2_000;

/** What one generation saw: when it is published, the last valid run in the state before and after, and every service. */
export interface AccuracyLook {
  readonly nowMs: number;
  readonly runBeforeMs: number | undefined;
  readonly runAtMs: number | undefined;
  readonly isRunCongested: boolean;
  readonly services: readonly ServiceLook[];
}

/**
 * The ledger after one generation. A generation that saw nothing new adds nothing, so that a replay, an attempt that is repeated or a
 * publish of reports alone cannot count twice. A clock that is set back continues the newest day. Pure.
 */
export function advanceAccuracy(before: AccuracyLedger, look: AccuracyLook): AccuracyLedger {
  const { runAtMs, services } = look;
  if (runAtMs === undefined) return before;
  const sinceMs = before.sinceMs ?? toWholeSeconds(look.nowMs);
  const turned = turnDay({ ...before, sinceMs }, toUtcDay(look.nowMs));
  // A clock that was set back must not tell an outage before an older one.
  const nowMs = toWholeSeconds(Math.max(look.nowMs, turned.day * DAY_MS));
  const counted = countChecks(turned, look);
  const at = { nowMs, dayMs: counted.day * DAY_MS };
  return keepNewest({ ...counted, outages: foldToldOutages(counted.outages, services, at) });
}

/** At the end of a day its counters join those of its month, and what is too old is dropped. */
function turnDay(ledger: AccuracyLedger, day: number): AccuracyLedger {
  if (day <= ledger.day) return ledger;
  const months = addToMonth(ledger.months, toUtcMonth(ledger.day * DAY_MS), ledger.today);
  const oldest = toUtcMonth(day * DAY_MS) - ACCURACY_MONTHS + 1;
  const fromMs = startOfMonth(oldest);
  return {
    sinceMs: ledger.sinceMs === null ? null : Math.max(ledger.sinceMs, fromMs),
    day,
    months: months.filter(({ month }) => month >= oldest),
    today: NOTHING_COUNTED,
    outages: ledger.outages.filter(({ toldAtMs }) => toldAtMs >= fromMs),
  };
}

/** Counts the run, the time without data before it, and the comparisons with places abroad. */
function countChecks(ledger: AccuracyLedger, look: AccuracyLook): AccuracyLedger {
  let next = ledger;
  const { runBeforeMs, runAtMs } = look;
  if (isLater(runAtMs, runBeforeMs))
    next = addToday(next, { runs: 1, congestedRuns: look.isRunCongested ? 1 : 0 });
  next = addNone(next, "runnerNoneMinutes", runBeforeMs, runAtMs);
  for (const { checkedBeforeMs, checkedAtMs, comparison } of look.services) {
    next = addNone(next, "serviceNoneMinutes", checkedBeforeMs, checkedAtMs);
    if (comparison === undefined || !isLater(checkedAtMs, checkedBeforeMs)) continue;
    const field = ONLY[comparison];
    next = addToday(next, { compared: 1, ...(field !== undefined && { [field]: 1 }) });
  }
  return next;
}

const ONLY = {
  alike: undefined,
  "only-moscow": "onlyMoscow",
  "only-abroad": "onlyAbroad",
} as const;

function isLater(atMs: number | undefined, beforeMs: number | undefined): boolean {
  return atMs !== undefined && atMs > (beforeMs ?? -1);
}

function addToday(ledger: AccuracyLedger, counters: Partial<MonthCounters>): AccuracyLedger {
  return { ...ledger, today: addCounters(ledger.today, counters) };
}

/** Adds the minutes between two checks in which there was no recent one, each to its month. */
function addNone(
  ledger: AccuracyLedger,
  field: "runnerNoneMinutes" | "serviceNoneMinutes",
  beforeMs: number | undefined,
  atMs: number | undefined,
): AccuracyLedger {
  if (beforeMs === undefined || atMs === undefined || atMs - beforeMs <= FRESH_MS) return ledger;
  const thisMonth = toUtcMonth(ledger.day * DAY_MS);
  let next = ledger;
  let fromMs = beforeMs + FRESH_MS;
  while (fromMs < atMs) {
    const month = Math.min(thisMonth, toUtcMonth(fromMs));
    const toMs = month === thisMonth ? atMs : Math.min(atMs, startOfMonth(month + 1));
    const minutes = { [field]: Math.round((toMs - fromMs) / MINUTE_MS) };
    next =
      month === thisMonth
        ? addToday(next, minutes)
        : { ...next, months: addToMonth(next.months, month, minutes) };
    fromMs = toMs;
  }
  return next;
}

/** If there are too many outages, the record begins after the last one that is dropped. */
function keepNewest(ledger: AccuracyLedger): AccuracyLedger {
  const dropped = ledger.outages.length - MAX_OUTAGES;
  if (dropped <= 0) return ledger;
  const outages = ledger.outages.slice(dropped);
  return { ...ledger, outages, sinceMs: outages[0]?.toldAtMs ?? ledger.sinceMs };
}

function addCounters(one: MonthCounters, other: Partial<MonthCounters>): MonthCounters {
  const sum = { ...NOTHING_COUNTED };
  for (const key of COUNTERS) sum[key] = one[key] + (other[key] ?? 0);
  return sum;
}

const COUNTERS = Object.keys(NOTHING_COUNTED) as readonly (keyof MonthCounters)[];

/** The months with counters added to one of them. A month without anything is left out. */
function addToMonth(
  months: readonly AccuracyMonth[],
  month: number,
  counters: Partial<MonthCounters>,
): readonly AccuracyMonth[] {
  if (Object.values(counters).every((count) => count === 0)) return months;
  const before = months.find((one) => one.month === month) ?? NOTHING_COUNTED;
  const others = months.filter((one) => one.month !== month);
  const sum = { month, ...addCounters(before, counters) };
  return [...others, sum].toSorted((a, b) => a.month - b.month);
}
