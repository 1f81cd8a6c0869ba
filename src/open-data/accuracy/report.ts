import {
  type AccuracyLedger,
  type AccuracyReport,
  type Delay,
  type MonthCounters,
  NOTHING_COUNTED,
  SHORT_RUNS,
  startOfMonth,
  type ToldOutage,
  toUtcMonth,
  type TruthEntry,
} from "../../model/service/accuracy.ts";
import { DAY_MS, toUnixSeconds } from "../../model/time.ts";
import { REPORTS_BEFORE_MS } from "./told-outages.ts";
import { indexTruth, isMet, isOutage, judgeOutage, type TruthIndex } from "./weigh-truth.ts";

/**
 * How often we were wrong, up to the end of the last day: it changes only when a day ends or the truth does. Pure. Source of the rules:
 * docs/open-data.md, "Accuracy".
 */
export function reportAccuracy(
  ledger: AccuracyLedger,
  truth: readonly TruthEntry[],
): AccuracyReport {
  const { sinceMs } = ledger;
  const untilMs = ledger.day * DAY_MS;
  const common = { sinceMs, untilMs, truthEntries: truth.length };
  if (sinceMs === null || sinceMs >= untilMs) return { ...common, months: [] };
  const outages = ledger.outages
    .filter(({ toldAtMs }) => toldAtMs < untilMs)
    .map((outage) => asOf(outage, untilMs));
  const index = indexTruth(truth);
  const weighed = truth.filter(
    (entry) => isOutage(entry) && entry.fromMs >= sinceMs && entry.fromMs < untilMs,
  );
  const first = toUtcMonth(sinceMs);
  const last = toUtcMonth(untilMs - 1);
  const months = Array.from({ length: last - first + 1 }, (_, at) => last - at);
  return {
    ...common,
    months: months.map((month) => ({
      month,
      ...countersOf(ledger, month),
      ...countOutages(inMonth(outages, month, "toldAtMs"), index),
      ...countTruth(inMonth(weighed, month, "fromMs"), outages),
    })),
  };
}

/** An outage as it was when the day ended. */
function asOf(outage: ToldOutage, untilMs: number): ToldOutage {
  const isOpen = outage.endedAtMs !== null && outage.endedAtMs >= untilMs;
  const surgedAtMs = outage.surgedAtMs !== null && outage.surgedAtMs < untilMs;
  return {
    ...outage,
    endedAtMs: isOpen ? null : outage.endedAtMs,
    surgedAtMs: surgedAtMs ? outage.surgedAtMs : null,
  };
}

function countersOf({ months }: AccuracyLedger, wanted: number): MonthCounters {
  const { month: _, ...counters } = months.find(({ month }) => month === wanted) ?? {
    month: wanted,
    ...NOTHING_COUNTED,
  };
  return counters;
}

function inMonth<Key extends string, T extends Readonly<Record<Key, number>>>(
  all: readonly T[],
  month: number,
  key: Key,
): readonly T[] {
  const [fromMs, toMs] = [startOfMonth(month), startOfMonth(month + 1)];
  return all.filter((one) => one[key] >= fromMs && one[key] < toMs);
}

function countOutages(outages: readonly ToldOutage[], truth: TruthIndex) {
  const short = outages.filter(({ endedAtMs, runs }) => endedAtMs !== null && runs <= SHORT_RUNS);
  const judged = outages.map((outage) => judgeOutage(outage, truth));
  const leads = outages.flatMap(({ toldAtMs, surgedAtMs }) =>
    surgedAtMs === null ? [] : [toldAtMs - surgedAtMs],
  );
  return {
    outages: outages.length,
    short: short.length,
    shortReported: short.filter(({ isReported }) => isReported).length,
    shortSeenElsewhere: short.filter(({ isSeenElsewhere }) => isSeenElsewhere).length,
    shortLookedAtElsewhere: short.filter(({ isLookedAtElsewhere }) => isLookedAtElsewhere).length,
    falseSuspected: short.filter(
      (one) => !one.isReported && !one.isSeenElsewhere && judgeOutage(one, truth) === undefined,
    ).length,
    falseConfirmed: judged.filter((judgement) => judgement === "false").length,
    rightConfirmed: judged.filter((judgement) => judgement === "right").length,
    surged: leads.length,
    lateSuspected: leads.filter((lead) => lead >= REPORTS_BEFORE_MS).length,
    delayByReports: toDelay(leads),
  };
}

function countTruth(entries: readonly TruthEntry[], outages: readonly ToldOutage[]) {
  const delays = entries.flatMap((entry) => {
    const told = outages.find(
      ({ slug, ...one }) => slug === entry.slug && isMet(entry, { slug, ...one }),
    );
    return told === undefined ? [] : [Math.max(0, told.toldAtMs - entry.fromMs)];
  });
  return {
    truthOutages: entries.length,
    missed: entries.length - delays.length,
    delayByTruth: toDelay(delays),
  };
}

/** By the nearest rank, so that each value is one that occurred. */
function toDelay(delaysMs: readonly number[]): Delay {
  const sorted = delaysMs.toSorted((a, b) => a - b);
  const rank = (share: number): number | null => {
    const value = sorted[Math.ceil(share * sorted.length) - 1];
    return value === undefined ? null : toUnixSeconds(value);
  };
  return { count: sorted.length, medianSeconds: rank(0.5), p90Seconds: rank(0.9) };
}
