import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";
import { faultInHostName, isAddress, withoutBrackets } from "../../model/host-name.ts";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = readonly [network: Address, prefixBits: number];

type Entry = readonly [cidr: string, name: string];

/**
 * Every entry of the two IANA special-purpose registries, also those marked "globally reachable": no website uses an anycast or AS112
 * sink address. Also multicast, site-local, IPv4-compatible, the returned 6bone, and the addresses at which clouds hand out credentials.
 * 64:ff9b::/96 is left out on purpose: it is an ordinary route to an IPv4 host, whose address is checked instead (`NAT64`).
 */
export const SPECIAL_PURPOSE: readonly Entry[] = [
  ["0.0.0.0/8", "This network"], // RFC 791
  ["0.0.0.0/32", "This host on this network"], // RFC 1122
  ["10.0.0.0/8", "Private-Use"], // RFC 1918
  ["100.64.0.0/10", "Shared Address Space"], // RFC 6598
  ["127.0.0.0/8", "Loopback"], // RFC 1122
  ["169.254.0.0/16", "Link Local"], // RFC 3927
  ["172.16.0.0/12", "Private-Use"], // RFC 1918
  ["192.0.0.0/24", "IETF Protocol Assignments"], // RFC 6890
  ["192.0.0.0/29", "IPv4 Service Continuity Prefix"], // RFC 7335
  ["192.0.0.8/32", "IPv4 dummy address"], // RFC 7600
  ["192.0.0.9/32", "Port Control Protocol Anycast"], // RFC 7723
  ["192.0.0.10/32", "TURN Anycast"], // RFC 8155
  ["192.0.0.170/32", "NAT64/DNS64 Discovery"], // RFC 8880
  ["192.0.0.171/32", "NAT64/DNS64 Discovery"], // RFC 8880
  ["192.0.2.0/24", "Documentation (TEST-NET-1)"], // RFC 5737
  ["192.31.196.0/24", "AS112-v4"], // RFC 7535
  ["192.52.193.0/24", "AMT"], // RFC 7450
  ["192.88.99.0/24", "Deprecated (6to4 Relay Anycast)"], // RFC 7526
  ["192.88.99.2/32", "6a44-relay anycast address"], // RFC 6751
  ["192.168.0.0/16", "Private-Use"], // RFC 1918
  ["192.175.48.0/24", "Direct Delegation AS112 Service"], // RFC 7534
  ["198.18.0.0/15", "Benchmarking"], // RFC 2544
  ["198.51.100.0/24", "Documentation (TEST-NET-2)"], // RFC 5737
  ["203.0.113.0/24", "Documentation (TEST-NET-3)"], // RFC 5737
  ["224.0.0.0/4", "Multicast"], // RFC 5771
  ["240.0.0.0/4", "Reserved"], // RFC 1112
  ["255.255.255.255/32", "Limited Broadcast"], // RFC 919

  ["100.100.100.200/32", "Cloud metadata (Alibaba Cloud)"], // Alibaba Cloud ECS documentation
  ["168.63.129.16/32", "Cloud platform (Azure)"], // Azure virtual network documentation
  ["169.254.169.254/32", "Cloud metadata"], // AWS, Google Cloud, Azure, OpenStack documentation
  ["169.254.170.2/32", "Cloud metadata (Amazon ECS)"], // Amazon ECS documentation
  ["169.254.170.23/32", "Cloud metadata (Amazon EKS)"], // Amazon EKS documentation
  ["192.0.0.192/32", "Cloud metadata (Oracle Cloud)"], // Oracle Compute Cloud Classic documentation

  ["::/128", "Unspecified Address"], // RFC 4291
  ["::1/128", "Loopback Address"], // RFC 4291
  ["::/96", "IPv4-compatible Address"], // RFC 4291
  ["::ffff:0:0/96", "IPv4-mapped Address"], // RFC 4291
  ["::ffff:0:0:0/96", "IPv4-translated Address"], // RFC 2765
  ["64:ff9b:1::/48", "IPv4-IPv6 Translation (local use)"], // RFC 8215
  ["100::/64", "Discard-Only Address Block"], // RFC 6666
  ["100:0:0:1::/64", "Dummy IPv6 Prefix"], // RFC 9780
  ["2001::/23", "IETF Protocol Assignments"], // RFC 2928
  ["2001::/32", "Teredo"], // RFC 4380
  ["2001:1::1/128", "Port Control Protocol Anycast"], // RFC 7723
  ["2001:1::2/128", "TURN Anycast"], // RFC 8155
  ["2001:1::3/128", "DNS-SD SRP Anycast"], // RFC 9665
  ["2001:2::/48", "Benchmarking"], // RFC 5180
  ["2001:3::/32", "AMT"], // RFC 7450
  ["2001:4:112::/48", "AS112-v6"], // RFC 7535
  ["2001:10::/28", "Deprecated (ORCHID)"], // RFC 4843
  ["2001:20::/28", "ORCHIDv2"], // RFC 7343
  ["2001:30::/28", "Drone Remote ID Entity Tags"], // RFC 9374
  ["2001:db8::/32", "Documentation"], // RFC 3849
  ["2002::/16", "6to4"], // RFC 3056
  ["2620:4f:8000::/48", "Direct Delegation AS112 Service"], // RFC 7534
  ["3ffe::/16", "Returned (6bone)"], // RFC 3701
  ["3fff::/20", "Documentation"], // RFC 9637
  ["5f00::/16", "Segment Routing (SRv6) SIDs"], // RFC 9602
  ["fc00::/7", "Unique-Local"], // RFC 4193
  ["fe80::/10", "Link-Local Unicast"], // RFC 4291
  ["fec0::/10", "Deprecated (Site-Local)"], // RFC 3879
  ["ff00::/8", "Multicast"], // RFC 4291

  ["fd00:42::42/128", "Cloud metadata (Scaleway)"], // Scaleway documentation
  ["fd00:ec2::23/128", "Cloud metadata (Amazon EKS)"], // Amazon EKS documentation
  ["fd00:ec2::254/128", "Cloud metadata (AWS)"], // Amazon EC2 documentation
  ["fd20:ce::254/128", "Cloud metadata (Google Cloud)"], // Google Compute Engine documentation
];

