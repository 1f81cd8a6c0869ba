/** Base64url, so that levels are printable, need no escape in JSON and take one byte each. */
const LEVELS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const FASTEST_MS = 5;
const SLOWEST_MS = 20_000;
const TOP_LEVEL = LEVELS.length - 1;

/** The fastest first. */
export const LEVEL_CHARS: readonly string[] = [...LEVELS];

/**
 * The character for a response time: 64 levels, evenly spaced in logarithm from 5 ms to 20 s, so neighbours
 * differ by 14 % and the error is at most 7 %. Times outside that range are clamped.
 */
export function levelOf(ms: number): string {
  const share = Math.log(ms / FASTEST_MS) / Math.log(SLOWEST_MS / FASTEST_MS);
  const index = Math.round(share * TOP_LEVEL);
  return LEVELS.charAt(Math.min(TOP_LEVEL, Math.max(0, index)));
}

/** The response time of a character; undefined if it is not a level. */
export function msOfLevel(char: string): number | undefined {
  const index = indexOfLevel(char);
  return index === undefined ? undefined : msOfIndex(index);
}

/** The index of a level, 0–63; undefined if the character is not a level. */
export function indexOfLevel(char: string): number | undefined {
  const index = LEVELS.indexOf(char);
  return index === -1 || char.length !== 1 ? undefined : index;
}

/** The response time of a level by its index. */
export function msOfIndex(index: number): number {
  return FASTEST_MS * (SLOWEST_MS / FASTEST_MS) ** (index / TOP_LEVEL);
}
