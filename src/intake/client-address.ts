import { BlockList } from "node:net";
import type { NetworkOf } from "../model/connections.ts";
import { type Address, parseAddress } from "./address.ts";
import { networkNameOf } from "./network-key.ts";

/** No honest chain of proxies is longer; a header that is would only cost time. */
const MAX_HOPS = 32;

export type ProxiesResult =
  | { readonly kind: "ok"; readonly proxies: BlockList }
  | { readonly kind: "invalid"; readonly message: string };

/** The proxies whose `X-Forwarded-For` is believed, from addresses and ranges (`10.0.0.0/8`, `2001:db8::1`). Never throws. */
export function readProxies(ranges: readonly string[]): ProxiesResult {
  const proxies = new BlockList();
  for (const range of ranges) {
    const problem = addRange(proxies, range);
    if (problem !== undefined) return { kind: "invalid", message: `${range}: ${problem}` };
  }
  return { kind: "ok", proxies };
}

function addRange(proxies: BlockList, range: string): string | undefined {
  const [host = "", length, ...rest] = range.split("/");
  const address = parseAddress(host);
  if (address === undefined || rest.length > 0)
    return "write an address, or a range like 10.0.0.0/8.";
  const bits = address.family === "ipv4" ? 32 : 128;
  // Its prefix would count from the wrong end.
  if (address.family === "ipv4" && host.includes(":")) return "write it as IPv4.";
  const prefix = length === undefined ? bits : toPrefix(length);
  if (prefix === undefined || prefix > bits)
    return `write a prefix of 1 to ${bits} after the slash.`;
  proxies.addSubnet(address.text, prefix, address.family);
  return undefined;
}

/** A prefix of 0 would believe everybody, which is never meant: then anyone could be any network. */
function toPrefix(text: string): number | undefined {
  return /^[1-9]\d{0,2}$/u.test(text) ? Number(text) : undefined;
}

/**
 * The address of whoever sent the request: that of the socket, unless a configured proxy sent it. Then `X-Forwarded-For` is
 * read from right to left, the order in which proxies vouch for one another, up to the first address that is no proxy. A
 * header that is malformed up to there is believed in nothing, and the socket counts. Undefined when the socket has no
 * address (it is closed, or there is none). Never throws.
 */
export function clientAddressOf(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  proxies: BlockList,
): Address | undefined {
  const socket = socketAddress === undefined ? undefined : parseAddress(socketAddress);
  if (socket === undefined || forwardedFor === undefined) return socket;
  if (!isProxy(socket, proxies)) return socket;
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

/**
 * The network that a connection is counted to: the /24 or /48 of its address. That of a configured proxy is none, for it brings
 * the requests of everybody. What is no address is a network by itself.
 */
export function networksBeside(proxies: BlockList): NetworkOf {
  // To ask the list takes longer than all the rest, and connections can come by the thousand.
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
