import { MINUTE_MS, SECOND_MS } from "../model/time.ts";

/** From here on somebody should look: verdicts turn stale after 15 minutes, and a run comes every five. */
export const DOUBTED_CLOCK_MS: number = 30 * SECOND_MS;
/** From here on nothing is published: every time in it would be wrong by more than a run. */
export const REFUSED_CLOCK_MS: number = 5 * MINUTE_MS;

/** One answer of a store, on both clocks. */
export interface TimedAnswer {
  /** On the clock of this machine, before the request was sent and after the answer had begun. */
  readonly askedMs: number;
  readonly answeredMs: number;
  /** What the store said of the time, in whole seconds. Source: RFC 9110, section 6.6.1 (`Date`). */
  readonly storeMs: number;
}

/**
 * How far the clock of this machine is ahead of the store's, at least; negative: behind. 0 where the time that the store told could
 * have been right at some moment of the request.
 */
export function aheadOf({ askedMs, answeredMs, storeMs }: TimedAnswer): number {
  const latestMs = storeMs + SECOND_MS;
  if (askedMs > latestMs) return askedMs - latestMs;
  return storeMs > answeredMs ? answeredMs - storeMs : 0;
}
