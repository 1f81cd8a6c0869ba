import { setTimeout as delay } from "node:timers/promises";
import { MINUTE_MS } from "../model/time.ts";

/**
 * A write and a publish in hand may take so long to end after a stop was asked for. It is the time that one generation may take to be
 * published. Source: docs/publishing.md; the unit of systemd waits longer (deploy/systemd/status-snapshot-intake.service).
 */
export const LONGEST_STOP_MS: number = MINUTE_MS;

/** Whether the act ends within so many milliseconds. It goes on if it does not. Rejects as the act does. */
export async function endsWithin(act: Promise<unknown>, ms: number): Promise<boolean> {
  const settled = new AbortController();
  const late = delay(ms, false, { signal: settled.signal }).catch(() => false);
  try {
    return await Promise.race([act.then(() => true), late]);
  } finally {
    settled.abort();
  }
}
