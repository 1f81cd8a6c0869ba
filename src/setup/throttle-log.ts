import type { Emit, RunEvent } from "../model/run-event.ts";
import { MINUTE_MS } from "../model/time.ts";

/** Whether something may be logged again: at most once a minute. */
export type Throttle = (what: string) => boolean;

export function createThrottle(nowMs: () => number): Throttle {
  const loggedMs = new Map<string, number>();
  return (what) => {
    const lastMs = loggedMs.get(what);
    // A clock that was set back must not suppress warnings.
    if (lastMs !== undefined && Math.abs(nowMs() - lastMs) < MINUTE_MS) return false;
    loggedMs.set(what, nowMs());
    return true;
  };
}

/** Events that every publish would repeat until their cause is fixed. */
const LASTING: ReadonlySet<RunEvent["event"]> = new Set([
  "inbox-not-cleared",
  "monitors-degraded",
  "monitors-withheld",
  "owner-edits-deferred",
  "removals-withheld",
  "reports-deferred",
  "site-without-address",
]);

/** Logs lasting events once a minute, for a process that publishes repeatedly. */
export function throttleEvents(emit: Emit, isDue: Throttle): Emit {
  return (event) => {
    if (!LASTING.has(event.event) || isDue(event.event)) emit(event);
  };
}
