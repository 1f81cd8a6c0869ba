import { readOwnedRecords } from "../../src/setup/registry/owned-records.ts";
import type { OwnedMonitor } from "../../src/model/monitor/owned-monitor.ts";
import type { ObjectStore } from "../../src/model/store.ts";
import { advanceOwners } from "../../src/pipeline/publish/owner-generation.ts";
import { commit } from "../../src/publish/commit.ts";
import type { ComputeAdvance } from "../../src/publish/generation.ts";
import { NO_GROUPS } from "../../src/publish/object-groups.ts";
import { openEdits } from "../../src/state/inbox.ts";
import { loadState } from "../../src/state/state-file.ts";
import { T0 } from "../model/samples.ts";
import { type Stores, writerOver } from "../publish/writers.ts";

export const NO_PAUSE = async (): Promise<void> => undefined;

/** One publish that counts the inbox of edits, as every command makes it. */
export async function publishIn(
  stores: Stores,
  pause: (ms: number) => Promise<void> = NO_PAUSE,
  nowMs = T0,
): Promise<void> {
  const { stateStore } = stores;
  const inbox = await openEdits(stateStore, () => undefined);
  const owners = { stateStore, pause, memory: {} };
  const advance: ComputeAdvance = async (state) => {
    const next = await advanceOwners(owners, state.owners, inbox, nowMs);
    return {
      state: { ...state, owners: next.owners },
      documents: [],
      site: [],
      groups: NO_GROUPS,
      settle: async () => ({ owners: await next.settle() }),
      nowMs,
    };
  };
  await commit({ ...writerOver(stores, pause), mustVerify: false }, advance, advance);
  const { state } = await loadState(stateStore);
  await inbox.clear(state.owners.folded);
}

/** The records of the stored state. */
export async function recordsIn(store: ObjectStore): Promise<ReadonlyMap<string, OwnedMonitor>> {
  const { state } = await loadState(store);
  return readOwnedRecords(store, state.owners);
}
