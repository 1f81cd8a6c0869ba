import { createHash } from "node:crypto";

const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

/** An id as Statuspage has them: the first 12 letters of the hash in base32 (RFC 4648), in lower case. */
export function idOf(text: string): string {
  const bits = [...createHash("sha256").update(text).digest().subarray(0, 8)]
    .map((byte) => byte.toString(2).padStart(8, "0"))
    .join("");
  return Array.from({ length: 12 }, (_, place) =>
    BASE32.charAt(Number.parseInt(bits.slice(place * 5, place * 5 + 5), 2)),
  ).join("");
}
