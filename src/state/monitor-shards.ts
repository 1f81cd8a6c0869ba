import pLimit from "p-limit";
import { writeIfUnchanged } from "../model/conditional-write.ts";
import { type ETag, type ObjectStore, StoreError } from "../model/store.ts";
import type { MonitorRecord, PendingChanges, UptimeShard } from "../model/uptime.ts";
import { StateError } from "./state-file.ts";
import { applyPending } from "../monitors/uptime/apply-journal.ts";
import { decodeShard, encodeShard } from "./codec/monitor-shard.ts";
import { shardKey, shardOf } from "../monitors/uptime/shard.ts";

/** Concurrent requests: enough to hide the latency of a remote store. */
const CONCURRENCY = 16;

/** So many conflicts in a row mean that something is wrong, not that other writers are fast. */
const TRIES = 12;

/** The records of monitors in the state store, and the tags for writing over them. */
export interface LoadedShards {
  readonly shards: ReadonlyMap<number, UptimeShard>;
  readonly etags: ReadonlyMap<number, ETag>;
}

/** Reads the shards with these numbers; a missing one counts as empty. Throws `StateError`, `StoreError`. */
export async function loadShards(
  store: ObjectStore,
  numbers: readonly number[],
): Promise<LoadedShards> {
  const limit = pLimit(CONCURRENCY);
  const loaded = await Promise.all(
    numbers.map((number) => limit(async () => [number, await loadShard(store, number)] as const)),
  );
  return {
    shards: new Map(loaded.flatMap(([number, one]) => (one ? [[number, one.shard]] : []))),
    etags: new Map(loaded.flatMap(([number, one]) => (one ? [[number, one.etag]] : []))),
  };
}

async function loadShard(store: ObjectStore, number: number) {
  const key = shardKey(number);
  const found = await store.read(key);
  if (found === undefined) return undefined;
  const decoded = decodeShard(found.body);
  if (decoded.kind === "invalid") {
    throw new StateError(`${key} in ${store.name}: ${decoded.message}`);
  }
  return { shard: decoded.shard, etag: found.etag };
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

/**
 * Writes the shards with changes, each only if it is unchanged since it was read, else after reading it again. Does not write a
 * shard that already has the changes. Throws `StateError`, `StoreError`.
 *
 * @returns the numbers of all existing shards, ascending.
 */
export async function applyJournalToShards(
  store: ObjectStore,
  loaded: LoadedShards,
  pending: PendingChanges,
  pause: (ms: number) => Promise<void>,
): Promise<readonly number[]> {
  const limit = pLimit(CONCURRENCY);
  const concerned = [...shardsOf(pending)];
  await Promise.all(
    concerned.map((number) => limit(() => settleShard(store, number, loaded, pending, pause))),
  );
  return [...new Set([...loaded.shards.keys(), ...concerned])].toSorted((a, b) => a - b);
}

async function settleShard(
  store: ObjectStore,
  number: number,
  loaded: LoadedShards,
  pending: PendingChanges,
  pause: (ms: number) => Promise<void>,
): Promise<void> {
  let shard = loaded.shards.get(number);
  let etag = loaded.etags.get(number);
  let failure: StoreError | undefined;
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const next = applyPending(number, shard, pending);
    if (next === undefined || next === shard) return;
    const object = {
      body: encodeShard(next),
      contentType: "application/gzip",
      cacheControl: "no-store",
    };
    const result = await writeIfUnchanged(store, shardKey(number), object, etag);
    if (result.kind === "written") return;
    failure = result.kind === "unknown" ? result.error : undefined;
    await pause(10 * 2 ** attempt);
    const found = await loadShard(store, number);
    shard = found?.shard;
    etag = found?.etag;
  }
  throw (
    failure ??
    new StoreError(
      "write",
      shardKey(number),
      `${store.name}: ${shardKey(number)} was changed by others ${TRIES} times in a row. Are too many programs writing there?`,
    )
  );
}

/** Finds the record of a monitor. */
export type RecordOf = (id: string) => MonitorRecord | undefined;

export function recordsIn(shards: ReadonlyMap<number, UptimeShard>): RecordOf {
  return (id) => shards.get(shardOf(id))?.records.get(id);
}
