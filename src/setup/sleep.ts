import { setTimeout as delay } from "node:timers/promises";

/** Resolves after `ms`, or early on abort; the caller checks the signal. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
