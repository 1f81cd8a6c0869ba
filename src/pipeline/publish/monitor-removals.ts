import type { Monitor } from "../../model/monitor/monitor.ts";
import type { MonitorClock, UptimeShard } from "../../model/monitor/uptime.ts";
import type { OwnedMonitors, OwnersMemory } from "./owner-generation.ts";
import { isTooMany } from "../../publish/plan-objects.ts";
import type { RecordOf, ShardCache } from "../../state/shards.ts";

export interface Registry {
  readonly monitors: readonly Monitor[];
  /** Ids of invalid entries: they are not checked, but their history stays. */
  readonly rejectedIds: readonly string[];
  /** False if it could not be read completely: then a missing monitor is not removed. */
  readonly isComplete: boolean;
  /** Owned monitors that are not checked: they have no documents, but their history stays. @default none */
  readonly dormantIds?: ReadonlySet<string>;
  /** Why it is incomplete or has invalid entries, for the log. */
  readonly problem?: string;
}

/**
 * What a process keeps from one publish to the next, so that publishing a report does not read 64 objects and compute all signatures
 * again. The state shows when another writer has changed them.
 */
export interface PublishMemory extends OwnersMemory {
  uptimes?: ShardCache<UptimeShard>;
  joined?: Kept<Registry>;
  /** By group id. */
  signatures?: Kept<Map<string, string>>;
}

/** Valid while each of the values that it was computed `from` is the same. */
interface Kept<T> {
  readonly from: readonly unknown[];
  readonly value: T;
}

function keep<T>(known: Kept<T> | undefined, from: readonly unknown[], make: () => T): Kept<T> {
  const isValid = known?.from.every((one, at) => one === from[at]) === true;
  return isValid ? known : { from, value: make() };
}

/** The registry with the monitors of owners; the same object for the same two. An id of the registry goes first. */
export function joinOwned(
  registry: Registry,
  owned: OwnedMonitors | undefined,
  memory: PublishMemory,
): Registry {
  if (owned === undefined || owned.checked.length + owned.dormantIds.size === 0) return registry;
  memory.joined = keep(memory.joined, [registry, owned], () => {
    const ids = new Set(registry.monitors.map(({ id }) => id));
    return {
      ...registry,
      monitors: [...registry.monitors, ...owned.checked.filter(({ id }) => !ids.has(id))],
      dormantIds: new Set([...owned.dormantIds].filter((id) => !ids.has(id))),
    };
  });
  return memory.joined.value;
}

/** The cached signatures for these sources; an empty map, which the caller fills, if there are none. */
export function cachedSignatures(memory: PublishMemory, from: readonly unknown[]) {
  memory.signatures = keep(memory.signatures, from, () => new Map());
  return memory.signatures.value;
}

/** The records of monitors, with the journal applied. */
export interface MonitorRecords {
  readonly clock: MonitorClock;
  readonly ids: () => Iterable<string>;
  readonly recordOf: RecordOf;
}

export interface MonitorRemovals {
  readonly removedIds: readonly string[];
  readonly withheldRemovals: number;
  /** Whether a monitor that has no valid entry keeps its history and documents, because it may still exist. */
  readonly isKept: (id: string) => boolean;
}

/**
 * Monitors that left the registry, unless they are so many that it may be a mistake.
 *
 * @param maxRemovalShare the largest share of the known monitors that may be removed at once, 0–1.
 * @param removed ids that the command line removes: these are gone even if the registry cannot be read completely.
 */
export function findRemoved(
  registry: Registry,
  maxRemovalShare: number,
  history: MonitorRecords,
  removed: ReadonlySet<string>,
): MonitorRemovals {
  const { dormantIds: dormant = new Set() } = registry;
  const listed = new Set([...registry.monitors.map(({ id }) => id), ...dormant]);
  const rejected = new Set(registry.rejectedIds);
  const ids = [...history.ids()];
  const missing = ids.filter((id) => !listed.has(id) && !rejected.has(id));
  const byName = missing.filter((id) => removed.has(id));
  if (!registry.isComplete) {
    // The unreadable part may hold the entry of any of them.
    return {
      removedIds: byName,
      withheldRemovals: 0,
      isKept: (id) => rejected.has(id) || (!removed.has(id) && !dormant.has(id)),
    };
  }
  const others = missing.filter((id) => !removed.has(id));
  if (!isTooMany(others.length, ids.length, maxRemovalShare)) {
    return { removedIds: missing, withheldRemovals: 0, isKept: (id) => rejected.has(id) };
  }
  const kept = new Set([...registry.rejectedIds, ...others]);
  return { removedIds: byName, withheldRemovals: others.length, isKept: (id) => kept.has(id) };
}
