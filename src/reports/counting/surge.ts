import {
  type Surge,
  SURGE_SLOT_MS,
  type ReportLedger,
  type ServiceReports,
} from "../../model/service/reports.ts";
import { countEach, firstIndexWhere, mapValues } from "../../model/lists.ts";
import { MINUTE_MS } from "../../model/time.ts";
import { type RecentReports, recentBetween } from "../../model/service/recent-reports.ts";
import { COLD_START_MS, expectedReports, hourOf } from "./baseline.ts";
import { rowAt } from "./sorted-rows.ts";

/** The last 15 minutes before an evaluation, for one service. */
export type Observation = Omit<ReturnType<typeof observe>, "ignored">;

/** The least count that starts a surge of a service with a short history. */
export const COLD_THRESHOLD = 15;
/** Fewer blocks may belong to one provider or one owner of addresses. */
export const MIN_BLOCKS = 4;
const QUIET_PROBABILITY = 0.01;
const QUIET_COUNT = 3;
const QUIET_EVALUATIONS = 2;
const MIN_DURATION_MS: number = 15 * MINUTE_MS;

/** Whether no single provider or botnet could have sent these: at least four blocks, and none with more than half. */
export function isSpread({ count, blocks, largestBlock }: Observation): boolean {
  return blocks >= MIN_BLOCKS && 2 * largestBlock <= count;
}

/** Whether a surge should start. Source: docs/reports/counting.md, The detector. */
export function isStarting(observation: Observation): boolean {
  const isMany = observation.isCold
    ? observation.count >= COLD_THRESHOLD
    : isSharp(observation.count, observation.mean);
  return isMany && isSpread(observation);
}

/** Whether the number of reports is normal again. */
export function isQuiet({ count, mean, isCold }: Observation): boolean {
  if (isCold) return count < COLD_THRESHOLD;
  return count < QUIET_COUNT || tailProbability(count, mean) > QUIET_PROBABILITY;
}

/** The surge of one service after the evaluation at the beginning of `slot`, before the common-cause rule. */
export function stepSurge(surge: Surge, observation: Observation, slot: number): Surge {
  if (surge.phase === "off") {
    return isStarting(observation)
      ? { phase: "on", startedAtMs: slot * SURGE_SLOT_MS, quiet: 0, loudSlot: slot }
      : surge;
  }
  const quiet = isQuiet(observation) ? surge.quiet + 1 : 0;
  const isOldEnough = slot * SURGE_SLOT_MS - surge.startedAtMs >= MIN_DURATION_MS;
  return quiet >= QUIET_EVALUATIONS && isOldEnough
    ? { ...surge, phase: "off", quiet: 0 }
    : { ...surge, quiet, loudSlot: slot };
}

/** Share of all services above which surges that start together have one cause. */
const COMMON_RATIO = 0.3;
/** In a small catalogue a single service can be 30 %. */
const MIN_COMMON = 5;
/** Surges start together if they start within 15 minutes. */
const TOGETHER_SLOTS = 3;

/**
 * The common-cause rule. If the surges that started within the last 15 minutes, plus those already held, are more than 30 % of the
 * services (and at least five), one event of the network explains them, and they are held. A service is held until it is quiet.
 */
export function holdCommon(
  surges: ReadonlyMap<string, Surge>,
  services: number,
  slot: number,
): ReadonlyMap<string, Surge> {
  const isTogether = ({ phase, startedAtMs }: Surge) =>
    phase === "held" || (phase === "on" && startedAtMs > (slot - TOGETHER_SLOTS) * SURGE_SLOT_MS);
  const together = [...surges.values()].filter(isTogether).length;
  if (!isCommon(together, services)) return surges;
  return mapValues(surges, (surge) => (isTogether(surge) ? { ...surge, phase: "held" } : surge));
}

/** Whether so many services together have one cause. */
export function isCommon(together: number, services: number): boolean {
  return together >= MIN_COMMON && together > COMMON_RATIO * services;
}

/**
 * Size of the negative binomial distribution: the rate of reports has a coefficient of variation of 1/√4 = 0.5. The closed form
 * below needs a whole number.
 */
