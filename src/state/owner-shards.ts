import type {
  OwnedMonitor,
  OwnerShard,
  PendingOwnerChanges,
} from "../model/monitor/owned-monitor.ts";
import type { ObjectStore } from "../model/store.ts";
import { shardOf } from "../model/monitor/shard.ts";
import { OWNER_SHARD } from "./codec/owner-shard.ts";
import { applyToShards, type LoadedShardsOf, loadShardsOf, type ShardKind } from "./shard-store.ts";

const OWNERS: ShardKind<OwnerShard> = {
  keyOf: (number) => `owners/${number.toString(16).padStart(2, "0")}.json.gz`,
  ...OWNER_SHARD,
};

/** The records of owned monitors in the state store, and the tags for writing over them. */
export type LoadedOwners = LoadedShardsOf<OwnerShard>;

/** Reads the shards with these numbers; a missing one counts as empty. Throws `StateError`, `StoreError`. */
export function loadOwnerShards(
  store: ObjectStore,
  numbers: readonly number[],
): Promise<LoadedOwners> {
  return loadShardsOf(OWNERS, store, numbers);
}

/** The numbers of the shards with changes. */
export function ownerShardsOf({ changes }: PendingOwnerChanges): ReadonlySet<number> {
  return new Set([...changes.keys()].map(shardOf));
}

/** Brings the shards up to a journal. Throws as `applyToShards`. */
export function applyOwnerJournal(
  store: ObjectStore,
  loaded: LoadedOwners,
  pending: PendingOwnerChanges,
  pause: (ms: number) => Promise<void>,
): Promise<readonly number[]> {
  const byShard = groupByShard(pending);
  const apply = (number: number, shard: OwnerShard | undefined) =>
    applyOwnerChanges(shard, pending.sequence, byShard.get(number) ?? []);
  return applyToShards(OWNERS, store, loaded, new Set(byShard.keys()), apply, pause);
}

/** Applies the changes without access to the store. */
export function withOwnerChanges(
  shards: ReadonlyMap<number, OwnerShard>,
  pending: PendingOwnerChanges | null,
): ReadonlyMap<number, OwnerShard> {
  if (pending === null) return shards;
  const next = new Map(shards);
  for (const [number, changes] of groupByShard(pending))
    next.set(number, applyOwnerChanges(shards.get(number), pending.sequence, changes));
  return next;
}

type Changes = readonly (readonly [string, OwnedMonitor | null])[];

/**
 * The shard after its changes; the same object if it already has them. One that loses its last record stays, empty, because it has to
 * remember the journal: a late writer with an older one could restore the record.
 */
function applyOwnerChanges(
  shard: OwnerShard | undefined,
  sequence: number,
  changes: Changes,
): OwnerShard {
  if (shard !== undefined && shard.sequence >= sequence) return shard;
  const owned = new Map(shard?.owned);
  for (const [id, after] of changes) {
    if (after === null) owned.delete(id);
    else owned.set(id, after);
  }
  return { sequence, owned };
}

function groupByShard({ changes }: PendingOwnerChanges): ReadonlyMap<number, Changes> {
  const groups = new Map<number, (readonly [string, OwnedMonitor | null])[]>();
  for (const change of changes) {
    const number = shardOf(change[0]);
    const group = groups.get(number) ?? [];
    group.push(change);
    groups.set(number, group);
  }
  return groups;
}
