import { createNewestMap } from "../model/bounded-map.ts";
import { SECOND_MS } from "../model/time.ts";

export interface FloodLimits {
  /** Most requests of one network in a burst: 60 by default, for reports, owners and visitors alike. */
  readonly burst?: number;
  /** Sustained: 1 by default. A report counts once per service and hour, so even the gateway of a mobile provider needs no more. */
  readonly perSecond?: number;
  /** Networks that are kept: so many recent ones, at most twice as many; about 150 bytes each. A dropped one starts with a full bucket. */
  readonly networks?: number;
}

/** Takes a token and returns undefined, or returns the milliseconds until the network may ask again. */
export type RateLimiter = (network: string, nowMs: number) => number | undefined;

interface Bucket {
  readonly tokens: number;
  readonly atMs: number;
}

/** A token bucket for each network. A clock that goes back adds no tokens and takes none. Never throws. */
export function createFloodGuard(limits: FloodLimits = {}): RateLimiter {
  const { burst = 60, perSecond = 1, networks = 50_000 } = limits;
  const buckets = createNewestMap<string, Bucket>(networks);
  return (network, nowMs) => {
    const { tokens, atMs } = buckets.get(network) ?? { tokens: burst, atMs: nowMs };
    const gained = (Math.max(0, nowMs - atMs) / SECOND_MS) * perSecond;
    const full = Math.min(burst, tokens + gained);
    const isAllowed = full >= 1;
    buckets.set(network, { tokens: isAllowed ? full - 1 : full, atMs: nowMs });
    return isAllowed ? undefined : ((1 - full) / perSecond) * SECOND_MS;
  };
}
