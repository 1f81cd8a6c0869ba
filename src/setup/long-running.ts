import { setTimeout as delay } from "node:timers/promises";
import type { Emit, RunEvent } from "../model/run-event.ts";
import { tolerate } from "../model/errors.ts";
import { MINUTE_MS, SECOND_MS } from "../model/time.ts";
import { isExpectedFailure } from "./errors.ts";
import { sleep } from "./io.ts";

/**
 * A write or publish in progress may take this long after a stop: the time limit of publishing a generation. Source: docs/publish/protocol.md;
 * the systemd unit waits longer (deploy/systemd/status-snapshot-intake.service).
 */
export const MAX_STOP_MS: number = MINUTE_MS;

/** Counts fall as reports age, even without new ones. Source: docs/reports/counting.md. */
export const REFRESH_EVERY_MS: number = 50 * SECOND_MS;

/** The value of a promise, or `late` after so many milliseconds, when what was promised goes on. Rejects as the promise does. */
export async function within<T, Late>(
  promise: Promise<T>,
  ms: number,
  late: Late,
): Promise<T | Late> {
  const settled = new AbortController();
  const patience = delay(ms, late, { signal: settled.signal }).catch(() => late);
  return Promise.race([promise, patience]).finally(() => settled.abort());
}

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
  "clock-off",
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

/** Acts again and again until stopped. What fails is logged and tried again; a store that is down stays down for hours: one line says so. */
export async function repeatUntilStopped(
  everyMs: number,
  acts: readonly (() => Promise<void>)[],
  stop: AbortSignal,
  warn: (sentence: string) => void,
): Promise<void> {
  const tolerant = acts.map((act) => tolerate(act, isExpectedFailure, warn));
  while (!stop.aborted) {
    await Promise.all(tolerant.map((act) => act()));
    await sleep(everyMs, stop);
  }
}
