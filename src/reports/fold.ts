import {
  addRecent,
  blockKeyOf,
  keepRecent,
  keyOf,
  NOBODY_RECENT,
  type Recent,
  recentBetween,
  type RecentRow,
} from "../model/recent.ts";
import {
  type MinuteRow,
  NO_SURGE,
  type Report,
  type ReportLedger,
  type ServiceReports,
  type Symptom,
  type SymptomRow,
  SYMPTOMS,
} from "../model/reports.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../model/time.ts";
import { hourOf } from "./baseline.ts";
import { MINUTES_PER_HOUR } from "./counts.ts";
import { dropBefore, groupBy, putRows, rowAt } from "./rows.ts";
import { visitSurplus } from "./share.ts";

/** A clock may go back by this much, and what it needs is still remembered. */
const CLOCK_ERROR_MS = HOUR_MS;
const KEEP_COUNTS_MS: number = DAY_MS + CLOCK_ERROR_MS;
/** One report per network and service in this time is accepted. Source: docs/reports.md, Fair counting. */
const APART_MS = HOUR_MS;
const KEEP_NETWORKS_MS: number = APART_MS + CLOCK_ERROR_MS;
/** Clocks of several machines differ: a report from so shortly after now is of now. */
const SKEW_MS = MINUTE_MS;

/** Networks remembered over all services. Beyond, the oldest are forgotten, and may then be accepted again within their hour. */
export const MAX_REMEMBERED = 250_000;

/** The ledger with reports taken in, and how many of them were accepted. `raw`: those that were not too old. */
export interface FoldedReports {
  readonly ledger: ReportLedger;
  readonly accepted: number;
  readonly raw: number;
}

/**
 * Takes reports in. A report is accepted unless one of the same network and service that is less than an hour away, before or
 * after, was accepted already; of several in one call, earlier ones come first. So any division of the same reports over calls
 * gives the same, as long as the calls come in the order of time. Of the accepted, those count that are within the share of
 * their block.
 *
 * A report of over 25 hours ago is dropped, one from at most a minute after `nowMs` is taken for one of `nowMs`, one from
 * later keeps its time (and counts when that has come), one from over a day later is taken for one of `nowMs`.
 * The caller passes only slugs of the catalogue: each takes room for good.
 */
export function foldReports(
  ledger: ReportLedger,
  reports: readonly Report[],
  nowMs: number,
): FoldedReports {
  const usable = reports
    .map((report): Keyed => {
      return { ...report, atMs: timeOf(report, nowMs), key: keyOf(report.network) };
    })
    .filter(({ atMs }) => atMs >= nowMs - KEEP_COUNTS_MS);
  const services = new Map(ledger.services);
  let accepted = 0;
  for (const [slug, own] of groupBy(usable, ({ slug }) => slug)) {
    const sorted = own.toSorted(compareReports);
    const fresh = selectAccepted(services.get(slug)?.recent ?? NOBODY_RECENT, sorted);
    accepted += fresh.length;
    services.set(slug, addReports(services.get(slug), sorted, fresh));
  }
  const kept = new Map([...services].map(([slug, service]) => [slug, forget(service, nowMs)]));
  return { ledger: { ...ledger, services: limitRemembered(kept) }, accepted, raw: usable.length };
}

/** With the key under which its network is remembered. */
interface Keyed extends Report {
  readonly key: number;
}

function timeOf({ atMs }: Report, nowMs: number): number {
  const aheadMs = atMs - nowMs;
  return aheadMs > DAY_MS || (aheadMs > 0 && aheadMs <= SKEW_MS) ? nowMs : atMs;
}

/** By time; among equals by what they say, so that the order in which they came makes no difference. */
function compareReports(a: Report, b: Report): number {
  return a.atMs - b.atMs || compareTexts(identify(a), identify(b));
}

