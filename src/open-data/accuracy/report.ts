import type { Accuracy } from "../../contract/accuracy.ts";
import {
  type AccuracyLedger,
  type Judgement,
  nameOfMonth,
  type MonthCounters,
  NOTHING_COUNTED,
  type OutageEntry,
  SHORT_RUNS,
  startOfMonth,
  type ToldOutage,
  toUtcMonth,
  type TruthEntry,
} from "../../model/service/accuracy.ts";
import { outageIdOf } from "../../model/service/outage-ids.ts";
import { METHOD_CHANGES, METHOD_VERSION } from "../../model/service/method.ts";
import { type Document, toJsonDocument } from "../../model/service/snapshot.ts";
import { groupBy } from "../../model/lists.ts";
import { DAY_MS, FRESH_MS, MINUTE_MS, toUnixSeconds } from "../../model/time.ts";
import { REPORTS_BEFORE_MS } from "./told-outages.ts";

type Month = Accuracy["months"][number];

/** The document of the accuracy. */
export function buildAccuracy(report: Accuracy): Document {
  return toJsonDocument("accuracy/v1.json", report);
}

/** How often we were wrong, up to the last day's end: changes only with a day or the truth. Pure. Source: docs/open-data.md, "Accuracy". */
export function reportAccuracy(ledger: AccuracyLedger, truth: readonly TruthEntry[]): Accuracy {
  const { sinceMs } = ledger;
  const untilMs = ledger.day * DAY_MS;
  return {
    license: "CC-BY-4.0",
    method: METHOD_VERSION,
    methodChanges: METHOD_CHANGES,
    since: sinceMs === null ? null : toUnixSeconds(sinceMs),
    until: toUnixSeconds(untilMs),
    truthEntries: truth.length,
    months: sinceMs === null || sinceMs >= untilMs ? [] : monthsOf(ledger, truth, sinceMs, untilMs),
  };
}

/** The newest first. */
function monthsOf(
  ledger: AccuracyLedger,
  truth: readonly TruthEntry[],
  sinceMs: number,
  untilMs: number,
): readonly Month[] {
  const outages = ledger.outages
    .filter(({ toldAtMs }) => toldAtMs < untilMs)
    .map((outage) => asOf(outage, untilMs));
  const index: TruthIndex = groupBy(truth, ({ slug }) => slug);
  const weighed = truth.filter(
    (entry) => isOutage(entry) && entry.fromMs >= sinceMs && entry.fromMs < untilMs,
  );
  const last = toUtcMonth(untilMs - 1);
  return Array.from({ length: last - toUtcMonth(sinceMs) + 1 }, (_, at) => {
    const month = last - at;
    const told = countOutages(inMonth(outages, month, "toldAtMs"), index);
    const known = countTruth(inMonth(weighed, month, "fromMs"), outages);
    const counters = ledger.months.find((one) => one.month === month) ?? NOTHING_COUNTED;
    return toMonth(month, counters, told, known);
  });
}

function toMonth(
  month: number,
  counters: MonthCounters,
  { delay: byReports, ...told }: ReturnType<typeof countOutages>,
  { delay: byTruth, ...missed }: ReturnType<typeof countTruth>,
): Month {
  const { runs, congestedRuns, serviceNoneMinutes, runnerNoneMinutes } = counters;
  const { compared, onlyMoscow, onlyAbroad } = counters;
  return {
    month: nameOfMonth(month),
    runs,
    congestedRuns,
    ...told,
    missed,
    delay: { byTruth, byReports },
    noneMinutes: { services: serviceNoneMinutes, runner: runnerNoneMinutes },
    controls: { compared, onlyMoscow, onlyAbroad },
  };
}

/** An outage as it was when the day ended. */
function asOf(outage: ToldOutage, untilMs: number): ToldOutage {
  const before = (atMs: number | null) => (atMs !== null && atMs < untilMs ? atMs : null);
  return {
    ...outage,
    endedAtMs: before(outage.endedAtMs),
    surgedAtMs: before(outage.surgedAtMs),
  };
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
    outages: {
      told: outages.length,
      short: short.length,
      shortReported: short.filter(({ isReported }) => isReported).length,
      shortLookedAtElsewhere: short.filter((one) => one.isLookedAtElsewhere).length,
      shortSeenElsewhere: short.filter(({ isSeenElsewhere }) => isSeenElsewhere).length,
    },
    false: {
      suspected: short.filter(
        (one) => !one.isReported && !one.isSeenElsewhere && judgeOutage(one, truth) === undefined,
      ).length,
      confirmed: judged.filter((judgement) => judgement === "false").length,
    },
    right: { confirmed: judged.filter((judgement) => judgement === "right").length },
    late: {
      surged: leads.length,
      suspected: leads.filter((lead) => lead >= REPORTS_BEFORE_MS).length,
    },
    delay: toDelay(leads),
  };
}

