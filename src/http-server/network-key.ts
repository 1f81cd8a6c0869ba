import { createHmac } from "node:crypto";
import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";
import { toUtcDay } from "../model/time.ts";

/** 96 bits: two of a million networks share a key once in 10^17 days. */
const KEY_BYTES = 12;

/** 128 bits, too many to guess. */
const MIN_SECRET_BYTES = 16;

/** Three bytes of IPv4 are a /24, three groups of IPv6 a /48; two are a /16 and a /32. Source: docs/reports/intake.md, Networks. */
const NETWORK_PARTS = 3;
const BLOCK_PARTS = 2;

/** A unique name of the /24 or /48 of an address. Stored only while a connection is open. */
export function networkNameOf({ family, parts }: Address): string {
  return `${family} ${parts.slice(0, NETWORK_PARTS).join(".")}`;
}

/** The stored form of a client's address. */
export interface NetworkKey {
  /** Of the /24 or /48, which is one household, office or mobile gateway. 16 characters of base64url. */
  readonly network: string;
  /** Of the /16 or /32, which is a provider. 16 characters of base64url. */
  readonly block: string;
}

/** The key of a network on the UTC day of `atMs`. */
export type ToNetworkKey<Key extends NetworkKey = NetworkKey> = (
  address: Address,
  atMs: number,
) => Key;

/**
 * Keyed hashes (HMAC-SHA-256, RFC 2104) with a key of the UTC day that is derived from the secret: within a day, hashes of a network are equal;
 * those of different days cannot be linked, and addresses cannot be found by trying all of them. Intakes that count together need the same
 * secret. Throws RangeError if it has fewer than 16 bytes.
 */
export function createNetworkKeys(secret: Uint8Array): ToNetworkKey {
  if (secret.byteLength < MIN_SECRET_BYTES) {
    throw new RangeError(`The secret of the network keys needs ${MIN_SECRET_BYTES} bytes or more.`);
  }
  let today = Number.NaN;
  let dayKey: Uint8Array = secret;
  return (address, atMs) => {
    const day = toUtcDay(atMs);
    if (day !== today) {
      dayKey = createHmac("sha256", secret).update(`network keys of day ${day}`).digest();
      today = day;
    }
    const prefix = (parts: number): string => address.parts.slice(0, parts).join(".");
    return {
      network: hash(dayKey, `${address.family} network ${prefix(NETWORK_PARTS)}`),
      block: hash(dayKey, `${address.family} block ${prefix(BLOCK_PARTS)}`),
    };
  };
}

function hash(key: Uint8Array, text: string): string {
  const digest = createHmac("sha256", key).update(text).digest();
  return digest.toString("base64url", 0, KEY_BYTES);
}

/** A parsed IP address. IPv4 inside IPv6 (`::ffff:192.0.2.1`, RFC 4291, section 2.5.5.2) is the IPv4 address. */
export interface Address {
  readonly family: "ipv4" | "ipv6";
  readonly text: string;
  /** Four bytes, or eight groups of 16 bits. */
  readonly parts: readonly number[];
}

/** A zone (`%eth0`) is dropped, because it does not identify the client. Undefined: not an address. Never throws. */
export function parseAddress(text: string): Address | undefined {
  if (isIPv4(text)) return toIpv4(text.split(".").map(Number));
  if (!isIPv6(text)) return undefined;
  const bare = text.replace(/%.*$/u, "");
  // `URL` writes a dotted end as groups: ipaddr.js would parse `::192.0.2.1` as `::ffff:192.0.2.1`.
  const { hostname } = new URL(`http://[${bare}]`);
  const address = ipaddr.IPv6.parse(hostname.slice(1, -1));
  if (address.isIPv4MappedAddress()) return toIpv4(address.toIPv4Address().octets);
  return { family: "ipv6", text: bare, parts: address.parts };
}

function toIpv4(bytes: readonly number[]): Address {
  return { family: "ipv4", text: bytes.join("."), parts: bytes };
}
