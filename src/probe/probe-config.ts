import { X509Certificate } from "node:crypto";
import { createNewestMap } from "../model/bounded-map.ts";
import { MINUTE_MS, SECOND_MS } from "../model/time.ts";
import { createGuard, createUrlGuard, type UrlGuard } from "./network/address-guard.ts";
import { parseConnectTo } from "./network/connect-to.ts";
import { createResolver } from "./network/dns.ts";
import { compileFingerprints } from "./answer/fingerprints.ts";
import { SERVICE_LIMITS } from "./limits.ts";
import type { ProbeDependencies } from "./probe.ts";
import {
  type FetchIssuer,
  type HopDependencies,
  onlyHop,
  sendRequest,
} from "./network/single-request.ts";
import { createTrustRoots } from "./network/tls.ts";

export interface ExtraRoots {
  readonly everywhere: readonly string[];
  readonly national: readonly string[];
}

/** The configuration of a probe as plain data, so that it can be sent to another thread. */
export interface ProbeConfig {
  /** Address of the resolver as c-ares takes it, `ADDR[:PORT]`; absent: the system's. */
  readonly dns?: string;
  readonly baseUrl?: string;
  /** Special-purpose ranges to which connecting is allowed. */
  readonly allowPrivate: readonly string[];
  /** This machine's own public addresses: its services may be open only to itself. */
  readonly ownAddresses: readonly string[];
  /** Lines of `HOST:PORT:ADDR:PORT`. */
  readonly connectTo: readonly string[];
  readonly roots: ExtraRoots;
  /** Ports that a monitor may use in addition to 80 and 443. */
  readonly allowedPorts: readonly number[];
  readonly fingerprints: unknown;
}

/** With the limits of a service. Throws `RangeError` or `Error` for an invalid range, line or fingerprint: check them before. */
export function buildProbeDependencies(config: ProbeConfig): ProbeDependencies {
  const fingerprints = compileFingerprints(config.fingerprints);
  const { dns, roots } = config;
  const connectTo = parseConnectTo(config.connectTo);
  if (connectTo.kind === "invalid") throw new Error(connectTo.problems.join("\n"));
  const deps: ProbeDependencies = {
    resolve: createResolver(dns === undefined ? [] : [dns], SERVICE_LIMITS.dnsMs),
    addressRules: {
      refusalOf: createGuard(config.allowPrivate, config.ownAddresses),
      stubOf: (address) => fingerprints.addresses.get(address),
    },
    connectTo: connectTo.rules,
    fingerprints,
    roots: createTrustRoots(roots.everywhere, roots.national),
    limits: SERVICE_LIMITS,
    userAgent: userAgentOf(config.baseUrl),
  };
  return { ...deps, fetchIssuer: createIssuerFetcher(deps, buildUrlGuard(config)) };
}

/** Names us, and where to ask or complain. */
function userAgentOf(baseUrl = ""): string {
  const about = URL.canParse(baseUrl) ? `; +${baseUrl.replace(/\/+$/u, "")}/about` : "";
  return `Mozilla/5.0 (compatible; status-snapshot${about})`;
}

/** The guard for URLs from strangers. Throws as `buildProbeDependencies` does. */
export function buildUrlGuard(
  config: Pick<ProbeConfig, "allowPrivate" | "allowedPorts" | "ownAddresses">,
): UrlGuard {
  return createUrlGuard({
    ports: config.allowedPorts,
    refusalOfAddress: createGuard(config.allowPrivate, config.ownAddresses),
    isIntranetOpen: config.allowPrivate.length > 0,
  });
}

/** A certificate has one or two kilobytes. */
const MAX_ISSUER_BYTES = 64 * 1024;
const ISSUER_TOTAL_MS = 4 * SECOND_MS;

/** Of addresses; a stranger's certificate can name any. */
const MAX_KNOWN_ISSUERS = 256;

/** What could not be had is tried again after so long. */
const ISSUER_AGAIN_MS = 10 * MINUTE_MS;

/**
 * Fetches what servers should have sent, as browsers do, once for each address. A certificate is a stranger's, so the address passes the
 * guard of URLs of strangers, and what comes is a stranger's too.
 */
export function createIssuerFetcher(
  deps: HopDependencies,
  refusalOfUrl: (url: URL) => string | undefined,
): FetchIssuer {
  type Known = { readonly atMs: number; readonly found: ReturnType<FetchIssuer> };
  const known = createNewestMap<string, Known>(MAX_KNOWN_ISSUERS);
  const limits = { ...SERVICE_LIMITS, totalMs: ISSUER_TOTAL_MS, bodyBytes: MAX_ISSUER_BYTES };
  const fetchIssuer: FetchIssuer = async (text, signal) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined || refusalOfUrl(url) !== undefined) return undefined;
    const answer = await sendRequest(onlyHop(url, { ...deps, limits }, signal));
    if (answer.kind !== "answer" || answer.status !== 200) return undefined;
    try {
      return new X509Certificate(answer.body);
    } catch {
      return undefined;
    }
  };
  return async (url, signal) => {
    const before = known.get(url);
    const nowMs = performance.now();
    if (before !== undefined) {
      const issuer = await before.found;
      if (issuer !== undefined || nowMs - before.atMs < ISSUER_AGAIN_MS) return issuer;
    }
    const found = fetchIssuer(url, signal);
    known.set(url, { atMs: nowMs, found });
    return found;
  };
}
