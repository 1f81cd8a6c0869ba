import { SECOND_MS } from "../model/time.ts";

/** The longest wait for a write without a journal: a slow store is better than a refusal. A browser waits longer. */
export const SLOWEST_WRITE_MS: number = 10 * SECOND_MS;

/** Small compared with every timeout. One turn of the event loop counts for at most this time. */
const SLICE_MS = 10;

/**
 * Rejects after so many milliseconds. The action continues, because a write cannot be cancelled. Time in which the event loop was
 * blocked does not count: on a busy machine a response may have arrived but not been read yet, and a fast store would be taken for
 * a slow one.
 */
export async function withTimeout<T>(action: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const wait = (leftMs: number): void => {
      const sliceMs = Math.min(leftMs, SLICE_MS);
      timer = setTimeout(() => {
        if (leftMs > sliceMs) wait(leftMs - sliceMs);
        else reject(new Error(`no answer within ${timeoutMs} ms`));
      }, sliceMs);
    };
    wait(timeoutMs);
  });
  try {
    return await Promise.race([action, late]);
  } finally {
    clearTimeout(timer);
  }
}
