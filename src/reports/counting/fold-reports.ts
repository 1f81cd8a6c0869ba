import { OPERATORS, OTHER_OPERATOR } from "../../contract/codes/operator.ts";
import { SYMPTOMS } from "../../model/service/choices.ts";
import {
  addRecent,
  blockKeyOf,
  keepRecent,
  reportKeyOf,
  NO_RECENT_REPORTS,
  type RecentReports,
  recentBetween,
  type RecentRow,
} from "../../model/service/recent-reports.ts";
import {
  type MinuteRow,
  NO_OPERATORS,
  NO_SURGE,
  type OperatorRow,
  type Report,
  type ReportLedger,
  type ServiceReports,
  type SymptomRow,
} from "../../model/service/reports.ts";
import { compareTexts, groupBy, mapValues, sumOf } from "../../model/lists.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../model/time.ts";
import { hourOf } from "./baseline.ts";
import { MINUTES_PER_HOUR } from "./counts.ts";
import { dropBefore, putRows, rowAt } from "./sorted-rows.ts";
import { visitSurplus } from "./share.ts";

/** Data is kept so much longer, for a clock that goes back. */
const CLOCK_ERROR_MS = HOUR_MS;
const KEEP_COUNTS_MS: number = DAY_MS + CLOCK_ERROR_MS;
/** One report per network and service is accepted in this time. Source: docs/reports/counting.md, Fair counting. */
const DEDUP_MS = HOUR_MS;
const KEEP_NETWORKS_MS: number = DEDUP_MS + CLOCK_ERROR_MS;
/** Clocks of machines differ: a report that is at most so far in the future counts as of now. */
const SKEW_MS = MINUTE_MS;

/** Networks stored over all services. The oldest are dropped first, and may then be accepted again within their hour. */
export const MAX_REMEMBERED = 250_000;

/**
 * Folds reports. One is accepted unless another of the same network and service less than an hour away was; the result does not depend on
 * how reports are divided into calls in the order of time. Accepted reports count within the share of their block.
 *
 * Reports older than 25 hours are dropped. One from at most a minute, or over a day, after `nowMs` gets the time `nowMs`; others from the
 * future count from then on. Pass only slugs of the catalogue: each is stored permanently. `raw` counts what was not too old.
 */
export function foldReports(ledger: ReportLedger, reports: readonly Report[], nowMs: number) {
  const usable = reports
    .map((report): Keyed => {
      return { ...report, atMs: timeOf(report, nowMs), key: reportKeyOf(report.network) };
    })
    .filter(({ atMs }) => atMs >= nowMs - KEEP_COUNTS_MS);
  const services = new Map(ledger.services);
  let accepted = 0;
  for (const [slug, own] of groupBy(usable, ({ slug }) => slug)) {
    const sorted = own.toSorted(compareReports);
    const fresh = selectAccepted(services.get(slug)?.recent ?? NO_RECENT_REPORTS, sorted);
    accepted += fresh.length;
    services.set(slug, addReports(services.get(slug), sorted, fresh));
  }
  const kept = mapValues(services, (service) => dropOutdated(service, nowMs));
  return { ledger: { ...ledger, services: limitNetworks(kept) }, accepted, raw: usable.length };
}

/** With the key under which its network is stored. */
interface Keyed extends Report {
  readonly key: number;
}

function timeOf({ atMs }: Report, nowMs: number): number {
  const aheadMs = atMs - nowMs;
  return aheadMs > DAY_MS || (aheadMs > 0 && aheadMs <= SKEW_MS) ? nowMs : atMs;
}

/** By time, then by content, so that the order of arrival makes no difference. */
function compareReports(a: Report, b: Report): number {
  return a.atMs - b.atMs || compareTexts(identify(a), identify(b));
}

function identify({ network, block, symptom }: Report): string {
  return `${network} ${block} ${symptom ?? ""}`;
}

