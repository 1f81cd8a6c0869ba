import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { errnoOf } from "../../model/errors.ts";
import type { FailureCode } from "../../model/failures.ts";
import { withoutBrackets } from "../../model/host-name.ts";
import { onAbort } from "./tcp.ts";

type DnsFailure = Extract<FailureCode, `dns-${string}`>;

interface DnsFailed {
  readonly kind: "failed";
  readonly code: DnsFailure;
}

/** The records of a query: addresses, unless others are named. */
export type DnsAnswer<Found = string> =
  | { readonly kind: "records"; readonly records: readonly Found[] }
  | DnsFailed;

/** Looks up the addresses of one family within the budget; the signal ends the query at once. Never throws. */
export type Resolve = (
  host: string,
  family: 4 | 6,
  budgetMs: number,
  signal: AbortSignal,
) => Promise<DnsAnswer>;

/** Failure codes by c-ares code (`ares.h`, as Node spells them); any other code means a malformed exchange. */
const CODES: Readonly<Record<string, DnsFailure>> = {
  ENOTFOUND: "dns-nxdomain",
  ESERVFAIL: "dns-servfail",
  EREFUSED: "dns-refused",
  ENODATA: "dns-no-answer",
  ETIMEOUT: "dns-timeout",
  ECANCELLED: "dns-timeout",
  ECONNREFUSED: "dns-server-unreachable",
};

/** Looks up TXT records within the time-out: the strings of each. A name that does not exist has an empty list. Never throws. */
export type ResolveTxt = (
  name: string,
  signal: AbortSignal,
) => Promise<DnsAnswer<readonly string[]>>;

/** Looks up TXT records as `createResolver` does addresses. */
export function createTxtResolver(servers: readonly string[], timeoutMs: number): ResolveTxt {
  return async (name, signal) => {
    const found = await query(servers, timeoutMs, signal, (resolver) => resolver.resolveTxt(name));
    if (found.kind === "records") return found;
    const isAbsent = found.code === "dns-nxdomain" || found.code === "dns-no-answer";
    return isAbsent ? { kind: "records", records: [] } : found;
  };
}

/**
 * A resolver on c-ares. Every query has its own `Resolver` and time-out, so a name with dead servers delays no other name. With
 * `getaddrinfo` it would, because all lookups share a pool of four threads.
 *
 * @param servers `ADDR[:PORT]` as in `dns.setServers`; empty: the system's.
 * @param timeoutMs for one query, retries included.
 */
export function createResolver(servers: readonly string[], timeoutMs: number): Resolve {
  return (host, family, budgetMs, signal) =>
    query(servers, Math.min(timeoutMs, budgetMs), signal, (resolver) =>
      family === 4 ? resolver.resolve4(host) : resolver.resolve6(host),
    );
}

async function query<T>(
  servers: readonly string[],
  limitMs: number,
  signal: AbortSignal,
  ask: (resolver: Resolver) => Promise<T[]>,
): Promise<DnsAnswer<T>> {
  // The second attempt waits twice as long, so a third of the time lets both fit.
  const resolver = new Resolver({ timeout: Math.ceil(limitMs / 3), tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  const cancel = (): void => resolver.cancel();
  const timer = setTimeout(cancel, limitMs);
  const leave = onAbort(signal, cancel);
  try {
    return { kind: "records", records: await ask(resolver) };
  } catch (error) {
    return { kind: "failed", code: CODES[errnoOf(error) ?? ""] ?? "dns-malformed" };
  } finally {
    clearTimeout(timer);
    leave();
  }
}

/** Rules that an address must pass before anything connects to it. */
export interface AddressRules {
  /** Why connecting to an address is not allowed; undefined if it is allowed. */
  readonly refusalOf: (address: string) => string | undefined;
  /** Id of the fingerprint if the address is a known stub of a provider. */
  readonly stubOf: (address: string) => string | undefined;
}

export type AddressAnswer =
  | {
      readonly kind: "addresses";
      readonly addresses: readonly string[];
      /** The answer also had addresses to which connecting is not allowed. */
      readonly hasRefused: boolean;
    }
  | (DnsFailed & { readonly fingerprint?: string });

/** Addresses of one family for a host (a literal is its own address), without those to which connecting is not allowed. */
export async function findAddresses(
  host: string,
  family: 4 | 6,
  resolve: () => Promise<DnsAnswer>,
  rules: AddressRules,
): Promise<AddressAnswer> {
  const literal = withoutBrackets(host);
  const literalFamily = isIP(literal);
  if (literalFamily === family) return admit([literal], rules);
  if (literalFamily !== 0) return { kind: "failed", code: "dns-no-answer" };
  const answer = await resolve();
  return answer.kind === "failed" ? answer : admit(answer.records, rules);
}

function admit(addresses: readonly string[], rules: AddressRules): AddressAnswer {
  const genuine = addresses.filter((address) => rules.stubOf(address) === undefined);
  const usable = genuine.filter((address) => rules.refusalOf(address) === undefined);
  if (usable.length > 0) {
    return { kind: "addresses", addresses: usable, hasRefused: usable.length < genuine.length };
  }
  const stub = addresses.map((address) => rules.stubOf(address)).find((id) => id !== undefined);
  if (stub !== undefined) return { kind: "failed", code: "dns-stub-address", fingerprint: stub };
  return { kind: "failed", code: addresses.length === 0 ? "dns-no-answer" : "dns-special-address" };
}
