import { BlockList } from "node:net";
import type { NetworkOf } from "../model/connections.ts";
import { type Address, networkNameOf, parseAddress } from "./network-key.ts";

/** Longer than any real chain of proxies; bounds the time to read a hostile header. */
const MAX_HOPS = 32;

/** The proxies whose `X-Forwarded-For` is trusted, from addresses and ranges (`10.0.0.0/8`, `2001:db8::1`). Never throws. */
export function readProxies(ranges: readonly string[]) {
  const proxies = new BlockList();
  for (const range of ranges) {
    const problem = addRange(proxies, range);
    if (problem !== undefined) return { kind: "invalid", message: `${range}: ${problem}` } as const;
  }
  return { kind: "ok", proxies } as const;
}

function addRange(proxies: BlockList, range: string): string | undefined {
  const [host = "", written, ...rest] = range.split("/");
  const address = parseAddress(host);
  if (address === undefined || rest.length > 0)
    return "write an address, or a range like 10.0.0.0/8.";
  const bits = address.family === "ipv4" ? 32 : 128;
  const length = written ?? String(bits);
  // An IPv4-mapped IPv6 address: its prefix would have another meaning.
  if (address.family === "ipv4" && host.includes(":")) return "write it as IPv4.";
  // A prefix of 0 is refused: every client would be trusted, and could claim any network.
  const prefix = /^[1-9]\d{0,2}$/u.test(length) ? Number(length) : Number.NaN;
  if (!(prefix <= bits)) return `write a prefix of 1 to ${bits} after the slash.`;
  proxies.addSubnet(address.text, prefix, address.family);
  return undefined;
}

/**
 * The client's address: that of the socket, unless it belongs to a configured proxy. Then `X-Forwarded-For` is read from right to left up to
 * the first address that is not a proxy; a header that is malformed up to there is ignored. Undefined: the socket has no address. Never
 * throws.
 */
export function clientAddressOf(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  proxies: BlockList,
): Address | undefined {
  const socket = socketAddress === undefined ? undefined : parseAddress(socketAddress);
  if (socket === undefined || forwardedFor === undefined || !isProxy(socket, proxies))
    return socket;
  let client = socket;
  const hops = forwardedFor.split(",", MAX_HOPS + 1);
  if (hops.length > MAX_HOPS) return socket;
  for (const hop of hops.toReversed()) {
    const address = parseAddress(withoutPort(hop.trim()));
    if (address === undefined) return socket;
    client = address;
    if (!isProxy(address, proxies)) break;
  }
  return client;
}

/** The network of a connection for its limits: a /24 or /48. Undefined: a configured proxy. All that is not an address is one network. */
export function createNetworkOf(proxies: BlockList): NetworkOf {
  // The list is the slowest part.
  const hasProxies = proxies.rules.length > 0;
  return (remoteAddress) => {
    const address = parseAddress(remoteAddress);
    if (address === undefined) return "";
    return hasProxies && isProxy(address, proxies) ? undefined : networkNameOf(address);
  };
}

function isProxy(address: Address, proxies: BlockList): boolean {
  return proxies.check(address.text, address.family);
}

/** Some proxies (Azure's, IIS) write `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/u.exec(hop)?.[1];
  return bracketed ?? /^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/u.exec(hop)?.[1] ?? hop;
}
