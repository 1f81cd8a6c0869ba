import { type Exchange, headerOf } from "./client.ts";
import { isUnixSeconds, type JsonObject } from "../api/json-document.ts";
import { type CheckFinding, skip, toFinding, unless } from "../finding.ts";

/** Smaller differences of clocks do not count: NTP keeps clocks within a second, and `Date` has whole seconds. */
const CLOCK_TOLERANCE_MS = 60_000;

/** The current time for checks of freshness, and by how much the server's clock is ahead of ours. */
export type ServerClock = ReturnType<typeof readClock>;

/**
 * The server's clock, from the `Date` of a response to a new random path, which no cache can have; without a `Date`, the local clock. A
 * cache that never expires would keep the `Date` of the list together with `updated`.
 */
export function readClock(uncached: Exchange | undefined, localMs: number) {
  const dateMs =
    uncached?.kind === "answer" ? Date.parse(headerOf(uncached, "date") ?? "") : Number.NaN;
  if (Number.isNaN(dateMs)) return { nowMs: localMs, source: "local" as const, aheadMs: 0 };
  return { nowMs: dateMs, source: "server" as const, aheadMs: dateMs - localMs };
}

/** Checks the age of `updated` of the list. */
export function checkListFreshness(
  list: JsonObject | undefined,
  { nowMs, source, aheadMs }: ServerClock,
  maxAgeMs: number,
): CheckFinding {
  const updated = list?.["updated"];
  if (!isUnixSeconds(updated)) return skip("list.fresh", "`updated` could not be read");
  const ageMs = nowMs - updated * 1_000;
  const seconds = Math.round(Math.abs(ageMs) / 1_000);
  const skewSeconds = Math.round(Math.abs(aheadMs) / 1_000);
  const where = aheadMs < 0 ? "behind" : "ahead of";
  return toFinding(
    "list.fresh",
    [
      ...unless(
        ageMs <= maxAgeMs,
        `updated is ${seconds} s old, the limit is ${maxAgeMs / 1_000} s`,
      ),
      ...unless(-ageMs <= CLOCK_TOLERANCE_MS, `updated is ${seconds} s in the future`),
    ],
    ageMs < 0 ? "just now" : `${seconds} s old`,
    [
      ...unless(
        source === "server",
        "no Date header: the age is computed with the clock of this machine",
      ),
      ...unless(
        Math.abs(aheadMs) <= CLOCK_TOLERANCE_MS,
        `the clock of the server is ${skewSeconds} s ${where} the one of this machine`,
      ),
    ],
  );
}

/** Whether the Unix seconds of a field are later than now. */
export function findFuture(name: string, seconds: number, clock: ServerClock): readonly string[] {
  const aheadS = Math.round(seconds - clock.nowMs / 1_000);
  return unless(!isInFuture(seconds, clock), `${name} is ${seconds}, ${aheadS} s in the future`);
}

/** Whether Unix seconds are later than now, give or take what clocks differ by. */
export function isInFuture(seconds: number, { nowMs }: ServerClock): boolean {
  return seconds * 1_000 - nowMs > CLOCK_TOLERANCE_MS;
}
