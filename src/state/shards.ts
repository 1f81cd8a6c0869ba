import pLimit from "p-limit";
import type { OwnerShard, PendingOwnerChanges } from "../model/monitor/owned-monitor.ts";
import { changesByShard, shardKey, shardOf } from "../model/monitor/shard.ts";
import type { MonitorRecord, PendingChanges, UptimeShard } from "../model/monitor/uptime.ts";
import {
  type ETag,
  type ObjectStore,
  STORE_CONCURRENCY,
  StoreError,
  writeIfUnchanged,
} from "../model/store.ts";
import { decodeShard, encodeShard } from "./codec/monitor-shard.ts";
import { OWNER_SHARD } from "./codec/owned-monitor.ts";
import { type StoredKind, toPrivateObject } from "./codec/stored.ts";
import { loadStored } from "./state-file.ts";
import { applyPending } from "../monitors/uptime/journal.ts";

/** So many conflicts in a row mean that something is wrong, not that other writers are fast. */
const TRIES = 12;

/** A kind of objects that hold records by the shard of their ids. */
export interface ShardKind<Shard> extends StoredKind<Shard> {
  readonly keyOf: (number: number) => string;
}

interface Journal {
  readonly sequence: number;
  readonly changes: ReadonlyMap<string, unknown>;
}

/** Shards that a journal in the state keeps up to date. */
interface JournaledKind<Shard, Pending extends Journal> extends ShardKind<Shard> {
  /** The shard after its changes; the same object if it already has them. */
  readonly apply: (number: number, shard: Shard | undefined, pending: Pending) => Shard | undefined;
}

/** What the state has about journaled shards. */
interface Journaled<Pending> {
  readonly sequence: number;
  readonly shards: readonly number[];
  readonly pending: Pending | null;
}

export const UPTIMES: JournaledKind<UptimeShard, PendingChanges> = {
  keyOf: shardKey,
  encode: encodeShard,
  decode: decodeShard,
  apply: applyPending,
};

export const OWNERS: JournaledKind<OwnerShard, PendingOwnerChanges> = {
  keyOf: (number) => `owners/${number.toString(16).padStart(2, "0")}.json.gz`,
  ...OWNER_SHARD,
  apply: applyOwnerChanges,
};

/** One that loses its last record stays, empty: it remembers the journal, or a late writer with an older one could restore the record. */
function applyOwnerChanges(
  number: number,
  shard: OwnerShard | undefined,
  { sequence, changes }: PendingOwnerChanges,
): OwnerShard {
  if (shard !== undefined && shard.sequence >= sequence) return shard;
  const owned = new Map(shard?.owned);
  for (const [id, after] of changesByShard(changes).get(number) ?? []) {
    if (after === null) owned.delete(id);
    else owned.set(id, after);
  }
  return { sequence, owned };
}

/** Shards by number, and the tags for writing over them. */
interface LoadedShards<Shard> {
  readonly shards: ReadonlyMap<number, Shard>;
  readonly etags: ReadonlyMap<number, ETag>;
}

/** Reads the shards with these numbers; a missing one counts as empty. Throws `StateError`, `StoreError`. */
export async function loadShards<Shard>(
  kind: ShardKind<Shard>,
  store: ObjectStore,
  numbers: Iterable<number>,
): Promise<LoadedShards<Shard>> {
  const found = await pLimit(STORE_CONCURRENCY).map(
    numbers,
    async (number) => [number, await loadStored(kind, store, kind.keyOf(number))] as const,
  );
  const shards = new Map<number, Shard>();
  const etags = new Map<number, ETag>();
  for (const [number, one] of found) {
    if (one === undefined) continue;
    shards.set(number, one.value);
    etags.set(number, one.etag);
  }
  return { shards, etags };
}

/** What a process keeps of one kind of shards from one publish to the next. */
export interface ShardCache<Shard> {
  last?: { readonly key: string; readonly loaded: LoadedShards<Shard> };
}

/** Reads all shards of a state, unless the cache has them. Throws `StateError`, `StoreError`. */
async function loadCachedShards<Shard, Pending extends Journal>(
  kind: ShardKind<Shard>,
  store: ObjectStore,
  { sequence, pending, shards }: Journaled<Pending>,
  cache: ShardCache<Shard> = {},
): Promise<LoadedShards<Shard>> {
  // Shards change only with the journals. A stale shard is detected by its ETag when it is written.
  const key = [store.identity, sequence, pending === null, ...shards].join(" ");
  if (cache.last?.key === key) return cache.last.loaded;
  // Shards that only the journal names may exist: its writer may have died half-way.
  const numbers = new Set([...shards, ...concerned(pending)]);
  const loaded = await loadShards(kind, store, numbers);
  cache.last = { key, loaded };
  return loaded;
}

