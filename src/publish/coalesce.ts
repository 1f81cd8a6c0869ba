/**
 * Coalesces concurrent calls into one. A call during a running request shares the next request, because the response must be newer
 * than the call.
 */
export function coalesce<T>(request: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let queued: Promise<T> | undefined;
  const begin = (): Promise<T> => {
    queued = undefined;
    return request();
  };
  return () => {
    if (queued !== undefined) return queued;
    queued = running.then(begin, begin);
    running = queued;
    return queued;
  };
}
