import { MIN_OPERATOR_REPORTS, OPERATORS, OTHER_OPERATOR } from "../../contract/codes/operator.ts";
import {
  NO_OPERATOR_SUMS,
  type OperatorRow,
  type OperatorSum,
  type OperatorSums,
  type ReportLedger,
  type ServiceReports,
} from "../../model/service/reports.ts";
import type { Service } from "../../model/service/catalogue.ts";
import { sumOf } from "../../model/lists.ts";
import { rowAtTime } from "../../model/service/recent-reports.ts";
import { hourOf, HOURS_PER_DAY } from "./baseline.ts";
import { lastHour, usualInHour } from "./counts.ts";
import { surplusIn } from "./share.ts";
import { rowsBetween } from "./sorted-rows.ts";
import { isSharp } from "./surge.ts";

/* Reports by operator. Source of every number: docs/reports/operators.md. */

/** Reports of an operator are not published if they are of fewer networks, a /24 or /48 each. */
const MIN_OPERATOR_NETWORKS = 3;

/** Fewer reports outside of surges do not show what is usual. */
const MIN_USUAL_REPORTS = 100;

/** A share is unusual if it is over the usual one by these, */
const UNUSUAL_FACTOR = 1.5;
const UNUSUAL_POINTS = 0.1;
/** if chance alone would give it less often, */
const UNUSUAL_PROBABILITY = 1e-4;
/** and if there are so many times the reports that are usual at this hour. */
const UNUSUAL_REPORTS = 2;

/** Fewer reports could be one phone that takes address after address. */
const MIN_ALONE_REPORTS = 15;
/** A surge of one operator has at least this share of it. */
const ALONE_SHARE = 0.5;
/** The same where it is not known how many reports are usual. */
const ALONE_COLD_SHARE = 2 / 3;

/** Named in one sentence. */
const MAX_TOLD = 3;

type Counts = readonly number[];

/** What is usual of the operators of one service, as of an hour. */
export interface Usual {
  /** By number of the operator, adding up to 1. */
  readonly shares: Counts;
  readonly of: "service" | "all";
}

/** Shares of operators that are usual for a service, or for all where it has too few reports. Undefined: all have too few. */
export function usualSharesOf({ services }: ReportLedger): (slug: string) => Usual | undefined {
  const all = sharesOf([...services.values()].flatMap(({ operators }) => operators.weeks));
  return (slug) => {
    const own = sharesOf(services.get(slug)?.operators.weeks ?? []);
    if (own !== undefined) return { shares: own, of: "service" };
    return all && { shares: all, of: "all" };
  };
}

/** One more report of each operator: none has a usual share of exactly 0. */
function sharesOf(rows: readonly OperatorRow[]): Counts | undefined {
  const counts = OPERATORS.map((_, operator) => sumOf(rows.map(([, row]) => row[operator] ?? 0)));
  const total = sumOf(counts);
  if (total < MIN_USUAL_REPORTS) return undefined;
  return counts.map((count) => (count + 1) / (total + OPERATORS.length));
}

/**
 * What the reports about a service say of operators, as of a time: sums above both thresholds alone. Two reports of one network are at
 * least an hour apart, so those of an operator in an hour are of as many networks; at midnight, when the keys of networks change, of half
 * as many. Of a day the hour with the most counts.
 */
export function sumOperators(
  service: ServiceReports | undefined,
  usual: Usual | undefined,
  nowMs: number,
): OperatorSums {
  if (service === undefined) return NO_OPERATOR_SUMS;
  const hour = countBetween(service.recent, ...lastHour(nowMs));
  const { day, networks } = countDay(service, nowMs);
  const expected = usualInHour(service, hourOf(nowMs), nowMs);
  const lastReports = { hour, usual, expected };
  const operators = OPERATORS.flatMap((operator, number): readonly OperatorSum[] => {
    const inHour = hour[number] ?? 0;
    const isHourShown = inHour >= MIN_OPERATOR_REPORTS;
    const inDay = day[number] ?? 0;
    const isSpread = isHourShown || (networks[number] ?? 0) >= MIN_OPERATOR_NETWORKS;
    const isDayShown = inDay >= MIN_OPERATOR_REPORTS && isSpread;
    if (!isHourShown && !isDayShown) return [];
    const [counts, reports] = isHourShown ? [hour, inHour] : [day, inDay];
    return [
      {
        operator,
        hour: isHourShown ? inHour : null,
        day: isDayShown ? inDay : null,
        percent: toPercent(reports / sumOf(counts)),
        usual: usual && { percent: toPercent(usual.shares[number] ?? 0), of: usual.of },
        isUnusual: isHourShown && isUnusual(number, lastReports),
      },
    ];
  }).toSorted((a, b) => (b.hour ?? 0) - (a.hour ?? 0) || (b.day ?? 0) - (a.day ?? 0));
  const shares = operators
    .filter(({ isUnusual: is }) => is)
    .map(({ operator, percent, usual: one }) => ({ operator, percent, usual: one?.percent ?? 0 }));
  const [first] = shares;
  if (first === undefined) return { operators, unusual: undefined };
  const number = OPERATORS.indexOf(first.operator);
  const isAlone = service.surge.phase !== "off" && isMaker(number, lastReports);
  return { operators, unusual: { shares: shares.slice(0, MAX_TOLD), isAlone } };
}

