/** Characters of a URL that is probed, at most. */
export const MAX_URL_CHARACTERS = 2_048;

/** Octets; a name without the dot of the root. Source: RFC 1035, sections 2.3.4 and 3.1 (255 on the wire). */
const MAX_LABEL = 63;
const MAX_NAME = 253;

/** Whether a host in a URL is an address: `192.0.2.1`, which the URL parser makes of every other notation, or `[2001:db8::1]`. */
export function isAddress(host: string): boolean {
  return host.startsWith("[") || /^\d+\.\d+\.\d+\.\d+$/u.test(host);
}

/** The top-level domain of a URL as written; undefined if its host is an address. Throws if there is no URL. */
export function zoneOf(url: string): string | undefined {
  const host = new URL(url).hostname.replace(/\.$/u, "");
  return isAddress(host) ? undefined : host.slice(host.lastIndexOf(".") + 1);
}

/** The host without the brackets of an IPv6 literal. */
export function withoutBrackets(host: string): string {
  return host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
}

/**
 * Characters that no host name has. Source: RFC 1123, section 2.1. In addition, underscores and hyphens at either end of a label
 * are allowed: registries sell no such names, but they exist as subdomains, and browsers open them.
 */
const FORBIDDEN = /[^a-z0-9_.-]/u;

/**
 * What is wrong with the form of a host name and how to fix it; undefined if it is valid. An address is valid. Whether the name
 * exists is not checked.
 *
 * @param host as `URL.hostname` gives it: in lower case, in Punycode, an IPv6 address in brackets.
 */
export function faultInHostName(host: string): string | undefined {
  if (isAddress(host)) return undefined;
  const [forbidden] = FORBIDDEN.exec(host) ?? [];
  if (forbidden !== undefined)
    return `the host contains ${JSON.stringify(forbidden)}, which no host name has; use letters, digits, hyphens and dots`;
  if (host.endsWith(".")) return "write the host without the dot at its end";
  const labels = host.split(".");
  if (labels.includes(""))
    return "the host has a dot at its beginning, or two in a row; remove the extra dot";
  const long = labels.find((label) => label.length > MAX_LABEL);
  if (long !== undefined)
    return `a part of the host, ${long.slice(0, 20)}…, is ${long.length} characters long in DNS; use at most ${MAX_LABEL} between two dots`;
  if (host.length > MAX_NAME)
    return `the host is ${host.length} characters long in DNS; use at most ${MAX_NAME}`;
  return undefined;
}

/** A text without what stands in a URL before an `@`, encoded or not: no message may repeat a password, whatever characters that has. */
export function hideCredentials(text: string): string {
  return text.replace(/(?:\/\/|%2f%2f).*(?:@|%40)/isu, "//…@");
}
