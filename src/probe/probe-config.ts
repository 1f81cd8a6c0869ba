import { createGuard, createRangeTest } from "./network/address-guard.ts";
import { parseConnectTo, type ConnectToRules } from "./network/connect-to.ts";
import { createIssuerFetcher } from "./network/fetch-issuer.ts";
import { createResolver } from "./network/dns.ts";
import { compileFingerprints, matchStubAddress } from "./answer/fingerprints.ts";
import { SERVICE_LIMITS } from "./limits.ts";
import type { ProbeDependencies } from "./probe.ts";
import { createTrustRoots } from "./network/tls.ts";
import { createUrlGuard, type UrlGuard } from "./network/url-guard.ts";

/** PEM certificates to trust in addition to Node's own. */
export interface ExtraRoots {
  readonly everywhere: readonly string[];
  /** Only for `trust: national`. */
  readonly national: readonly string[];
}

/** The configuration of a probe as plain data, so that it can be sent to another thread. */
export interface ProbeConfig {
  /** Address of the resolver as c-ares takes it, `ADDR[:PORT]`; absent: the system's. */
  readonly dns?: string;
  /** Of the website, which requests name. */
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
  /** Rows of `data/blockpages.json`. */
  readonly fingerprints: unknown;
}

/**
 * Dependencies of a probe, with the limits of a service. Throws `RangeError` if a range is invalid, and `Error` if a line
 * of `connectTo` or a fingerprint is; the creator of the config should check them first.
 */
export function buildProbeDependencies(config: ProbeConfig): ProbeDependencies {
  const fingerprints = compileFingerprints(config.fingerprints);
  const { dns } = config;
  const deps: ProbeDependencies = {
    resolve: createResolver(dns === undefined ? [] : [dns], SERVICE_LIMITS.dnsMs),
    addressRules: {
      refusalOf: buildAddressGuard(config),
      stubOf: (address) => matchStubAddress(fingerprints, address),
    },
    connectTo: readRules(config.connectTo),
    fingerprints,
    roots: createTrustRoots(config.roots.everywhere, config.roots.national),
    limits: SERVICE_LIMITS,
    userAgent: userAgentOf(config.baseUrl),
  };
  return { ...deps, fetchIssuer: createIssuerFetcher(deps, buildUrlGuard(config)) };
}

/** Names us, and where to ask or complain: the page "about" of the website. */
function userAgentOf(baseUrl = ""): string {
  const about = URL.canParse(baseUrl) ? `; +${baseUrl.replace(/\/+$/u, "")}/about` : "";
  return `Mozilla/5.0 (compatible; status-snapshot${about})`;
}

function readRules(lines: readonly string[]): ConnectToRules {
  const parsed = parseConnectTo(lines);
  if (parsed.kind === "invalid") throw new Error(parsed.problems.join("\n"));
  return parsed.rules;
}

/** The guard for URLs from strangers. Throws as `buildProbeDependencies` does. */
export function buildUrlGuard(
  config: Pick<ProbeConfig, "allowPrivate" | "allowedPorts" | "ownAddresses">,
): UrlGuard {
  return createUrlGuard({
    ports: config.allowedPorts,
    refusalOfAddress: buildAddressGuard(config),
    isIntranetOpen: config.allowPrivate.length > 0,
  });
}

function buildAddressGuard({
  allowPrivate,
  ownAddresses,
}: Pick<ProbeConfig, "allowPrivate" | "ownAddresses">): (address: string) => string | undefined {
  const guard = createGuard(allowPrivate);
  const isAllowed = createRangeTest(allowPrivate);
  const own = new Set(ownAddresses);
  return (address) =>
    own.has(address) && !isAllowed(address) ? "an address of this machine" : guard(address);
}
