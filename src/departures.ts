import type { Monitor } from "./model/monitor.ts";
import type { MonitorClock } from "./model/uptime.ts";
import { isTooMany } from "./publish/plan.ts";
import type { RecordOf } from "./shards.ts";

/** The registry as a run finds it. */
export interface Registry {
  readonly monitors: readonly Monitor[];
  /** Ids of entries that cannot be used as they are written: they are not checked, but what is known of them stays. */
  readonly rejectedIds: readonly string[];
  /** False when it could not be read whole: nothing is concluded from who is missing. */
  readonly isComplete: boolean;
  /** Why it is not as it is written, for the log; absent when it is. */
  readonly problem?: string;
}

/** What a state says of monitors, its journal taken in. */
export interface MonitorHistory {
  readonly clock: MonitorClock;
  readonly ids: () => Iterable<string>;
  readonly recordOf: RecordOf;
}

export interface Departures {
  readonly goneIds: readonly string[];
  readonly heldBack: number;
  /** Whether a monitor that is not in the registry, as far as it can be used, keeps what it has: nobody knows that it is gone. */
  readonly isKept: (id: string) => boolean;
}

/**
 * Monitors that left the registry, unless there are so many of them that it looks like a mistake.
 *
 * @param maxRemovalShare the largest share of the known monitors that may leave at once, 0–1.
 * @param removed ids that somebody took out by name: these are gone even where the registry cannot be read whole.
 */
export function findGone(
  registry: Registry,
  maxRemovalShare: number,
  history: MonitorHistory,
  removed: ReadonlySet<string>,
): Departures {
  const listed = new Set(registry.monitors.map(({ id }) => id));
  const rejected = new Set(registry.rejectedIds);
  const ids = [...history.ids()];
  const missing = ids.filter((id) => !listed.has(id) && !rejected.has(id));
  const byName = missing.filter((id) => removed.has(id));
  if (!registry.isComplete) {
    // What could not be read may be the entry of any of them.
    return { goneIds: byName, heldBack: 0, isKept: (id) => rejected.has(id) || !removed.has(id) };
  }
  const others = missing.filter((id) => !removed.has(id));
  if (!isTooMany(others.length, ids.length, maxRemovalShare)) {
    return { goneIds: missing, heldBack: 0, isKept: (id) => rejected.has(id) };
  }
  const kept = new Set([...registry.rejectedIds, ...others]);
  return { goneIds: byName, heldBack: others.length, isKept: (id) => kept.has(id) };
}
