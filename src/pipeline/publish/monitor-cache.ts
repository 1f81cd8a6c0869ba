import type { Registry } from "./monitor-removals.ts";
import type { OwnedMonitors } from "./owner-generation.ts";
import type { UptimeShard } from "../../model/monitor/uptime.ts";
import type { LoadedShards } from "../../state/monitor-shards.ts";

/**
 * Shards and signatures of monitors that a process keeps from one publish to the next, so that publishing a report does not read 64
 * objects and compute all signatures again. The state shows when another writer has changed them.
 */
export interface MonitoringMemory {
  loaded?: { readonly key: string; readonly shards: LoadedShards };
  joined?: {
    readonly registry: Registry;
    readonly owned: OwnedMonitors;
    readonly result: Registry;
  };
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

/** The registry with the monitors of owners; the same object for the same two. An id of the registry goes first. */
export function joinOwned(
  registry: Registry,
  owned: OwnedMonitors | undefined,
  memory: MonitoringMemory,
): Registry {
  if (owned === undefined || owned.checked.length + owned.dormantIds.size === 0) return registry;
  const { joined } = memory;
  if (joined?.registry === registry && joined.owned === owned) return joined.result;
  const ids = new Set(registry.monitors.map(({ id }) => id));
  const others = owned.checked.filter(({ id }) => !ids.has(id));
  const result = {
    ...registry,
    monitors: [...registry.monitors, ...others],
    dormantIds: new Set([...owned.dormantIds].filter((id) => !ids.has(id))),
  };
  memory.joined = { registry, owned, result };
  return result;
}
