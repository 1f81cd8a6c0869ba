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
  type MonthAccuracy,
} from "../../model/service/accuracy.ts";
import { DAY_MS, toUnixSeconds, FRESH_MS } from "../../model/time.ts";
import { REPORTS_BEFORE_MS } from "./told-outages.ts";
import type { Accuracy } from "../../contract/accuracy.ts";
import { METHOD_CHANGES, METHOD_VERSION } from "../../model/service/method.ts";
import { type Document, toJsonDocument } from "../../model/service/snapshot.ts";

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

/** What the truth says of an outage that we told. `unclear`: the service was slow. */
export type Judgement = "right" | "false" | "unclear";

/** Sources round their times, and a verdict needs a few minutes, so an entry counts this much earlier and later. */
const SLACK_MS = FRESH_MS;

/** Entries by slug. */
export type TruthIndex = ReadonlyMap<string, readonly TruthEntry[]>;

export function indexTruth(entries: readonly TruthEntry[]): TruthIndex {
  const bySlug = new Map<string, TruthEntry[]>();
  for (const entry of entries) {
    const own = bySlug.get(entry.slug);
    if (own === undefined) bySlug.set(entry.slug, [entry]);
    else own.push(entry);
  }
  return bySlug;
}

/** What the truth says of an outage; undefined: nothing. An entry about an outage outweighs one that says that the service worked. */
export function judgeOutage(outage: ToldOutage, truth: TruthIndex): Judgement | undefined {
  const own = truth.get(outage.slug) ?? [];
  if (own.some((entry) => isOutage(entry) && isMet(entry, outage))) return "right";
  if (own.some((entry) => entry.what === "worked" && isIn(entry, outage.toldAtMs))) return "false";
  return own.some((entry) => entry.what === "slow" && isMet(entry, outage)) ? "unclear" : undefined;
}

/** Whether an entry says that the service did not work. */
export function isOutage({ what }: TruthEntry): boolean {
  return what === "outage" || what === "blocked";
}

/** Whether an outage that we told is about an entry. */
export function isMet({ fromMs, toMs }: TruthEntry, { toldAtMs, endedAtMs }: ToldOutage): boolean {
  const isBegun = toMs === null || toldAtMs < toMs + SLACK_MS;
  return isBegun && (endedAtMs === null || endedAtMs > fromMs - SLACK_MS);
}

function isIn({ fromMs, toMs }: TruthEntry, atMs: number): boolean {
  return fromMs <= atMs && (toMs === null || atMs < toMs);
}

export const ACCURACY_KEY = "accuracy/v1.json";

/** The document of the accuracy. */
export function buildAccuracy(report: AccuracyReport): Document {
  return toJsonDocument(ACCURACY_KEY, {
    license: "CC-BY-4.0",
    method: METHOD_VERSION,
    methodChanges: METHOD_CHANGES,
    since: report.sinceMs === null ? null : toUnixSeconds(report.sinceMs),
    until: toUnixSeconds(report.untilMs),
    truthEntries: report.truthEntries,
    months: report.months.map(toMonth),
  } satisfies Accuracy);
}

function toMonth(month: MonthAccuracy): Accuracy["months"][number] {
  return {
    month: new Date(startOfMonth(month.month)).toISOString().slice(0, 7),
    runs: month.runs,
    congestedRuns: month.congestedRuns,
    outages: {
      told: month.outages,
      short: month.short,
      shortReported: month.shortReported,
      shortLookedAtElsewhere: month.shortLookedAtElsewhere,
      shortSeenElsewhere: month.shortSeenElsewhere,
    },
    false: { suspected: month.falseSuspected, confirmed: month.falseConfirmed },
    right: { confirmed: month.rightConfirmed },
    late: { surged: month.surged, suspected: month.lateSuspected },
    missed: { truthOutages: month.truthOutages, missed: month.missed },
    delay: { byTruth: delayOf(month.delayByTruth), byReports: delayOf(month.delayByReports) },
    noneMinutes: { services: month.serviceNoneMinutes, runner: month.runnerNoneMinutes },
    controls: {
      compared: month.compared,
      onlyMoscow: month.onlyMoscow,
      onlyAbroad: month.onlyAbroad,
    },
  };
}

function delayOf({ count, medianSeconds, p90Seconds }: Delay) {
  return { count, median: medianSeconds, p90: p90Seconds };
}
