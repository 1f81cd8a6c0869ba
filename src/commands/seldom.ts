import type { Emit, RunEvent } from "../model/event.ts";
import { MINUTE_MS } from "../model/time.ts";

/** Whether something may be told again: once a minute, for what goes on for hours and happens several times a second. */
export type IsDue = (what: string) => boolean;

/** Remembers when each thing was told. Never throws. */
export function createReminder(nowMs: () => number): IsDue {
  const toldMs = new Map<string, number>();
  return (what) => {
    const lastMs = toldMs.get(what);
    // A clock that was set back must not silence anything.
    if (lastMs !== undefined && Math.abs(nowMs() - lastMs) < MINUTE_MS) return false;
    toldMs.set(what, nowMs());
    return true;
  };
}

/** What each publish would tell anew as long as nobody mends it. */
const LASTING: ReadonlySet<RunEvent["event"]> = new Set([
  "inbox-not-cleared",
  "monitors-disturbed",
  "monitors-held-back",
  "removals-held-back",
  "reports-waiting",
  "site-without-address",
]);

/** The same for whoever publishes again and again: what lasts is told once a minute. */
export function emitSeldom(emit: Emit, isDue: IsDue): Emit {
  return (event) => {
    if (!LASTING.has(event.event) || isDue(event.event)) emit(event);
  };
}
