import { MINUTE_MS, SECOND_MS } from "../model/time.ts";

/** From here on there is a warning: verdicts become stale after 15 minutes, and a run comes every five. */
export const DOUBTED_CLOCK_MS: number = 30 * SECOND_MS;
/** From here on nothing is published: every published time would be wrong by more than the interval of runs. */
export const REFUSED_CLOCK_MS: number = 5 * MINUTE_MS;

/** The times of one response of a store, on both clocks. */
export interface TimedResponse {
  /** On the clock of this machine, before the request was sent and after the response had begun. */
  readonly sentMs: number;
  readonly receivedMs: number;
  /** On the clock of the store, in whole seconds. Source: RFC 9110, section 6.6.1 (`Date`). */
  readonly storeMs: number;
}

/** How far the clock of this machine is ahead of the store's at least; negative: behind; 0 if both may be right. */
export function aheadOf({ sentMs, receivedMs, storeMs }: TimedResponse): number {
  const latestMs = storeMs + SECOND_MS;
  if (sentMs > latestMs) return sentMs - latestMs;
  return storeMs > receivedMs ? receivedMs - storeMs : 0;
}

/** How far the clock of this machine is off, as a clause. Negative: behind the other clock, by default that of the store. */
export function describeClock(aheadMs: number, other = "that of the store"): string {
  const offMs = Math.abs(aheadMs);
  const far =
    offMs < 2 * MINUTE_MS
      ? `${Math.round(offMs / SECOND_MS)} s`
      : `${Math.round(offMs / MINUTE_MS)} minutes`;
  return `the clock of this machine is ${far} ${aheadMs > 0 ? "ahead of" : "behind"} ${other}`;
}
