import pLimit from "p-limit";
import * as z from "zod";
import { type Visitor, VISITOR, type VisitorShard } from "../model/monitor/visitor.ts";
import { type ObjectStore, STORE_CONCURRENCY } from "../model/store.ts";
import { sortPairs } from "../model/stored-maps.ts";
import { codecOf, listOf } from "../model/stored-parts.ts";
import { storedAs, type StoredKind, toPrivateObject } from "./codec/stored.ts";
import { loadShards, replaceShard, type ShardKind } from "./shards.ts";
import { loadStored } from "./state-file.ts";

/** Folder of the state store with the subscriptions of browsers. */
const FOLDER = "push";

const MAX_BYTES = 100;

/** Subscriptions, in the order of their ids. */
export const VISITOR_SHARD: StoredKind<VisitorShard> = storedAs(
  {
    name: "the list of subscriptions",
    format: "status-snapshot/visitors",
    // The browsers in it have to subscribe again.
    remedy: "restore it from a copy, or remove it",
  },
  codecOf(
    z.strictObject({ visitors: listOf(VISITOR) }),
    ({ visitors }): VisitorShard => new Map(visitors.map((one) => [one.id, one])),
    (shard) => ({ visitors: sortPairs(shard).map(([, one]) => one) }),
  ),
);

const VISITORS: ShardKind<VisitorShard> = {
  keyOf: (number) => `${FOLDER}/${number.toString(16).padStart(2, "0")}.json.gz`,
  ...VISITOR_SHARD,
};

/** As `replaceShard`; one that does not exist is empty. */
export async function editVisitorShard(
  store: ObjectStore,
  number: number,
  apply: (shard: VisitorShard) => VisitorShard,
  pause: (ms: number) => Promise<void>,
): Promise<void> {
  const loaded = await loadShards(VISITORS, store, [number]);
  const edit = (shard: VisitorShard = new Map()): VisitorShard => apply(shard);
  await replaceShard(VISITORS, store, loaded, number, edit, pause);
}

/** Changes whenever there may be subscriptions that were not tried yet. */
const UNTRIED_KEY = `${FOLDER}/untried.txt`;
const CLAIMED = "claimed";

/** Tells the notifier that there are subscriptions to try. Throws `StoreError`. */
export async function announceUntried(store: ObjectStore, nonce: string): Promise<void> {
  await store.write(UNTRIED_KEY, toPrivateObject(Buffer.from(nonce), "text/plain"));
}

/** Whether there is an announcement that no notifier has taken, which is taken by this. Throws `StoreError`. */
export async function claimUntried(store: ObjectStore): Promise<boolean> {
  const found = await store.read(UNTRIED_KEY, MAX_BYTES);
  if (found === undefined || Buffer.from(found.body).toString() === CLAIMED) return false;
  const precondition = { kind: "unchanged", etag: found.etag } as const;
  const claim = toPrivateObject(Buffer.from(CLAIMED), "text/plain");
  const { kind } = await store.write(UNTRIED_KEY, claim, precondition);
  return kind === "written";
}

/** All subscriptions. Throws `StateError`, `StoreError`. */
export type ReadVisitors = () => Promise<readonly Visitor[]>;

/** Reads all shards, and later only those that have changed. */
export function createVisitorReader(store: ObjectStore): ReadVisitors {
  type Known = Awaited<ReturnType<typeof loadStored<VisitorShard>>>;
  let known: ReadonlyMap<number, Known> = new Map();
  const refresh = async (number: number): Promise<Known> => {
    const before = known.get(number);
    const key = VISITORS.keyOf(number);
    const isSame = before && (await store.find(key)) === before.etag;
    return isSame === true ? before : loadStored(VISITORS, store, key);
  };
  return async () => {
    const keys = await store.list(FOLDER);
    const numbers = keys.flatMap((key) => {
      const [, hex] = /^push\/([0-9a-f]{2})\.json\.gz$/u.exec(key) ?? [];
      return hex === undefined ? [] : [Number.parseInt(hex, 16)];
    });
    const found = await pLimit(STORE_CONCURRENCY).map(numbers, refresh);
    known = new Map(found.map((one, at) => [numbers[at] ?? 0, one]));
    return found.flatMap((one) => [...(one?.value.values() ?? [])]);
  };
}