function selectAccepted(recent: RecentReports, sorted: readonly Keyed[]): readonly Keyed[] {
  const timesOf = new Map<number, number[]>(sorted.map(({ key }) => [key, []]));
  const [firstMs, lastMs] = [sorted[0]?.atMs ?? 0, sorted.at(-1)?.atMs ?? 0];
  const near = recentBetween(recent, firstMs - DEDUP_MS, lastMs + DEDUP_MS);
  for (let place = 0; place < near.networks.length; place += 1) {
    timesOf.get(near.networks[place] ?? 0)?.push(near.times[place] ?? 0);
  }
  return sorted.filter(({ key, atMs }) => {
    const times = timesOf.get(key);
    if (times?.some((otherMs) => Math.abs(otherMs - atMs) < DEDUP_MS) === true) return false;
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
  const before = service ?? { ...NO_ROWS, firstAtMs };
  const rows = accepted.map(({ atMs, key, block, operator }): RecentRow => {
    return [atMs, key, blockKeyOf(block), knownOperator(operator)];
  });
  const recent = addRecent(before.recent, rows);
  const changes = countChanges(before.recent, recent, accepted);
  return {
    ...before,
    firstAtMs: Math.min(before.firstAtMs, firstAtMs),
    minutes: addMinutes(before.minutes, sorted, changes.minutes),
    symptoms: addSymptoms(before.symptoms, accepted),
    operators: {
      ...before.operators,
      hours: addOperators(before.operators.hours, changes.operators),
    },
    recent,
  };
}

/** The number, if it is one of ours: the counts of each operator have a place. A newer version knows more. */
function knownOperator(operator: number = OTHER_OPERATOR): number {
  return OPERATORS[operator] === undefined ? OTHER_OPERATOR : operator;
}

/** A service without reports. */
export const NO_ROWS = {
  minutes: [],
  symptoms: [],
  operators: NO_OPERATORS,
  recent: NO_RECENT_REPORTS,
  hours: [],
  surge: NO_SURGE,
} as const;

/**
 * The changes of the counts, by minute, and by hour and operator. One is negative where a late report takes the place of a later one in
 * the share of its block.
 */
function countChanges(before: RecentReports, after: RecentReports, accepted: readonly Keyed[]) {
  const minutes = new Map<number, number>();
  const operators = new Map<number, readonly number[]>();
  for (const [hour, fresh] of groupBy(accepted, ({ atMs }) => hourOf(atMs))) {
    const first = hour * MINUTES_PER_HOUR;
    const change = new Int32Array(MINUTES_PER_HOUR);
    const byOperator = OPERATORS.map(() => 0);
    const add = (atMs: number, operator: number, by: number): void => {
      const place = minuteOf({ atMs }) - first;
      change[place] = (change[place] ?? 0) + by;
      byOperator[operator] = (byOperator[operator] ?? 0) + by;
    };
    const addRow = ({ times, operators: columns }: RecentReports, place: number, by: number) =>
      add(times[place] ?? 0, columns[place] ?? OTHER_OPERATOR, by);
    for (const { atMs, operator } of fresh) add(atMs, knownOperator(operator), 1);
    visitSurplus(before, hour, (place) => addRow(before, place, 1));
    visitSurplus(after, hour, (place) => addRow(after, place, -1));
    for (const [place, by] of change.entries()) if (by !== 0) minutes.set(first + place, by);
    operators.set(hour, byOperator);
  }
  return { minutes, operators };
}

/** The rows with so many more of each operator in these periods. */
export function addOperators(
  rows: readonly OperatorRow[],
  changes: ReadonlyMap<number, readonly number[]>,
): readonly OperatorRow[] {
  const changed = [...changes].map(([period, by]): OperatorRow => {
    const before = rowAt(rows, period)?.[1];
    // Without the maximum it would be negative if networks of that hour were dropped meanwhile.
    const counts = by.map((more, operator) => Math.max(0, (before?.[operator] ?? 0) + more));
    return [period, counts.slice(0, counts.findLastIndex((reports) => reports > 0) + 1)];
  });
  return putRows(rows, changed);
}

function addMinutes(
  minutes: readonly MinuteRow[],
  sorted: readonly Report[],
  changes: ReadonlyMap<number, number>,
): readonly MinuteRow[] {
  const raw = groupBy(sorted, minuteOf);
  const changed = [...new Set([...raw.keys(), ...changes.keys()])].map((minute): MinuteRow => {
    const [, countedBefore, rawBefore] = rowAt(minutes, minute) ?? [minute, 0, 0];
    // Without the maximum it would be negative if networks of that hour were dropped meanwhile.
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
  const named = accepted.flatMap(({ atMs, symptom }) =>
    symptom === undefined ? [] : [{ hour: hourOf(atMs), symptom }],
  );
  const changed = [...groupBy(named, ({ hour }) => hour)].map(([hour, those]): SymptomRow => {
    const before = rowAt(symptoms, hour)?.[1];
    const counts = SYMPTOMS.map((known, place) => {
      return (before?.[place] ?? 0) + those.filter(({ symptom }) => symptom === known).length;
    });
    return [hour, counts];
  });
  return putRows(symptoms, changed);
}

/**
 * Without rows older than every window, and without networks in the far future, which are from a wrong clock. The evaluation prunes
 * `hours`.
 */
function dropOutdated(service: ServiceReports, nowMs: number): ServiceReports {
  const fromMs = nowMs - KEEP_COUNTS_MS;
  return {
    ...service,
    minutes: dropBefore(service.minutes, Math.floor(fromMs / MINUTE_MS)),
    symptoms: dropBefore(service.symptoms, hourOf(fromMs)),
    operators: { ...service.operators, hours: dropBefore(service.operators.hours, hourOf(fromMs)) },
    recent: keepRecent(service.recent, nowMs - KEEP_NETWORKS_MS, nowMs + DAY_MS + 1),
  };
}

function limitNetworks(services: ReportLedger["services"]): ReportLedger["services"] {
  const total = sumOf([...services.values()].map(({ recent }) => recent.times.length));
  if (total <= MAX_REMEMBERED) return services;
  const times = new Float64Array(total);
  let filled = 0;
  for (const { recent } of services.values()) {
    times.set(recent.times, filled);
    filled += recent.times.length;
  }
  const lastDroppedMs = times.toSorted()[total - MAX_REMEMBERED - 1] ?? 0;
  return mapValues(services, (service) => {
    return { ...service, recent: keepRecent(service.recent, lastDroppedMs + 1) };
  });
}
