import { utimesSync } from "node:fs";
import { join } from "node:path";

/**
 * Makes the lock that a killed writer has left in a directory store so old that the next one takes it over at once, and does not wait
 * for seconds first. Nobody may be at work there.
 */
export function ageLock(root: string): void {
  try {
    utimesSync(join(root, ".tmp/lock"), 0, 0);
  } catch (error) {
    // It had none in hand.
    if (!(error instanceof Error) || !("code" in error) || error.code !== "ENOENT") throw error;
  }
}
