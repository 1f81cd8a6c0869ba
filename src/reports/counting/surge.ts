import { type Surge, SURGE_SLOT_MS } from "../../model/service/reports.ts";
import { MINUTE_MS } from "../../model/time.ts";
import { isSharp, tailProbability } from "./poisson-tail.ts";

/** The last 15 minutes before an evaluation, for one service. */
export interface Observation {
  /** Distinct networks, without the ignored ones. */
  readonly count: number;
  /** Distinct blocks of these networks. */
  readonly blocks: number;
  /** Networks in the largest block. */
  readonly largestBlock: number;
  /** Expected reports. */
  readonly mean: number;
  /** Whether the history of the service is too short to compare with. */
  readonly isCold: boolean;
}

const COLD_COUNT = 15;
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
    ? observation.count >= COLD_COUNT
    : isSharp(observation.count, observation.mean);
  return isMany && isSpread(observation);
}

/** Whether the number of reports is normal again. */
export function isQuiet({ count, mean, isCold }: Observation): boolean {
  if (isCold) return count < COLD_COUNT;
  return count < QUIET_COUNT || tailProbability(count, mean) > QUIET_PROBABILITY;
}

/** The least count that starts a surge of a service with a short history. */
export const COLD_THRESHOLD: number = COLD_COUNT;

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
  return new Map(
    [...surges].map(([slug, surge]) => [
      slug,
      isTogether(surge) ? { ...surge, phase: "held" } : surge,
    ]),
  );
}

/** Whether so many services together have one cause. */
export function isCommon(together: number, services: number): boolean {
  return together >= MIN_COMMON && together > COMMON_RATIO * services;
}
