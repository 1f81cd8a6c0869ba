/**
 * Asks once for all who want to know at the same time. Who comes while an answer is under way waits for the next one: the
 * answer must be younger than the question.
 */
export function shareNext<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let queued: Promise<T> | undefined;
  const begin = (): Promise<T> => {
    queued = undefined;
    return ask();
  };
  return () => {
    if (queued !== undefined) return queued;
    queued = running.then(begin, begin);
    running = queued;
    return queued;
  };
}
