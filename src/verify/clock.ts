import { type Exchange, headerOf } from "./exchange.ts";
import { type Finding, judge, skip } from "./finding.ts";
import type { ListReading } from "./list.ts";
import { isUnixSeconds } from "./shape.ts";

/** Clocks that differ by less are as good as the same: NTP keeps within a second, and `Date` has whole seconds. */
export const CLOCK_TOLERANCE_MS = 60_000;

/** The time by which freshness is judged. */
export interface ServerClock {
  readonly nowMs: number;
  readonly source: "server" | "local";
  /** By how much the server's clock is ahead of ours. */
  readonly aheadMs: number;
}

/**
 * The clock of the server, by the `Date` of an answer that no cache can have held: one to a path that was made up just now.
 * Without it, ours. The `Date` of the list itself would do for a cache that froze with it.
 */
export function readClock(uncached: Exchange | undefined, localMs: number): ServerClock {
  const dateMs =
    uncached?.kind === "answer" ? Date.parse(headerOf(uncached, "date") ?? "") : Number.NaN;
  if (Number.isNaN(dateMs)) return { nowMs: localMs, source: "local", aheadMs: 0 };
  return { nowMs: dateMs, source: "server", aheadMs: dateMs - localMs };
}

/** Judges the age of `updated`. */
export function judgeFreshness(list: ListReading, clock: ServerClock, maxAgeMs: number): Finding {
  const updated = list.value?.["updated"];
  if (!isUnixSeconds(updated)) return skip("list.fresh", "`updated` could not be read");
  const ageMs = clock.nowMs - updated * 1_000;
  const seconds = Math.round(Math.abs(ageMs) / 1_000);
  const problems = [
    ...(ageMs > maxAgeMs ? [`updated is ${seconds} s old, allowed are ${maxAgeMs / 1_000}`] : []),
    ...(-ageMs > CLOCK_TOLERANCE_MS ? [`updated is ${seconds} s in the future`] : []),
  ];
  const skewSeconds = Math.round(Math.abs(clock.aheadMs) / 1_000);
  const where = clock.aheadMs < 0 ? "behind" : "ahead of";
  const warnings = [
    ...(clock.source === "local" ? ["no Date header: judged by the clock of this machine"] : []),
    ...(Math.abs(clock.aheadMs) > CLOCK_TOLERANCE_MS
      ? [`the clock of the server is ${skewSeconds} s ${where} the one of this machine`]
      : []),
  ];
  return judge("list.fresh", problems, ageMs < 0 ? "just now" : `${seconds} s old`, warnings);
}
