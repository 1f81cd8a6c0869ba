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
   * Networks remembered, some 150 bytes each. Of more than that the one longest unheard is forgotten, and begins anew.
   * @default 50_000
   */
  readonly maxNetworks?: number;
}

/** Milliseconds until the network may post again; undefined when it may now, and then one post is taken off its allowance. */
export type FloodGuard = (network: string, nowMs: number) => number | undefined;

interface Bucket {
  readonly tokens: number;
  readonly atMs: number;
}

/** A token bucket for each network. A clock that goes back gives nothing and takes nothing. Never throws. */
export function createFloodGuard(limits: FloodLimits = {}): FloodGuard {
  const { burst = 60, perSecond = 1, maxNetworks = 50_000 } = limits;
  // A Map keeps the order of insertion, so its first key is the one longest unheard.
  const buckets = new Map<string, Bucket>();
  return (network, nowMs) => {
    const { tokens, atMs } = buckets.get(network) ?? { tokens: burst, atMs: nowMs };
    const gained = (Math.max(0, nowMs - atMs) / SECOND_MS) * perSecond;
    const full = Math.min(burst, tokens + gained);
    const isAllowed = full >= 1;
    buckets.delete(network);
    buckets.set(network, { tokens: isAllowed ? full - 1 : full, atMs: nowMs });
    if (buckets.size > maxNetworks) forgetFirst(buckets);
    return isAllowed ? undefined : ((1 - full) / perSecond) * SECOND_MS;
  };
}

function forgetFirst(buckets: Map<string, Bucket>): void {
  const first = buckets.keys().next();
  if (first.done !== true) buckets.delete(first.value);
}