function identify({ network, block, symptom }: Report): string {
  return `${network} ${block} ${symptom ?? ""}`;
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Those of the sorted reports that are accepted, next to those that were before. */
function selectAccepted(recent: Recent, sorted: readonly Keyed[]): readonly Keyed[] {
  const timesOf = new Map<number, number[]>(sorted.map(({ key }) => [key, []]));
  const [firstMs, lastMs] = [sorted[0]?.atMs ?? 0, sorted.at(-1)?.atMs ?? 0];
  const near = recentBetween(recent, firstMs - APART_MS, lastMs + APART_MS);
  for (let place = 0; place < near.networks.length; place += 1) {
    timesOf.get(near.networks[place] ?? 0)?.push(near.times[place] ?? 0);
  }
  return sorted.filter(({ key, atMs }) => {
    const times = timesOf.get(key);
    if (times?.some((otherMs) => Math.abs(otherMs - atMs) < APART_MS) === true) return false;
    times?.push(atMs);
    return true;
  });
}

function addReports(
  service: ServiceReports | undefined,
  sorted: readonly Report[],
  accepted: readonly Keyed[],
): ServiceReports {
  const firstAtMs = sorted[0]?.atMs ?? Number.MAX_SAFE_INTEGER;
  const before = service ?? { ...NOTHING, firstAtMs };
  const rows = accepted.map(({ atMs, key, block }): RecentRow => [atMs, key, blockKeyOf(block)]);
  const recent = addRecent(before.recent, rows);
  return {
    ...before,
    firstAtMs: Math.min(before.firstAtMs, firstAtMs),
    minutes: addMinutes(before.minutes, sorted, countChanges(before.recent, recent, accepted)),
    symptoms: addSymptoms(before.symptoms, accepted),
    recent,
  };
}

const NOTHING = {
  minutes: [],
  symptoms: [],
  recent: NOBODY_RECENT,
  hours: [],
  surge: NO_SURGE,
} as const;

/** By minute, how many more reports count than before. Fewer do where one came late that is among the first of its block. */
function countChanges(
  before: Recent,
  after: Recent,
  accepted: readonly Report[],
): ReadonlyMap<number, number> {
  const changes = new Map<number, number>();
  for (const [hour, fresh] of groupBy(accepted, ({ atMs }) => hourOf(atMs))) {
    const first = hour * MINUTES_PER_HOUR;
    const change = new Int32Array(MINUTES_PER_HOUR);
    const add = (atMs = 0, by: number): void => {
      const place = minuteOf({ atMs }) - first;
      change[place] = (change[place] ?? 0) + by;
    };
    for (const { atMs } of fresh) add(atMs, 1);
    visitSurplus(before, hour, (place) => add(before.times[place], 1));
    visitSurplus(after, hour, (place) => add(after.times[place], -1));
    for (const [place, by] of change.entries()) if (by !== 0) changes.set(first + place, by);
  }
  return changes;
}

function addMinutes(
  minutes: readonly MinuteRow[],
  sorted: readonly Report[],
  changes: ReadonlyMap<number, number>,
): readonly MinuteRow[] {
  const raw = groupBy(sorted, minuteOf);
  const changed = [...new Set([...raw.keys(), ...changes.keys()])].map((minute): MinuteRow => {
    const [, countedBefore, rawBefore] = rowAt(minutes, minute) ?? [minute, 0, 0];
    // Below zero it would be where networks of that hour have been forgotten meanwhile.
    const counted = Math.max(0, countedBefore + (changes.get(minute) ?? 0));
    return [minute, counted, rawBefore + (raw.get(minute)?.length ?? 0)];
  });
  return putRows(minutes, changed);
}

function minuteOf({ atMs }: Pick<Report, "atMs">): number {
  return Math.floor(atMs / MINUTE_MS);
}

function addSymptoms(
  symptoms: readonly SymptomRow[],
  accepted: readonly Report[],
): readonly SymptomRow[] {
  const told = accepted.flatMap(({ atMs, symptom }) =>
    symptom === undefined ? [] : [{ hour: hourOf(atMs), symptom }],
  );
  const changed = [...groupBy(told, ({ hour }) => hour)].map(([hour, those]): SymptomRow => {
    const before = rowAt(symptoms, hour)?.[1];
    return [hour, SYMPTOMS.map((symptom, place) => (before?.[place] ?? 0) + count(those, symptom))];
  });
  return putRows(symptoms, changed);
}

function count(told: readonly { readonly symptom: Symptom }[], wanted: Symptom): number {
  return told.filter(({ symptom }) => symptom === wanted).length;
}

/**
 * Without what no window reaches any more, and without networks of a time that only a wrong clock can have told. The baseline of
 * 28 days is kept by the evaluation.
 */
function forget(service: ServiceReports, nowMs: number): ServiceReports {
  const fromMs = nowMs - KEEP_COUNTS_MS;
  return {
    ...service,
    minutes: dropBefore(service.minutes, Math.floor(fromMs / MINUTE_MS)),
    symptoms: dropBefore(service.symptoms, hourOf(fromMs)),
    recent: keepRecent(service.recent, nowMs - KEEP_NETWORKS_MS, nowMs + DAY_MS + 1),
  };
}

function limitRemembered(services: ReportLedger["services"]): ReportLedger["services"] {
  const total = [...services.values()].reduce((sum, { recent }) => sum + recent.times.length, 0);
  if (total <= MAX_REMEMBERED) return services;
  const times = new Float64Array(total);
  let filled = 0;
  for (const { recent } of services.values()) {
    times.set(recent.times, filled);
    filled += recent.times.length;
  }
  const lastForgottenMs = times.toSorted()[total - MAX_REMEMBERED - 1] ?? 0;
  return new Map(
    [...services].map(([slug, service]) => [
      slug,
      { ...service, recent: keepRecent(service.recent, lastForgottenMs + 1) },
    ]),
  );
}