/** All shards of a state, with its journal in them. Throws `StateError`, `StoreError`. */
export async function readShards<Shard, Pending extends Journal>(
  kind: JournaledKind<Shard, Pending>,
  store: ObjectStore,
  stored: Journaled<Pending>,
  cache?: ShardCache<Shard>,
): Promise<ReadonlyMap<number, Shard>> {
  const { shards } = await loadCachedShards(kind, store, stored, cache);
  return withJournal(kind, shards, stored.pending);
}

/** Settles the journal that an earlier writer left, because the next one will replace it. Throws `StateError`, `StoreError`. */
export async function advanceShards<Shard, Pending extends Journal>(
  kind: JournaledKind<Shard, Pending>,
  { stateStore: store, pause }: { readonly stateStore: ObjectStore; readonly pause: Pause },
  stored: Journaled<Pending>,
  cache: ShardCache<Shard>,
) {
  let loaded = await loadCachedShards(kind, store, stored, cache);
  if (stored.pending !== null) {
    delete cache.last;
    const numbers = await settleShards(kind, store, loaded, stored.pending, pause);
    loaded = await loadShards(kind, store, numbers);
  }
  return {
    before: loaded.shards,
    /** What the next state has: a journal only if there are changes. `shards`: with it. `settle`: once that state is won. */
    next: (changed: Pending) => {
      const pending = changed.changes.size > 0 ? changed : null;
      const numbers = [...loaded.shards.keys()].toSorted((a, b) => a - b);
      return {
        journal: { sequence: (pending ?? stored).sequence, pending, shards: numbers },
        shards: withJournal(kind, loaded.shards, pending),
        settle: async () => ({
          pending: null,
          shards: await settleShards(kind, store, loaded, pending, pause),
        }),
      };
    },
  };
}

/** Applies the changes without access to the store. A shard without changes stays the same object. */
export function withJournal<Shard, Pending extends Journal>(
  kind: JournaledKind<Shard, Pending>,
  shards: ReadonlyMap<number, Shard>,
  pending: Pending | null,
): ReadonlyMap<number, Shard> {
  if (pending === null) return shards;
  const next = new Map(shards);
  for (const number of concerned(pending)) {
    const changed = kind.apply(number, shards.get(number), pending);
    if (changed !== undefined) next.set(number, changed);
  }
  return next;
}

/** The numbers of the shards with changes. */
function concerned(journal: Journal | null): ReadonlySet<number> {
  return new Set(journal === null ? [] : changesByShard(journal.changes).keys());
}

/** Brings the shards up to a journal, and returns the numbers of all that exist, ascending. Throws as `replaceShard`. */
async function settleShards<Shard, Pending extends Journal>(
  kind: JournaledKind<Shard, Pending>,
  store: ObjectStore,
  loaded: LoadedShards<Shard>,
  pending: Pending | null,
  pause: Pause,
): Promise<readonly number[]> {
  const numbers = concerned(pending);
  if (pending !== null)
    await pLimit(STORE_CONCURRENCY).map(numbers, (number) => {
      const apply = (shard: Shard | undefined) => kind.apply(number, shard, pending);
      return replaceShard(kind, store, loaded, number, apply, pause);
    });
  return [...new Set([...loaded.shards.keys(), ...numbers])].toSorted((a, b) => a - b);
}

type Pause = (ms: number) => Promise<void>;

/** Replaces a shard only over the version that was read, and reads it again after a conflict. Throws `StateError`, `StoreError`. */
export async function replaceShard<Shard>(
  kind: ShardKind<Shard>,
  store: ObjectStore,
  loaded: LoadedShards<Shard>,
  number: number,
  apply: (shard: Shard | undefined) => Shard | undefined,
  pause: Pause,
): Promise<void> {
  const key = kind.keyOf(number);
  let shard = loaded.shards.get(number);
  let etag = loaded.etags.get(number);
  let failure: StoreError | undefined;
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const next = apply(shard);
    if (next === undefined || next === shard) return;
    const result = await writeIfUnchanged(store, key, toPrivateObject(kind.encode(next)), etag);
    if (result.kind === "written") return;
    failure = result.kind === "unknown" ? result.error : undefined;
    await pause(10 * 2 ** attempt);
    const found = await loadStored(kind, store, key);
    shard = found?.value;
    etag = found?.etag;
  }
  const message = `${store.name}: ${key} was changed by others ${TRIES} times in a row. Are too many programs writing there?`;
  throw failure ?? new StoreError("write", key, message);
}

/** Finds the record of a monitor. */
export type RecordOf = (id: string) => MonitorRecord | undefined;

export function recordsIn(shards: ReadonlyMap<number, UptimeShard>): RecordOf {
  return (id) => shards.get(shardOf(id))?.records.get(id);
}
