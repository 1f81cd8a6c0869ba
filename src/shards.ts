import pLimit from "p-limit";
import { type ETag, type ObjectStore, StoreError, type WriteResult } from "./model/store.ts";
import type { MonitorRecord, PendingChanges, UptimeShard } from "./model/uptime.ts";
import { StateError } from "./state.ts";
import { applyPending } from "./uptime/apply.ts";
import { decodeShard, encodeShard } from "./uptime/codec.ts";
import { shardKey, shardOf } from "./uptime/shard.ts";

/** Requests under way at once: enough to hide the latency of a store far away. */
const CONCURRENCY = 16;

/** Losing so often in a row means that something is wrong, not that the others are quick. */
const TRIES = 12;

/** The records of monitors as the state store holds them, and the tags that writing over them takes. */
export interface LoadedShards {
  readonly shards: ReadonlyMap<number, UptimeShard>;
  readonly etags: ReadonlyMap<number, ETag>;
}

/** Reads the shards with these numbers; one that is missing counts as empty. Throws `StateError`, `StoreError`. */
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

/** The shards with the changes taken in, without a look at the store. The same shard where nothing changes. */
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

/** Numbers of the shards that changes concern. */
export function shardsOf({ changes }: PendingChanges): ReadonlySet<number> {
  return new Set([...changes.keys()].map(shardOf));
}

/**
 * Writes the shards that the changes concern, each only if nobody has changed it since it was read; who finds it changed
 * reads again, and a shard that took the changes in already is left alone. Throws `StateError`, `StoreError`.
 *
 * @returns the numbers of the shards that exist now, ascending.
 */
export async function settleShards(
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
    const result = await tryWrite(store, number, next, etag);
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

type Attempted = WriteResult | { readonly kind: "unknown"; readonly error: StoreError };

async function tryWrite(
  store: ObjectStore,
  number: number,
  shard: UptimeShard,
  etag: ETag | undefined,
): Promise<Attempted> {
  try {
    return await store.write(
      shardKey(number),
      { body: encodeShard(shard), contentType: "application/gzip", cacheControl: "no-store" },
      etag === undefined ? { kind: "absent" } : { kind: "unchanged", etag },
    );
  } catch (error) {
    if (error instanceof StoreError && error.isUnknown) return { kind: "unknown", error };
    throw error;
  }
}

/** Finds the record of a monitor. */
export type RecordOf = (id: string) => MonitorRecord | undefined;

export function recordsIn(shards: ReadonlyMap<number, UptimeShard>): RecordOf {
  return (id) => shards.get(shardOf(id))?.records.get(id);
}
