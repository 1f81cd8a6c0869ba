import { utimesSync } from "node:fs";
import { join } from "node:path";

/**
 * Makes the lock that a killed writer has left in a directory store so old that the next writer takes it over at once, without
 * waiting for seconds. No writer may be running there.
 */
export function ageLock(root: string): void {
  try {
    utimesSync(join(root, ".tmp/lock"), 0, 0);
  } catch (error) {
    // The writer held no lock.
    if (!(error instanceof Error) || !("code" in error) || error.code !== "ENOENT") throw error;
  }
}
