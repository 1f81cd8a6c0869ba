import pLimit, { type LimitFunction } from "p-limit";

/** Connections to one host at once. Source: docs/probe/measurement.md. */
export const PER_HOST = 2;

/** Runs a task for a host as soon as both limits allow it. */
export type Pool = <T>(host: string, task: () => Promise<T>) => Promise<T>;

/**
 * Takes the host's limit first, so that a queue for one host does not occupy slots that other hosts could use.
 *
 * @param perHost tasks at once for one host: filters freeze clients that open many connections to one network.
 */
export function createPool({
  concurrency,
  perHost,
}: Record<"concurrency" | "perHost", number>): Pool {
  const all = pLimit(concurrency);
  const hosts = new Map<string, { readonly limit: LimitFunction; tasks: number }>();
  return async (host, task) => {
    const entry = hosts.get(host) ?? { limit: pLimit(perHost), tasks: 0 };
    hosts.set(host, entry);
    entry.tasks += 1;
    try {
      return await entry.limit(() => all(task));
    } finally {
      entry.tasks -= 1;
      // A run may have 100,000 hosts, each used once.
      if (entry.tasks === 0) hosts.delete(host);
    }
  };
}
