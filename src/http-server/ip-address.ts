import { isIPv4, isIPv6 } from "node:net";

/** A parsed IP address. IPv4 inside IPv6 (`::ffff:192.0.2.1`, RFC 4291, section 2.5.5.2) is the IPv4 address. */
export type Address =
  | { readonly family: "ipv4"; readonly text: string; readonly parts: readonly number[] }
  | { readonly family: "ipv6"; readonly text: string; readonly parts: readonly number[] };

/**
 * Parses an address: `parts` has four bytes or eight groups of 16 bits. A zone (`%eth0`) is dropped, because it does not identify
 * the client. Undefined if the text is not an address. Never throws.
 */
export function parseAddress(text: string): Address | undefined {
  if (isIPv4(text)) return toIpv4(text.split(".").map(Number));
  if (!isIPv6(text)) return undefined;
  const bare = text.split("%", 1)[0] ?? "";
  const groups = toGroups(bare);
  const [high = 0, low = 0] = groups.slice(6);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return toIpv4([high >> 8, high & 0xff, low >> 8, low & 0xff]);
  return { family: "ipv6", text: bare, parts: groups };
}

function toIpv4(bytes: readonly number[]): Address {
  return { family: "ipv4", text: bytes.join("."), parts: bytes };
}

/** The text has to be a valid IPv6 address. Expands `::`. */
function toGroups(text: string): readonly number[] {
  const [head = "", tail = ""] = text.split("::");
  const left = readGroups(head);
  const right = readGroups(tail);
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
}

function readGroups(text: string): readonly number[] {
  if (text === "") return [];
  return text.split(":").flatMap((group) => {
    if (!group.includes(".")) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split(".").map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}
