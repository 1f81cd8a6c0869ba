import { setTimeout as delay } from "node:timers/promises";

/** Resolves after the time, or early when the signal comes: what follows sees the signal itself. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