/** The last four bytes are the IPv4 address to which the packet is delivered. Source: RFC 6052. */
const NAT64 = ipaddr.parseCIDR("64:ff9b::/96");

/** Most specific first, so that the reported name is as precise as possible. */
const SPECIAL_RANGES = SPECIAL_PURPOSE.map(
  ([cidr, name]) => [ipaddr.parseCIDR(cidr), name] as const,
).toSorted(([a], [b]) => b[1] - a[1]);
const GLOBAL_UNICAST_V6 = ipaddr.parseCIDR("2000::/3"); // RFC 4291, and the IANA IPv6 address space registry

/** Strict: ipaddr.js alone would accept `0x7f.1`, `2130706433` and zones, which other software may read differently. */
function parseLiteral(text: string): Address | undefined {
  if (isIPv4(text)) return ipaddr.IPv4.parse(text);
  if (!isIPv6(text) || text.includes("%")) return undefined;
  // `URL` writes a dotted end as groups: ipaddr.js would parse `::8.8.8.8` as `::ffff:8.8.8.8`.
  return ipaddr.IPv6.parse(withoutBrackets(new URL(`http://[${text}]`).hostname));
}

function isInside(address: Address, range: Range): boolean {
  return address.kind() === range[0].kind() && address.match(range[0], range[1]);
}

/** ISATAP (RFC 5214) puts the IPv4 address after a fixed half of the interface identifier, under any prefix. */
function isIsatap(bytes: readonly number[]): boolean {
  return (
    (bytes[8] === 0 || bytes[8] === 2) && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe
  );
}

/** NAT64 and ISATAP both have the IPv4 address in the last four bytes. */
function nameEmbedded(form: string, bytes: readonly number[]): string | undefined {
  const inner = nameAddress(new ipaddr.IPv4(bytes.slice(12)));
  return inner === undefined ? undefined : `${form} of ${inner}`;
}

function nameV6(address: Address): string | undefined {
  const bytes = address.toByteArray();
  if (isInside(address, NAT64)) return nameEmbedded("NAT64", bytes);
  if (!isInside(address, GLOBAL_UNICAST_V6)) return "Outside global unicast 2000::/3";
  return isIsatap(bytes) ? nameEmbedded("ISATAP", bytes) : undefined;
}

function nameAddress(address: Address): string | undefined {
  const [, name] = SPECIAL_RANGES.find(([range]) => isInside(address, range)) ?? [];
  if (name !== undefined) return name;
  return address.kind() === "ipv6" ? nameV6(address) : undefined;
}

