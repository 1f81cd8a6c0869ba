import { faultInHostName } from "../../model/host-name.ts";

/** Ports of public websites. Source: the schemes http and https of RFC 9110. */
const WEB_PORTS: readonly number[] = [80, 443];

/**
 * Names whose meaning depends on the network. Source: RFC 6762, RFC 6761, RFC 8375, and ICANN's reservation of `internal` of
 * 2024.
 */
const INTRANET_NAME = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/u;

/** Names that do not exist in DNS. Source: RFC 7686. */
const ONION_NAME = /(?:^|\.)onion$/u;

/**
 * Top-level domains are letters alone, at least two, or Punycode.
 * Source: RFC 3696, section 2; ICANN, gTLD Applicant Guidebook, 2.2.1.3.2.
 */
const TOP_LEVEL = /\.(?:[a-z]{2,}|xn--[a-z0-9-]+)$/u;

export interface UrlRules {
  /** Allowed ports in addition to 80 and 443. */
  readonly ports: readonly number[];
  /** Why connecting to an address is not allowed, as in `createGuard`; undefined if it is allowed. */
  readonly refusalOfAddress: (address: string) => string | undefined;
  /**
   * Allows names of local networks (`*.local`, `*.internal`, single labels …) if private addresses are allowed, because these
   * names resolve only to such addresses. The addresses are checked anyway.
   */
  readonly isIntranetOpen?: boolean;
}

/** Why a URL may not be requested, with what to fix; undefined if it may be. */
export type UrlGuard = (url: URL) => string | undefined;

/**
 * Checks a URL by its text alone, before any lookup. `URL` has already normalised the host: decimal, octal and hexadecimal
 * addresses, full-width digits and percent signs are plain (WHATWG URL, host parsing). The address guard checks what a name
 * resolves to. Never throws.
 */
export function createUrlGuard(rules: UrlRules): UrlGuard {
  const ports = new Set([...WEB_PORTS, ...rules.ports]);
  return (url) => refusalOfParts(url, ports) ?? refusalOfHost(url.hostname, rules);
}

function refusalOfParts(url: URL, ports: ReadonlySet<number>): string | undefined {
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return `only http and https can be checked, not ${url.protocol.slice(0, -1)}`;
  if (url.username !== "" || url.password !== "")
    return "remove the user name and password from the URL; everyone could read them";
  // An empty port means the default of the scheme.
  if (url.port !== "" && !ports.has(Number(url.port)))
    return `port ${url.port} is not allowed; use ${[...ports].join(", ")}`;
  return undefined;
}

const IPV4 = /^\d+\.\d+\.\d+\.\d+$/u;

function refusalOfHost(host: string, rules: UrlRules): string | undefined {
  const literal = host.startsWith("[") ? host.slice(1, -1) : host;
  // A host that looks like IPv4 cannot be a name: the URL parser reads a host whose last label is a number as an address.
  if (literal !== host || IPV4.test(host)) {
    const refusal = rules.refusalOfAddress(literal);
    return refusal && `${literal} is not an address of a public website (${refusal})`;
  }
  const fault = faultInHostName(host);
  if (fault !== undefined) return fault;
  if (ONION_NAME.test(host)) return "onion names cannot be looked up here";
  if (rules.isIntranetOpen === true) return undefined;
  if (!host.includes(".") || INTRANET_NAME.test(host))
    return `${host} is a name of a local network; give the full name of a public website`;
  return TOP_LEVEL.test(host)
    ? undefined
    : `there is no top-level domain ${host.slice(host.lastIndexOf("."))}; check the end of the host`;
}
