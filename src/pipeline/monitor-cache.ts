import type { Registry } from "./monitor-removals.ts";
import type { UptimeShard } from "../model/uptime.ts";
import type { LoadedShards } from "../state/monitor-shards.ts";

/**
 * Shards and signatures of monitors that a process keeps from one publish to the next, so that publishing a report does not read 64
 * objects and compute all signatures again. The state shows when another writer has changed them.
 */
export interface MonitoringMemory {
  loaded?: { readonly key: string; readonly shards: LoadedShards };
  signatures?: { readonly from: SignatureSources; readonly byId: Map<string, string> };
}

/** The signatures are valid while each of these is identical. */
interface SignatureSources {
  readonly registry: Registry;
  readonly shards: ReadonlyMap<number, UptimeShard>;
  readonly runs: number;
  readonly slot: number;
  readonly baseUrl: string | null;
}

/** The cached signatures for these sources; an empty map, which the caller fills, if there are none. */
export function cachedSignatures(
  memory: MonitoringMemory,
  from: SignatureSources,
): Map<string, string> {
  const cached = memory.signatures;
  const isSame =
    cached !== undefined &&
    cached.from.registry === from.registry &&
    cached.from.shards === from.shards &&
    cached.from.runs === from.runs &&
    cached.from.slot === from.slot &&
    cached.from.baseUrl === from.baseUrl;
  if (isSame) return cached.byId;
  const byId = new Map<string, string>();
  memory.signatures = { from, byId };
  return byId;
}
