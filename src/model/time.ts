/** Durations in milliseconds. Every instant in the program is a number of milliseconds since the Unix epoch, UTC. */
export const SECOND_MS = 1_000;
export const MINUTE_MS: number = 60 * SECOND_MS;
export const HOUR_MS: number = 60 * MINUTE_MS;
export const DAY_MS: number = 24 * HOUR_MS;

/** A run without a valid successor for longer than this says nothing about now. Source: the product's freshness rule. */
export const FRESH_MS: number = 15 * MINUTE_MS;

/** An episode older than this is persistent: `fail` becomes `fail_long`. Source: the States table of the API. */
export const PERSISTENT_MS: number = DAY_MS;

/** Whole Unix seconds, as the public documents carry them; fractions are cut off. */
export function toUnixSeconds(atMs: number): number {
  return Math.floor(atMs / SECOND_MS);
}

/** Number of whole UTC days since the Unix epoch. */
export function toUtcDay(atMs: number): number {
  return Math.floor(atMs / DAY_MS);
}
