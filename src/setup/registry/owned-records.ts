import type { OwnersState } from "../../model/monitor/owned-monitor.ts";
import type { ObjectStore } from "../../model/store.ts";
import { openStore } from "../../store/open.ts";
import { loadState, isStateFailure } from "../../state/state-file.ts";
import { OWNERS, readShards } from "../../state/shards.ts";

/** All records of owners in a state, those of its journal included. Throws `StateError`, `StoreError`. */
export async function readOwnedRecords(store: ObjectStore, owners: OwnersState) {
  const shards = await readShards(OWNERS, store, owners);
  return new Map([...shards.values()].flatMap(({ owned }) => [...owned]));
}

/** Whether an owner has added a monitor with this id. The command tells of a store that cannot be read. Never throws. */
export async function isOwned(stateUrl: string, id: string): Promise<boolean> {
  try {
    const opened = await openStore(stateUrl, { role: "private" });
    if (opened.kind === "refused") return false;
    const { state } = await loadState(opened.store);
    return (await readOwnedRecords(opened.store, state.owners)).has(id);
  } catch (error) {
    if (isStateFailure(error)) return false;
    throw error;
  }
}
