import { MINUTE_MS, SECOND_MS } from "../model/time.ts";

/** How far the clock of this machine is off, as a clause. Negative: behind the other clock, by default that of the store. */
export function describeClock(aheadMs: number, other = "that of the store"): string {
  const offMs = Math.abs(aheadMs);
  const far =
    offMs < 2 * MINUTE_MS
      ? `${Math.round(offMs / SECOND_MS)} s`
      : `${Math.round(offMs / MINUTE_MS)} minutes`;
  return `the clock of this machine is ${far} ${aheadMs > 0 ? "ahead of" : "behind"} ${other}`;
}
