import { REFUSED_CLOCK_MS } from "../../store/store-clock.ts";

/** Times are milliseconds since 1970, and durations far shorter: 2001-09-09. */
const EARLIEST_TIME_MS = 1e12;

/**
 * What is published of a value whose newest time is `atMs`: after a clock was ahead, the state has times that are yet to come.
 * Smaller differences are those of two machines: an intake with a slow clock must not set back what the runner has published.
 */
export function notAhead<T>(value: T, atMs: number, latestMs: number | undefined): T {
  return latestMs === undefined || atMs <= latestMs + REFUSED_CLOCK_MS
    ? value
    : withoutFuture(value, latestMs);
}

/** A copy with no time after `latestMs`: of each number under a name that ends with `Ms`, at any depth. Pure. */
export function withoutFuture<T>(value: T, latestMs: number): T {
  return copy(value, latestMs, "") as T;
}

function copy(value: unknown, latestMs: number, name: string): unknown {
  if (typeof value === "number")
    return name.endsWith("Ms") && value > EARLIEST_TIME_MS ? Math.min(value, latestMs) : value;
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map((one) => copy(one, latestMs, name));
  if (value instanceof Set) return new Set([...value].map((one) => copy(one, latestMs, name)));
  if (value instanceof Map)
    return new Map([...value].map(([key, one]) => [key, copy(one, latestMs, name)]));
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, copy(one, latestMs, key)]),
  );
}
