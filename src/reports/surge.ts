import { type Surge, SURGE_SLOT_MS } from "../model/reports.ts";
import { MINUTE_MS } from "../model/time.ts";
import { isSharp, tailProbability } from "./tail.ts";

/** What the last 15 minutes before an evaluation say of one service. */
export interface Observation {
  /** Distinct networks, without those that report everything. */
  readonly count: number;
  /** Distinct blocks that they lie in. */
  readonly blocks: number;
  /** Networks in the block that has most of them. */
  readonly largestBlock: number;
  /** What was to be expected. */
  readonly mean: number;
  /** Whether the service is too young for its own history to judge by. */
  readonly isCold: boolean;
}

const COLD_COUNT = 15;
/** Fewer may be one provider or one owner of addresses. */
export const MIN_BLOCKS = 4;
const QUIET_PROBABILITY = 0.01;
const QUIET_COUNT = 3;
const QUIET_EVALUATIONS = 2;
const MIN_DURATION_MS: number = 15 * MINUTE_MS;

/** Whether no single provider or botnet could have sent these: four blocks, and none with more than half. */
export function isSpread({ count, blocks, largestBlock }: Observation): boolean {
  return blocks >= MIN_BLOCKS && 2 * largestBlock <= count;
}

/** Whether a surge should start. Source: docs/reports.md, The detector. */
export function isStarting(seen: Observation): boolean {
  const isMany = seen.isCold ? seen.count >= COLD_COUNT : isSharp(seen.count, seen.mean);
  return isMany && isSpread(seen);
}

/** Whether nothing unusual is left. */
export function isQuiet({ count, mean, isCold }: Observation): boolean {
  if (isCold) return count < COLD_COUNT;
  return count < QUIET_COUNT || tailProbability(count, mean) > QUIET_PROBABILITY;
}

/** The least count that starts a surge of a young service. */
export const COLD_THRESHOLD: number = COLD_COUNT;

/** The surge after the evaluation at the beginning of `slot`, taken by itself. */
export function stepSurge(surge: Surge, seen: Observation, slot: number): Surge {
  if (surge.phase === "off") {
    return isStarting(seen)
      ? { phase: "on", startedAtMs: slot * SURGE_SLOT_MS, quiet: 0, loudSlot: slot }
      : surge;
  }
  const quiet = isQuiet(seen) ? surge.quiet + 1 : 0;
  const isOldEnough = slot * SURGE_SLOT_MS - surge.startedAtMs >= MIN_DURATION_MS;
  return quiet >= QUIET_EVALUATIONS && isOldEnough
    ? { ...surge, phase: "off", quiet: 0 }
    : { ...surge, quiet, loudSlot: slot };
}

/** Share of all services above which what starts together has one cause. */
const COMMON_RATIO = 0.3;
/** In a small catalogue a single service can be 30 %. */
const MIN_COMMON = 5;
/** Starting together: within a window of 15 minutes. */
const TOGETHER_SLOTS = 3;

/**
 * The common-cause rule over the surges of one evaluation. When those that started within the last 15 minutes, with those
 * already held, are more than 30 % of the services (and five at least), one event of the network explains them: they are
 * held. A held service stays so until it is quiet.
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
  return new Map(
    [...surges].map(([slug, surge]) => [
      slug,
      isTogether(surge) ? { ...surge, phase: "held" } : surge,
    ]),
  );
}

/** Whether so many of the services together have one cause. */
export function isCommon(together: number, services: number): boolean {
  return together >= MIN_COMMON && together > COMMON_RATIO * services;
}
