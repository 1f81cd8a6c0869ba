/** Short beside every limit: a turn of the loop counts for no more, however long it took. */
const SLICE_MS = 10;

/**
 * Rejects when the act takes longer than so many milliseconds. The act itself goes on: nobody can take back a write. Time in which
 * this process could not run does not count, for an answer that has come may wait to be heard: on a busy machine a limit of a
 * second would otherwise blame a store that is quick.
 */
export async function within<T>(act: Promise<T>, timeoutMs: number): Promise<T> {
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
    return await Promise.race([act, late]);
  } finally {
    clearTimeout(timer);
  }
}