/**
 * Why an address is unfit for a website: the most specific entry of `SPECIAL_PURPOSE`, `NAT64 of …` or `ISATAP of …` for an embedded IPv4
 * address, or that it is outside global unicast or not exactly one literal. `undefined`: ordinary global unicast. Never throws. A
 * network-specific NAT64 prefix (RFC 6052 §2.2) cannot be distinguished from other global addresses.
 */
export function specialPurposeOf(address: string): string | undefined {
  const parsed = parseLiteral(address);
  return parsed === undefined ? "Not an IP address" : nameAddress(parsed);
}

function parseAllowed(cidr: string): Range {
  const [text = "", bits = "", ...rest] = cidr.split("/");
  const network = parseLiteral(text);
  const prefixBits = /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
  const width = network?.kind() === "ipv4" ? 32 : 128;
  if (network === undefined || rest.length > 0 || !(prefixBits <= width)) {
    throw new RangeError(
      `${JSON.stringify(cidr)} is not a range of addresses; write it like 10.0.0.0/8 or fd00::/8.`,
    );
  }
  const family = network.kind() === "ipv4" ? ipaddr.IPv4 : ipaddr.IPv6;
  const base = family.networkAddressFromCIDR(`${network.toString()}/${prefixBits}`).toString();
  if (base !== network.toString()) {
    throw new RangeError(
      `${JSON.stringify(cidr)} has address bits beyond its prefix; did you mean ${base}/${prefixBits}, or ${text}/${width} for the one address?`,
    );
  }
  return [network, prefixBits];
}

/** Whether an address is in one of the ranges. Throws `RangeError` with the range if one is not an exact CIDR. */
export function createRangeTest(cidrs: readonly string[]): (address: string) => boolean {
  const ranges = cidrs.map(parseAllowed);
  return (address) => {
    const parsed = parseLiteral(address);
    return parsed !== undefined && ranges.some((range) => isInside(parsed, range));
  };
}

/**
 * `specialPurposeOf` with exceptions: every address inside one of the ranges is allowed, if it is written in the family of that range:
 * `10.0.0.0/8` allows neither `::ffff:10.0.0.1` nor `64:ff9b::10.0.0.1`. Throws `RangeError` as `createRangeTest` does.
 *
 * @param ownAddresses public ones of this machine, whose services may be open only to itself.
 */
export function createGuard(
  allowedCidrs: readonly string[],
  ownAddresses: readonly string[] = [],
): (address: string) => string | undefined {
  const isAllowed = createRangeTest(allowedCidrs);
  const own = new Set(ownAddresses);
  return (address) => {
    if (isAllowed(address)) return undefined;
    return own.has(address) ? "an address of this machine" : specialPurposeOf(address);
  };
}

/** Ports of public websites. Source: the schemes http and https of RFC 9110. */
const WEB_PORTS: readonly number[] = [80, 443];

/** Names whose meaning depends on the network. Source: RFC 6762, RFC 6761, RFC 8375; ICANN's reservation of `internal` of 2024. */
const INTRANET_NAME = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/u;

/** Names that do not exist in DNS. Source: RFC 7686. */
const ONION_NAME = /(?:^|\.)onion$/u;

/** Letters alone, at least two, or Punycode. Source: RFC 3696, section 2; ICANN, gTLD Applicant Guidebook, 2.2.1.3.2. */
const TOP_LEVEL = /\.(?:[a-z]{2,}|xn--[a-z0-9-]+)$/u;

export interface UrlRules {
  readonly ports: readonly number[];
  /** Why connecting to an address is not allowed, as in `createGuard`; undefined if it is allowed. */
  readonly refusalOfAddress: (address: string) => string | undefined;
  /** Allows names of local networks too (`*.local`, single labels …): they resolve only to private addresses, which are checked anyway. */
  readonly isIntranetOpen?: boolean;
}

/** Why a URL may not be requested, with what to fix; undefined if it may be. */
export type UrlGuard = (url: URL) => string | undefined;

/**
 * Checks a URL by its text alone, before any lookup. `URL` has already normalised the host (WHATWG URL, host parsing): decimal, octal and
 * hexadecimal addresses, full-width digits. The address guard checks what a name resolves to. Never throws.
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

function refusalOfHost(host: string, rules: UrlRules): string | undefined {
  // A host that looks like IPv4 cannot be a name: the URL parser reads a host whose last label is a number as an address.
  if (isAddress(host)) {
    const literal = withoutBrackets(host);
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
    : `${host.slice(host.lastIndexOf("."))} is not a top-level domain; check the end of the host`;
}
