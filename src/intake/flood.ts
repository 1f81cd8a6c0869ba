import { createNewestMap } from "../model/newest.ts";
import { SECOND_MS } from "../model/time.ts";

export interface FloodLimits {
  /**
   * Posts that one network may send at once.
   * @default 60
   */
  readonly burst?: number;
  /**
   * Posts a second that one network may send for long. A network counts once per service and hour, so even the gateway of a
   * mobile provider needs no more to be counted.
   * @default 1
   */
  readonly perSecond?: number;
  /**
   * Networks remembered at least, those heard last, and at most twice as many; some 150 bytes each. One that is forgotten begins
   * anew.
   * @default 50_000
   */
  readonly networks?: number;
}

/** Milliseconds until the network may post again; undefined when it may now, and then one post is taken off its allowance. */
export type FloodGuard = (network: string, nowMs: number) => number | undefined;

interface Bucket {
  readonly tokens: number;
  readonly atMs: number;
}

/** A token bucket for each network. A clock that goes back gives nothing and takes nothing. Never throws. */
export function createFloodGuard(limits: FloodLimits = {}): FloodGuard {
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
