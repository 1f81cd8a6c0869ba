/** Base64url, so that a row of levels is printable, needs no escape in JSON and is one byte each. */
const LEVELS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const FASTEST_MS = 5;
const SLOWEST_MS = 20_000;
const TOP_LEVEL = LEVELS.length - 1;

/** All characters that stand for a response time, the fastest first. */
export const LEVEL_CHARS: readonly string[] = [...LEVELS];

/**
 * The character that stands for a response time: 64 levels, evenly spaced in logarithm from
 * 5 ms to 20 s, so neighbours differ by 14 % and a level is within 7 % of the time it stands for.
 * Times beyond the ends count as the ends.
 */
export function levelOf(ms: number): string {
  const share = Math.log(ms / FASTEST_MS) / Math.log(SLOWEST_MS / FASTEST_MS);
  const index = Math.round(share * TOP_LEVEL);
  return LEVELS.charAt(Math.min(TOP_LEVEL, Math.max(0, index)));
}

/** The response time in milliseconds that a character stands for; undefined when it stands for none. */
export function msOfLevel(char: string): number | undefined {
  const index = indexOfLevel(char);
  return index === undefined ? undefined : msOfIndex(index);
}

/** Place of a character in the scale of response times, 0–63; undefined when it stands for none. */
export function indexOfLevel(char: string): number | undefined {
  const index = LEVELS.indexOf(char);
  return index === -1 || char.length !== 1 ? undefined : index;
}

/** The response time in milliseconds at a place of the scale. */
export function msOfIndex(index: number): number {
  return FASTEST_MS * (SLOWEST_MS / FASTEST_MS) ** (index / TOP_LEVEL);
}
