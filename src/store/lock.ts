import { join } from "node:path";
import pLimit from "p-limit";
import { lock } from "proper-lockfile";
import { makeFolder } from "./durable-file.ts";

/** A critical section takes milliseconds; a lock this old belongs to a process that was killed. The least the library allows. */
const STALE_MS = 5_000;

/** Waits that together are longer than a dead writer's lock lives. */
const RETRIES = { retries: 1_000, factor: 1, minTimeout: 5, maxTimeout: 20, randomize: true };

/** Runs an act alone, after those that came before it. Rejects as the act does, and as `withLock` throws. */
export type TakeTurn = <T>(act: () => Promise<T>) => Promise<T>;

/** The lock of a folder, for writers of this process one after the other: who finds it taken looks again only after a pause. */
export function createTurns(folder: string, mode: number): TakeTurn {
  const inTurn = pLimit(1);
  return (act) => inTurn(() => withLock(folder, mode, act));
}

/**
 * Runs the act while no other process of this machine holds the lock of the folder. The folder is made if need be.
 * Throws the system's error; ELOCKED when the lock stayed taken.
 */
async function withLock<T>(folder: string, mode: number, act: () => Promise<T>): Promise<T> {
  await makeFolder(folder, mode);
  const release = await lock(folder, {
    lockfilePath: join(folder, "lock"),
    stale: STALE_MS,
    retries: RETRIES,
    // A lock that was taken over from us while we were paused: our write is then a late one, which publishing allows for.
    onCompromised: () => undefined,
  });
  try {
    return await act();
  } finally {
    // Gone already when it was taken over.
    await release().catch(() => undefined);
  }
}
