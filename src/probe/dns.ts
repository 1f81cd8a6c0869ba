import { Resolver } from "node:dns/promises";
import type { FailureCode } from "../model/probe-outcome.ts";

export type DnsAnswer =
  | { readonly kind: "addresses"; readonly addresses: readonly string[] }
  | { readonly kind: "failed"; readonly code: Extract<FailureCode, `dns-${string}`> };

/** Looks up the addresses of one family within the budget; the signal ends the query at once. Never throws. */
export type Resolve = (
  host: string,
  family: 4 | 6,
  budgetMs: number,
  signal: AbortSignal,
) => Promise<DnsAnswer>;

/** Failure codes by c-ares code (`ares.h`, as Node spells them); any other code means a malformed exchange. */
const CODES: Readonly<Record<string, Extract<FailureCode, `dns-${string}`>>> = {
  ENOTFOUND: "dns-nxdomain",
  ESERVFAIL: "dns-servfail",
  EREFUSED: "dns-refused",
  ENODATA: "dns-no-answer",
  ETIMEOUT: "dns-timeout",
  ECANCELLED: "dns-timeout",
  ECONNREFUSED: "dns-server-unreachable",
};

/**
 * A resolver on c-ares. Every query has its own `Resolver` and time-out, so a name with dead servers delays no other name.
 * With `getaddrinfo` it would, because all lookups share a pool of four threads.
 *
 * @param servers `ADDR[:PORT]` as in `dns.setServers`; empty: the system's.
 * @param timeoutMs for one query, retries included.
 */
export function createResolver(servers: readonly string[], timeoutMs: number): Resolve {
  return async (host, family, budgetMs, signal) => {
    const limitMs = Math.min(timeoutMs, budgetMs);
    // The second attempt waits twice as long, so a third of the time lets both fit.
    const resolver = new Resolver({ timeout: Math.ceil(limitMs / 3), tries: 2 });
    if (servers.length > 0) resolver.setServers(servers);
    const cancel = (): void => resolver.cancel();
    const timer = setTimeout(cancel, limitMs);
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const addresses = await (family === 4 ? resolver.resolve4(host) : resolver.resolve6(host));
      return { kind: "addresses", addresses };
    } catch (error) {
      return { kind: "failed", code: CODES[errorCode(error)] ?? "dns-malformed" };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
    }
  };
}

function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
