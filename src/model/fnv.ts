/** Offset basis of 32 bits. Source: http://www.isthe.com/chongo/tech/comp/fnv/ */
export const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
/** Any other basis makes of one hash of 32 bits a second one. */
const OTHER_BASIS = 0x2f0b4c47;

/**
 * FNV-1a over UTF-16 code units: spreads texts evenly, keeps nothing secret, and is the same on every machine.
 *
 * @returns a whole number from 0 to 2^32 − 1.
 */
export function fnv1a(text: string, basis: number = FNV_BASIS): number {
  let value = basis;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), FNV_PRIME);
  }
  return value >>> 0;
}

/** 64 bits that stand for a text, in at most 15 characters: letters, digits and a point. */
export function hashText(text: string): string {
  return `${fnv1a(text).toString(36)}.${fnv1a(text, OTHER_BASIS).toString(36)}`;
}
