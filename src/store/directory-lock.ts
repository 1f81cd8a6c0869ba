import { join } from "node:path";
import pLimit from "p-limit";
import { lock } from "proper-lockfile";
import { makeFolder } from "./atomic-file.ts";

/** A critical section takes milliseconds, so a lock this old belongs to a process that was killed. The minimum of the library. */
const STALE_MS = 5_000;

/** In total longer than the lock of a dead writer lasts. */
const RETRIES = { retries: 1_000, factor: 1, minTimeout: 5, maxTimeout: 20, randomize: true };

/** Runs acts one at a time, in order. Rejects as the act does, and as `withLock` throws. */
export type RunExclusive = <T>(act: () => Promise<T>) => Promise<T>;

/**
 * The lock of a folder. Writers of this process queue in memory, because a writer that finds the lock taken retries only after a
 * pause.
 */
export function createMutex(folder: string, mode: number): RunExclusive {
  const inTurn = pLimit(1);
  return (act) => inTurn(() => withLock(folder, mode, act));
}

/**
 * Runs the act while this process holds the lock of the folder, against other processes of this machine. Makes the folder if it is
 * missing. Throws the system's error; ELOCKED when the lock stayed taken.
 */
async function withLock<T>(folder: string, mode: number, act: () => Promise<T>): Promise<T> {
  await makeFolder(folder, mode);
  const release = await lock(folder, {
    lockfilePath: join(folder, "lock"),
    stale: STALE_MS,
    retries: RETRIES,
    // Another process took the lock over while this one was paused: the write is then a late one, which publishing tolerates.
    onCompromised: () => undefined,
  });
  try {
    return await act();
  } finally {
    // It no longer exists when it was taken over.
    await release().catch(() => undefined);
  }
}
