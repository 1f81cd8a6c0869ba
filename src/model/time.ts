/** Durations in milliseconds. All instants in the program are milliseconds since the Unix epoch. */
export const SECOND_MS = 1_000;
export const MINUTE_MS: number = 60 * SECOND_MS;
export const HOUR_MS: number = 60 * MINUTE_MS;
export const DAY_MS: number = 24 * HOUR_MS;

/** A check older than this says nothing about the present. Source: the product's freshness rule. */
export const FRESH_MS: number = 15 * MINUTE_MS;

/** An episode older than this is persistent: `fail` becomes `fail_long`. Source: the States table of the API. */
export const PERSISTENT_MS: number = DAY_MS;

/** UTC days that the history of a service or a monitor has. Source: docs/monitors/uptime.md. */
export const HISTORY_DAYS = 90;

/** Whole Unix seconds, as in the public documents; fractions are cut off. */
export function toUnixSeconds(atMs: number): number {
  return Math.floor(atMs / SECOND_MS);
}

/** An instant without fractions of a second. */
export function toWholeSeconds(atMs: number): number {
  return toUnixSeconds(atMs) * SECOND_MS;
}

/** `2026-11-21T09:05:00Z`: fractions of a second are cut off. */
export function toIsoSeconds(atMs: number): string {
  return new Date(toWholeSeconds(atMs)).toISOString().replace(".000", "");
}

/** Number of whole UTC days since the Unix epoch. */
export function toUtcDay(atMs: number): number {
  return Math.floor(atMs / DAY_MS);
}

/** `YYYY-MM-DD` of a UTC day, given in days since the Unix epoch. */
export function dateOfDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, "YYYY-MM-DD".length);
}

/** The minute of a moment in UTC, as part of an address: `202611230258`. */
export function nameOfMinute(atMs: number): string {
  return new Date(atMs).toISOString().replaceAll(/\D/gu, "").slice(0, "YYYYMMDDhhmm".length);
}

/** Whether `YYYY-MM-DD` names a day of the Gregorian calendar; `Date.parse` reads 31 February as 3 March. */
export function isCalendarDate(text: string): boolean {
  const atMs = /^\d{4}-\d{2}-\d{2}$/u.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(text);
}
