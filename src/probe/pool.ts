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
  const hosts = new Map<string, { readonly limit: LimitFunction; tasks: number }>();
  return async (host, task) => {
    const entry = hosts.get(host) ?? { limit: pLimit(options.perHost), tasks: 0 };
    hosts.set(host, entry);
    entry.tasks += 1;
    try {
      return await entry.limit(() => all(task));
    } finally {
      entry.tasks -= 1;
      // A run may meet 100,000 hosts, each of them once.
      if (entry.tasks === 0) hosts.delete(host);
    }
  };
}
