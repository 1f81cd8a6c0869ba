import type { ObjectStore } from "../model/store.ts";
import type { MonitorRecord, PendingChanges, UptimeShard } from "../model/monitor/uptime.ts";
import { applyPending } from "../monitors/uptime/journal.ts";
import { decodeShard, encodeShard } from "./codec/monitor-shard.ts";
import { shardKey, shardOf } from "../model/monitor/shard.ts";
import { applyToShards, type LoadedShardsOf, loadShardsOf, type ShardKind } from "./shard-store.ts";

const UPTIMES: ShardKind<UptimeShard> = {
  keyOf: shardKey,
  encode: encodeShard,
  decode: decodeShard,
};

/** The records of monitors in the state store, and the tags for writing over them. */
export type LoadedShards = LoadedShardsOf<UptimeShard>;

/** Reads the shards with these numbers; a missing one counts as empty. Throws `StateError`, `StoreError`. */
export function loadShards(store: ObjectStore, numbers: readonly number[]): Promise<LoadedShards> {
  return loadShardsOf(UPTIMES, store, numbers);
}

/** Applies the changes without access to the store. A shard without changes stays the same object. */
export function withChanges(
  shards: ReadonlyMap<number, UptimeShard>,
  pending: PendingChanges | null,
): ReadonlyMap<number, UptimeShard> {
  if (pending === null) return shards;
  const next = new Map(shards);
  for (const number of shardsOf(pending)) {
    const changed = applyPending(number, shards.get(number), pending);
    if (changed !== undefined) next.set(number, changed);
  }
  return next;
}

/** The numbers of the shards with changes. */
export function shardsOf({ changes }: PendingChanges): ReadonlySet<number> {
  return new Set([...changes.keys()].map(shardOf));
}

/** Brings the shards up to a journal. Throws as `applyToShards`. */
export function applyJournalToShards(
  store: ObjectStore,
  loaded: LoadedShards,
  pending: PendingChanges,
  pause: (ms: number) => Promise<void>,
): Promise<readonly number[]> {
  const apply = (number: number, shard: UptimeShard | undefined) =>
    applyPending(number, shard, pending);
  return applyToShards(UPTIMES, store, loaded, shardsOf(pending), apply, pause);
}

/** Finds the record of a monitor. */
export type RecordOf = (id: string) => MonitorRecord | undefined;

export function recordsIn(shards: ReadonlyMap<number, UptimeShard>): RecordOf {
  return (id) => shards.get(shardOf(id))?.records.get(id);
}
