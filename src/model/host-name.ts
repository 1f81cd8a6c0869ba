/** Longest label, and longest name without the dot of the root, octets. Source: RFC 1035, section 2.3.4 and 3.1 (255 on the wire). */
const LONGEST_LABEL = 63;
const LONGEST_NAME = 253;

const IPV4 = /^\d+\.\d+\.\d+\.\d+$/u;

/**
 * What the labels of names on the Web consist of. Source: RFC 1123, section 2.1, and the underscore, as well as a hyphen at
 * either end of a label: registries sell no such names, but people have them below their own, and browsers open them.
 */
const FOREIGN = /[^a-z0-9_.-]/u;

/**
 * Why no name in DNS is written like this host, in words that say what to change; undefined when one may be. Only the form is
 * judged: whether the name exists is for DNS. An address is no name and has no fault.
 *
 * @param host as `URL.hostname` gives it: in lower case, in Punycode, an IPv6 address in brackets.
 */
export function faultInHostName(host: string): string | undefined {
  if (host.startsWith("[") || IPV4.test(host)) return undefined;
  const [foreign] = FOREIGN.exec(host) ?? [];
  if (foreign !== undefined) {
    return `the host holds ${JSON.stringify(foreign)}, which no host name has; use letters, digits, hyphens and dots`;
  }
  if (host.endsWith(".")) return "write the host without the dot at its end";
  const labels = host.split(".");
  if (labels.includes("")) {
    return "the host has a dot at its beginning, or two in a row; remove the one too many";
  }
  const long = labels.find((label) => label.length > LONGEST_LABEL);
  if (long !== undefined) {
    return `a part of the host, ${long.slice(0, 20)}…, is ${long.length} characters long in DNS; between two dots there are at most ${LONGEST_LABEL}`;
  }
  if (host.length > LONGEST_NAME) {
    return `the host is ${host.length} characters long in DNS; use at most ${LONGEST_NAME}`;
  }
  return undefined;
}
