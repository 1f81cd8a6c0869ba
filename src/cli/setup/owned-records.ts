import type { OwnedMonitor, OwnersState } from "../../model/owned-monitor.ts";
import type { ObjectStore } from "../../model/store.ts";
import { loadOwnerShards, ownerShardsOf, withOwnerChanges } from "../../state/owner-shards.ts";

/** All records of owners in a state, those of its journal included. Throws `StateError`, `StoreError`. */
export async function readOwnedRecords(
  store: ObjectStore,
  { pending, shards }: OwnersState,
): Promise<ReadonlyMap<string, OwnedMonitor>> {
  // Shards that only the journal names may exist: its writer may have died half-way.
  const numbers = new Set([...shards, ...(pending === null ? [] : ownerShardsOf(pending))]);
  const loaded = await loadOwnerShards(store, [...numbers]);
  const all = withOwnerChanges(loaded.shards, pending).values();
  return new Map([...all].flatMap(({ owned }) => [...owned]));
}
