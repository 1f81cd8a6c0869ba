import pLimit, { type LimitFunction } from "p-limit";

export interface PoolOptions {
  /** Tasks under way at once. */
  readonly concurrency: number;
  /** Tasks under way at once with the same host: filters freeze clients that open many connections to one network. */
  readonly perHost: number;
}

/** Runs a task for a host when both limits allow it. */
export type Pool = <T>(host: string, task: () => Promise<T>) => Promise<T>;

/** The host's limit is taken first, so that a queue for one host holds no place that another could use. */
export function createPool(options: PoolOptions): Pool {
  const all = pLimit(options.concurrency);
  const hosts = new Map<string, LimitFunction>();
  return (host, task) => {
    const limit = hosts.get(host) ?? pLimit(options.perHost);
    hosts.set(host, limit);
    return limit(() => all(task));
  };
}