function countTruth(entries: readonly TruthEntry[], outages: readonly ToldOutage[]) {
  const delays = entries.flatMap((entry) => {
    const told = outages.find((one) => one.slug === entry.slug && isMet(entry, one));
    return told === undefined ? [] : [Math.max(0, told.toldAtMs - entry.fromMs)];
  });
  return {
    truthOutages: entries.length,
    missed: entries.length - delays.length,
    delay: toDelay(delays),
  };
}

/** By the nearest rank, so that each value is one that occurred. */
function toDelay(delaysMs: readonly number[]) {
  const sorted = delaysMs.toSorted((a, b) => a - b);
  const rank = (share: number): number | null => {
    const value = sorted[Math.ceil(share * sorted.length) - 1];
    return value === undefined ? null : toUnixSeconds(value);
  };
  return { count: sorted.length, median: rank(0.5), p90: rank(0.9) };
}

/** Sources round their times, and a verdict needs a few minutes, so an entry counts this much earlier and later. */
const SLACK_MS = FRESH_MS;

/** Entries by slug. */
type TruthIndex = ReadonlyMap<string, readonly TruthEntry[]>;

type Judged = Pick<ToldOutage, "slug" | "toldAtMs" | "endedAtMs">;

/** The entries of the truth that say something of an outage. */
function truthAbout(outage: Judged, truth: TruthIndex): readonly TruthEntry[] {
  return (truth.get(outage.slug) ?? []).filter((entry) =>
    entry.what === "worked"
      ? entry.fromMs <= outage.toldAtMs && outage.toldAtMs < (entry.toMs ?? Infinity)
      : isMet(entry, outage),
  );
}

/** What the truth says of an outage; undefined: nothing. An entry about an outage outweighs one that says that the service worked. */
function judgeOutage(outage: Judged, truth: TruthIndex): Judgement | undefined {
  const about = truthAbout(outage, truth);
  if (about.some(isOutage)) return "right";
  if (about.some(({ what }) => what === "worked")) return "false";
  return about.length > 0 ? "unclear" : undefined;
}

/** Whether an entry says that the service did not work. */
function isOutage({ what }: TruthEntry): boolean {
  return what === "outage" || what === "blocked";
}

/** Whether an outage that we told is about an entry. */
function isMet({ fromMs, toMs }: TruthEntry, { toldAtMs, endedAtMs }: Judged): boolean {
  return toldAtMs < (toMs ?? Infinity) + SLACK_MS && (endedAtMs ?? Infinity) > fromMs - SLACK_MS;
}

/** Outages that were told within this time began together. Source: docs/open-data.md, "Outages". */
const TOGETHER_MS = 10 * MINUTE_MS;

/** The outages of the record that have an address, the newest first. Pure. */
export function listOutages(
  { outages }: Pick<AccuracyLedger, "outages">,
  truth: readonly TruthEntry[],
): readonly OutageEntry[] {
  const index: TruthIndex = groupBy(truth, ({ slug }) => slug);
  const told = outages.flatMap(({ about, ...outage }) =>
    about === null ? [] : [{ ...outage, about, id: outageIdOf(outage) }],
  );
  return told
    .map((outage, place) => ({
      ...outage,
      judgement: judgeOutage(outage, index) ?? null,
      corrections: truthAbout(outage, index),
      together: neighboursOf(told, place).map(({ id }) => id),
    }))
    .toReversed();
}

/** The others that began with one, in a list in the order of their times. */
function neighboursOf<Told extends Pick<ToldOutage, "toldAtMs">>(
  told: readonly Told[],
  place: number,
): readonly Told[] {
  const atMs = told[place]?.toldAtMs ?? 0;
  const isNear = (at: number): boolean =>
    Math.abs((told[at]?.toldAtMs ?? -Infinity) - atMs) <= TOGETHER_MS;
  let [first, end] = [place, place + 1];
  while (isNear(first - 1)) first -= 1;
  while (isNear(end)) end += 1;
  return [...told.slice(first, place), ...told.slice(place + 1, end)];
}