/** The same for each service of the catalogue. */
export function sumOperatorsOfAll(
  ledger: ReportLedger,
  services: readonly Pick<Service, "slug">[],
  nowMs: number,
): ReadonlyMap<string, OperatorSums> {
  const usualOf = usualSharesOf(ledger);
  return new Map(
    services.map(({ slug }) => [
      slug,
      sumOperators(ledger.services.get(slug), usualOf(slug), nowMs),
    ]),
  );
}

/** Reports of the last 60 minutes about a service. */
interface LastReports {
  readonly hour: Counts;
  readonly usual: Usual | undefined;
  /** How many are usual at this time; undefined: not known yet. */
  readonly expected: number | undefined;
}

function isUnusual(number: number, { hour, usual, expected }: LastReports): boolean {
  if (usual === undefined || number === OTHER_OPERATOR) return false;
  const [reports, total, share] = [hour[number] ?? 0, sumOf(hour), usual.shares[number] ?? 0];
  const now = reports / total;
  return (
    now >= share * UNUSUAL_FACTOR &&
    now >= share + UNUSUAL_POINTS &&
    boundOfTail(now, share, total) < UNUSUAL_PROBABILITY &&
    (expected === undefined || reports >= UNUSUAL_REPORTS * expected * share)
  );
}

/**
 * At least P(X ≥ now · total) for a binomial X with this share, where `now` is over it: the bound of Chernoff.
 * Source: https://en.wikipedia.org/wiki/Chernoff_bound#Additive_form_(absolute_error)
 */
function boundOfTail(now: number, share: number, total: number): number {
  const rest = now === 1 ? 0 : (1 - now) * Math.log((1 - now) / (1 - share));
  return Math.exp(-total * (now * Math.log(now / share) + rest));
}

/** Whether there would be no surge without the reports of this operator. */
function isMaker(number: number, { hour, usual, expected }: LastReports): boolean {
  const [reports, total, share] = [hour[number] ?? 0, sumOf(hour), usual?.shares[number] ?? 0];
  if (reports < MIN_ALONE_REPORTS) return false;
  if (expected === undefined) return reports >= ALONE_COLD_SHARE * total;
  return reports >= ALONE_SHARE * total && !isSharp(total - reports, expected * (1 - share));
}

/** Counted reports of each operator in [fromMs, toMs), of networks that are not ignored. */
export function countBetween(
  recent: ServiceReports["recent"],
  fromMs: number,
  toMs: number,
  ignoredNetworks: ReadonlySet<number> = new Set(),
): Counts {
  const counts = OPERATORS.map(() => 0);
  const surplus = surplusIn(recent, fromMs, toMs);
  for (let place = rowAtTime(recent, fromMs); place < rowAtTime(recent, toMs); place += 1) {
    if (surplus.has(place) || ignoredNetworks.has(recent.networks[place] ?? 0)) continue;
    const operator = recent.operators[place] ?? OTHER_OPERATOR;
    counts[operator] = (counts[operator] ?? 0) + 1;
  }
  return counts;
}

/** Counted reports of each operator in the last 24 clock hours, and how many different networks sent them at least. */
function countDay({ operators }: ServiceReports, nowMs: number) {
  const end = hourOf(nowMs) + 1;
  const rows = rowsBetween(operators.hours, end - HOURS_PER_DAY, end);
  const of = (number: number): Counts => rows.map(([, counts]) => counts[number] ?? 0);
  return {
    day: OPERATORS.map((_, number) => sumOf(of(number))),
    networks: OPERATORS.map((_, number) => Math.max(0, ...of(number))),
  };
}

function toPercent(share: number): number {
  return Math.round(share * 100);
}
