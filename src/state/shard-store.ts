import pLimit from "p-limit";
import {
  writeIfUnchanged,
  type ETag,
  type ObjectStore,
  STORE_CONCURRENCY,
  StoreError,
} from "../model/store.ts";
import type { StoredKind } from "./codec/stored.ts";
import { StateError } from "./state-file.ts";

/** So many conflicts in a row mean that something is wrong, not that other writers are fast. */
const TRIES = 12;

/** A kind of objects that a journal in the state keeps up to date. */
export interface ShardKind<Shard> extends StoredKind<Shard> {
  readonly keyOf: (number: number) => string;
}

/** Shards by number, and the tags for writing over them. */
export interface LoadedShardsOf<Shard> {
  readonly shards: ReadonlyMap<number, Shard>;
  readonly etags: ReadonlyMap<number, ETag>;
}

/** Reads the shards with these numbers; a missing one counts as empty. Throws `StateError`, `StoreError`. */
export async function loadShardsOf<Shard>(
  kind: ShardKind<Shard>,
  store: ObjectStore,
  numbers: readonly number[],
): Promise<LoadedShardsOf<Shard>> {
  const limit = pLimit(STORE_CONCURRENCY);
  const loaded = await Promise.all(
    numbers.map((number) =>
      limit(async () => [number, await loadShard(kind, store, number)] as const),
    ),
  );
  return {
    shards: new Map(loaded.flatMap(([number, one]) => (one ? [[number, one.shard]] : []))),
    etags: new Map(loaded.flatMap(([number, one]) => (one ? [[number, one.etag]] : []))),
  };
}

async function loadShard<Shard>(kind: ShardKind<Shard>, store: ObjectStore, number: number) {
  const key = kind.keyOf(number);
  const found = await store.read(key);
  if (found === undefined) return undefined;
  const decoded = kind.decode(found.body);
  if (decoded.kind === "invalid") {
    throw new StateError(`${key} in ${store.name}: ${decoded.message}`);
  }
  return { shard: decoded.value, etag: found.etag };
}

/**
 * Writes the shards of a journal, each only if it is unchanged since it was read, else after reading it again. Does not write a shard
 * that already has the changes: `apply` then returns the same object. Throws `StateError`, `StoreError`.
 *
 * @returns the numbers of all existing shards, ascending.
 */
export async function applyToShards<Shard>(
  kind: ShardKind<Shard>,
  store: ObjectStore,
  loaded: LoadedShardsOf<Shard>,
  concerned: ReadonlySet<number>,
  apply: (number: number, shard: Shard | undefined) => Shard | undefined,
  pause: (ms: number) => Promise<void>,
): Promise<readonly number[]> {
  const limit = pLimit(STORE_CONCURRENCY);
  await Promise.all(
    [...concerned].map((number) =>
      limit(() => settleShard(kind, store, number, loaded, apply, pause)),
    ),
  );
  return [...new Set([...loaded.shards.keys(), ...concerned])].toSorted((a, b) => a - b);
}

async function settleShard<Shard>(
  kind: ShardKind<Shard>,
  store: ObjectStore,
  number: number,
  loaded: LoadedShardsOf<Shard>,
  apply: (number: number, shard: Shard | undefined) => Shard | undefined,
  pause: (ms: number) => Promise<void>,
): Promise<void> {
  const key = kind.keyOf(number);
  let shard = loaded.shards.get(number);
  let etag = loaded.etags.get(number);
  let failure: StoreError | undefined;
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const next = apply(number, shard);
    if (next === undefined || next === shard) return;
    const body = kind.encode(next);
    const object = { body, contentType: "application/gzip", cacheControl: "no-store" };
    const result = await writeIfUnchanged(store, key, object, etag);
    if (result.kind === "written") return;
    failure = result.kind === "unknown" ? result.error : undefined;
    await pause(10 * 2 ** attempt);
    const found = await loadShard(kind, store, number);
    shard = found?.shard;
    etag = found?.etag;
  }
  const message = `${store.name}: ${key} was changed by others ${TRIES} times in a row. Are too many programs writing there?`;
  throw failure ?? new StoreError("write", key, message);
}
