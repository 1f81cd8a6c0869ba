import pLimit from "p-limit";
import {
  type ETag,
  type ObjectStore,
  STORE_CONCURRENCY,
  type StoredObject,
} from "../model/store.ts";
import type { VisitorShard } from "../model/monitor/visitor.ts";
import { VISITOR_SHARD } from "./codec/visitor-shard.ts";
import { applyToShards, loadShardsOf, type ShardKind } from "./shard-store.ts";

/** Folder of the state store with the subscriptions of browsers. */
const FOLDER = "push";

/** Of an announcement. */
const MAX_BYTES = 100;

const VISITORS: ShardKind<VisitorShard> = {
  keyOf: (number) => `${FOLDER}/${number.toString(16).padStart(2, "0")}.json.gz`,
  ...VISITOR_SHARD,
};

const EMPTY: VisitorShard = new Map();

/**
 * Replaces a shard, only over the version that was read, and tries again with the newest. Writes nothing if `apply` returns the same object.
 * Throws `StateError`, `StoreError`.
 */
export async function editVisitorShard(
  store: ObjectStore,
  number: number,
  apply: (shard: VisitorShard) => VisitorShard,
  pause: (ms: number) => Promise<void>,
): Promise<void> {
  const loaded = await loadShardsOf(VISITORS, store, [number]);
  const edit = (_: number, shard: VisitorShard | undefined): VisitorShard => apply(shard ?? EMPTY);
  await applyToShards(VISITORS, store, loaded, new Set([number]), edit, pause);
}

/** Changes whenever there may be subscriptions that were not tried yet. */
const UNTRIED_KEY = `${FOLDER}/untried.txt`;
const CLAIMED = "claimed";

/** Tells the notifier that there are subscriptions to try. Throws `StoreError`. */
export async function announceUntried(store: ObjectStore, nonce: string): Promise<void> {
  await store.write(UNTRIED_KEY, toText(nonce));
}

/** Whether there is an announcement that no notifier has taken, which is taken by this. Throws `StoreError`. */
export async function claimUntried(store: ObjectStore): Promise<boolean> {
  const found = await store.read(UNTRIED_KEY, MAX_BYTES);
  if (found === undefined || Buffer.from(found.body).toString() === CLAIMED) return false;
  const precondition = { kind: "unchanged", etag: found.etag } as const;
  const { kind } = await store.write(UNTRIED_KEY, toText(CLAIMED), precondition);
  return kind === "written";
}

function toText(text: string): StoredObject {
  return { body: Buffer.from(text), contentType: "text/plain", cacheControl: "no-store" };
}

/** All subscriptions, by shard. Throws `StateError`, `StoreError`. */
export type ReadVisitors = () => Promise<ReadonlyMap<number, VisitorShard>>;

/** Reads all shards, and later only those that have changed. */
export function createVisitorReader(store: ObjectStore): ReadVisitors {
  let known: ReadonlyMap<number, readonly [etag: ETag, shard: VisitorShard]> = new Map();
  return async () => {
    const keys = await store.list(FOLDER);
    const numbers = keys.flatMap((key) => {
      const [, hex] = /^push\/([0-9a-f]{2})\.json\.gz$/u.exec(key) ?? [];
      return hex === undefined ? [] : [Number.parseInt(hex, 16)];
    });
    const limit = pLimit(STORE_CONCURRENCY);
    const found = await Promise.all(
      numbers.map((number) => limit(async () => [number, await refresh(number)] as const)),
    );
    known = new Map(found.flatMap(([number, one]) => (one === undefined ? [] : [[number, one]])));
    return new Map([...known].map(([number, [, shard]]) => [number, shard]));
  };

  async function refresh(number: number) {
    const before = known.get(number);
    const isSame = before !== undefined && (await store.find(VISITORS.keyOf(number))) === before[0];
    if (isSame) return before;
    const { shards, etags } = await loadShardsOf(VISITORS, store, [number]);
    const [shard, etag] = [shards.get(number), etags.get(number)];
    return shard === undefined || etag === undefined ? undefined : ([etag, shard] as const);
  }
}
