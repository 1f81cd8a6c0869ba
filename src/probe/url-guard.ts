import { faultInHostName } from "../model/host-name.ts";

/** Ports that anybody's website may be on. Source: the schemes http and https of RFC 9110. */
const WEB_PORTS: readonly number[] = [80, 443];

/** Names that mean something else in every network. Source: RFC 6762, RFC 6761, RFC 8375, and ICANN's reservation of `internal` of 2024. */
const INTRANET_NAME = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/u;

/** A name for software that knows no DNS. Source: RFC 7686. */
const ONION_NAME = /(?:^|\.)onion$/u;

/** Top-level domains are letters alone, at least two, or Punycode. Source: RFC 3696, section 2; ICANN, gTLD Applicant Guidebook, 2.2.1.3.2. */
const TOP_LEVEL = /\.(?:[a-z]{2,}|xn--[a-z0-9-]+)$/u;

export interface UrlRules {
  /** Ports that are allowed beside 80 and 443. */
  readonly ports: readonly number[];
  /** Why an address may not be connected to, as of `createGuard`; undefined when it may. */
  readonly refusalOfAddress: (address: string) => string | undefined;
  /**
   * Names of intranets (`*.local`, `*.internal`, single labels …) are let through, for those who allowed themselves
   * private addresses: these names lead nowhere else. Their addresses are judged all the same.
   */
  readonly isIntranetOpen?: boolean;
}

/** Why a URL may not be asked for, in words that say what to mend; undefined when it may. */
export type UrlGuard = (url: URL) => string | undefined;

/**
 * Judges a URL by its text alone, before anything is looked up. `URL` has brought the host into its normal form: decimal,
 * octal and hexadecimal addresses, full-width digits and percent signs are plain by now (WHATWG URL, host parsing). What
 * a name resolves to is for the guard of addresses. Never throws.
 */
export function createUrlGuard(rules: UrlRules): UrlGuard {
  const ports = new Set([...WEB_PORTS, ...rules.ports]);
  return (url) => refusalOfParts(url, ports) ?? refusalOfHost(url.hostname, rules);
}

function refusalOfParts(url: URL, ports: ReadonlySet<number>): string | undefined {
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return `only http and https can be checked, not ${url.protocol.slice(0, -1)}`;
  if (url.username !== "" || url.password !== "")
    return "take the user name and password out of the URL; everybody could read them";
  // An empty port is the scheme's own.
  if (url.port !== "" && !ports.has(Number(url.port)))
    return `port ${url.port} is not allowed; use ${[...ports].join(", ")}`;
  return undefined;
}

const IPV4 = /^\d+\.\d+\.\d+\.\d+$/u;

function refusalOfHost(host: string, rules: UrlRules): string | undefined {
  const literal = host.startsWith("[") ? host.slice(1, -1) : host;
  // No name has this form: the parser takes a host whose last label is a number for an address.
  if (literal !== host || IPV4.test(host)) {
    const refusal = rules.refusalOfAddress(literal);
    return refusal && `${literal} is no address of a public website (${refusal})`;
  }
  const fault = faultInHostName(host);
  if (fault !== undefined) return fault;
  if (ONION_NAME.test(host)) return "onion names cannot be looked up here";
  if (rules.isIntranetOpen === true) return undefined;
  if (!host.includes(".") || INTRANET_NAME.test(host))
    return `${host} is a name of a local network; give the full name of a public website`;
  return TOP_LEVEL.test(host)
    ? undefined
    : `no top-level domain is called ${host.slice(host.lastIndexOf("."))}; check the end of the host`;
}
