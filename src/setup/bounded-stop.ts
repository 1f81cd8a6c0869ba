import { setTimeout as delay } from "node:timers/promises";
import { MINUTE_MS } from "../model/time.ts";

/**
 * A write or publish in progress may take this long after a stop: the time limit of publishing a generation. Source: docs/publish/protocol.md;
 * the systemd unit waits longer (deploy/systemd/status-snapshot-intake.service).
 */
export const MAX_STOP_MS: number = MINUTE_MS;

/** Whether an action ends within `ms`. It continues if it does not. Rejects as the action does. */
export async function endsWithin(act: Promise<unknown>, ms: number): Promise<boolean> {
  const settled = new AbortController();
  const late = delay(ms, false, { signal: settled.signal }).catch(() => false);
  try {
    return await Promise.race([act.then(() => true), late]);
  } finally {
    settled.abort();
  }
}