const SIZE = 4;

/** A surge starts if chance alone would give as many reports less often than this. Source: docs/reports/counting.md, The detector. */
export const START_PROBABILITY = 1e-6;

/** Fewer reports never start a surge. */
const MIN_REPORTS = 6;

/**
 * P(X ≥ count) for a negative binomial X of the given mean (over 0) and size 4, 0 to 1.
 *
 * X counts failures before the fourth success in trials that succeed with p = 4 / (4 + mean). X ≥ n means that the first
 * n + 3 trials have at most three successes, so the tail is the sum of four binomial terms, without cancellation.
 * Source: https://en.wikipedia.org/wiki/Negative_binomial_distribution#Binomial_distribution
 */
export function tailProbability(count: number, mean: number): number {
  if (count <= 0) return 1;
  const trials = count + SIZE - 1;
  const odds = SIZE / mean;
  // q^trials; each next term by its ratio to the previous one.
  let term = Math.exp(-trials * Math.log1p(odds));
  let sum = term;
  for (let successes = 1; successes < SIZE; successes += 1) {
    term *= ((trials - successes + 1) / successes) * odds;
    sum += term;
  }
  return Math.min(sum, 1);
}

/**
 * Whether that many reports in a window that expects `mean` are a sharp increase. They are then at least 5.3 times as many, by the
 * probability alone.
 */
export function isSharp(count: number, mean: number): boolean {
  return count >= MIN_REPORTS && tailProbability(count, mean) < START_PROBABILITY;
}

/** The least count that is a sharp increase over `mean`. */
export function sharpThreshold(mean: number): number {
  let sharp = MIN_REPORTS;
  while (!isSharp(sharp, mean)) sharp *= 2;
  return firstIndexWhere(sharp, (count) => isSharp(count, mean));
}

/** Slots in the window of an evaluation: 15 minutes. */
export const WINDOW_SLOTS = 3;

/** A network that reports more services than this in one window is ignored. Source: docs/reports/counting.md, Fair counting. */
const MAX_SERVICES = 5;

/** Accepted reports of a service in the 15 minutes before the slot. */
export function windowOf(recent: RecentReports, slot: number): RecentReports {
  return recentBetween(recent, (slot - WINDOW_SLOTS) * SURGE_SLOT_MS, slot * SURGE_SLOT_MS);
}

/** Networks that reported more than five services in the 15 minutes before the slot. */
export function findIgnoredNetworks(
  services: ReportLedger["services"],
  slot: number,
): ReadonlySet<number> {
  const reported = countEach(
    [...services.values()].flatMap(({ recent }) => [...new Set(windowOf(recent, slot).networks)]),
  );
  return new Set(
    [...reported].filter(([, times]) => times > MAX_SERVICES).map(([network]) => network),
  );
}

/** Counts who reported the service in the 15 minutes before the slot, for the evaluation at its beginning. Pure. */
export function observe(
  { firstAtMs, hours, recent }: ServiceReports,
  slot: number,
  ignoredNetworks: ReadonlySet<number>,
) {
  const atMs = slot * SURGE_SLOT_MS;
  const { networks, blocks } = windowOf(recent, slot);
  const blockOf = new Map<number, number>();
  for (const [place, network] of networks.entries()) blockOf.set(network, blocks[place] ?? 0);
  const all = blockOf.size;
  for (const network of ignoredNetworks) blockOf.delete(network);
  const sizes = countEach(blockOf.values());
  return {
    /** Distinct networks that reported it and are not ignored. */
    count: blockOf.size,
    /** Distinct networks that are ignored. */
    ignored: all - blockOf.size,
    /** Distinct blocks of those that are not. */
    blocks: sizes.size,
    /** Networks in the largest block. */
    largestBlock: [...sizes.values()].reduce((most, size) => Math.max(most, size), 0),
    /** Expected reports: of the hour in which the window ends, not of the one that begins at its end. */
    mean: expectedReports((hour) => rowAt(hours, hour), hourOf(firstAtMs), hourOf(atMs - 1)),
    /** The history of the service is too short to compare with. */
    isCold: atMs - firstAtMs < COLD_START_MS,
  };
}
