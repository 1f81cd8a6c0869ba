import { Resolver } from "node:dns/promises";
import type { FailureCode } from "../model/outcome.ts";

export type DnsAnswer =
  | { readonly kind: "addresses"; readonly addresses: readonly string[] }
  | { readonly kind: "failed"; readonly code: Extract<FailureCode, `dns-${string}`> };

/** Addresses of one family for a name, within the budget; the signal ends the query at once. Never throws. */
export type Resolve = (
  host: string,
  family: 4 | 6,
  budgetMs: number,
  signal: AbortSignal,
) => Promise<DnsAnswer>;

/** c-ares codes (`ares.h`, as Node spells them) in our vocabulary; anything else is a malformed exchange. */
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
 * A resolver on c-ares. Every query has a `Resolver` of its own, so its time-out is its own and a name whose
 * servers are dead delays no other name; `getaddrinfo` shares a pool of four threads and would.
 *
 * @param servers `ADDR[:PORT]` as `dns.setServers` takes them; empty: the system's.
 * @param timeoutMs for one query, retries included.
 */
export function createResolver(servers: readonly string[], timeoutMs: number): Resolve {
  return async (host, family, budgetMs, signal) => {
    const limitMs = Math.min(timeoutMs, budgetMs);
    // The second try doubles the wait, so a third of the time lets both fit.
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
