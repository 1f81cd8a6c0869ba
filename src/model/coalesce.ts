/**
 * Shares requests about the same key: a call during one that is running shares the next, because what it asks for must be newer than the
 * call.
 */
export function coalesce<T>(request: (key: string) => Promise<T>): (key?: string) => Promise<T> {
  const newest = new Map<string, Promise<T>>();
  const queued = new Map<string, Promise<T>>();
  return (key = "") => {
    const waiting = queued.get(key);
    if (waiting !== undefined) return waiting;
    const begin = (): Promise<T> => {
      queued.delete(key);
      return request(key);
    };
    const next = (newest.get(key) ?? Promise.resolve()).then(begin, begin);
    const forget = (): void => {
      if (newest.get(key) === next) newest.delete(key);
    };
    newest.set(key, next);
    queued.set(key, next);
    next.then(forget, forget);
    return next;
  };
}
