/** 32-bit offset basis. Source: http://www.isthe.com/chongo/tech/comp/fnv/ */
export const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
/** Any other basis gives a second, independent 32-bit hash. */
const OTHER_BASIS = 0x2f0b4c47;

/**
 * FNV-1a over UTF-16 code units: evenly distributed, the same on every machine, not cryptographic.
 *
 * @returns an integer from 0 to 2^32 − 1.
 */
export function fnv1a(text: string, basis: number = FNV_BASIS): number {
  let value = basis;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), FNV_PRIME);
  }
  return value >>> 0;
}

/** A 64-bit hash in at most 15 characters: letters, digits and a dot. */
export function hashText(text: string): string {
  return `${fnv1a(text).toString(36)}.${fnv1a(text, OTHER_BASIS).toString(36)}`;
}
