import { fnv1a } from "../fnv1a.ts";
import { groupBy, mapValues, onceFor } from "../lists.ts";

/** Never changes: another number would look for every record in another place. */
export const SHARD_COUNT = 64;

/** The shard of a monitor, 0 to 63, by its id as written. Users choose ids, but many of one shard only make that one larger. */
export function shardOf(id: string): number {
  return shardAmong(SHARD_COUNT, id);
}

/** The place of an id among so many, a power of two. */
export function shardAmong(count: number, id: string): number {
  const hash = fnv1a(id);
  // The low bits alone hardly depend on the first characters.
  return (hash ^ (hash >>> 16)) & (count - 1);
}

/** The key of a shard in the state store, `monitors/00.json.gz` to `monitors/3f.json.gz`. */
export function shardKey(shardNumber: number): string {
  return `monitors/${shardNumber.toString(16).padStart(2, "0")}.json.gz`;
}

/** The 64 shards do not hash every id 64 times. Changes are immutable. */
const groupOnce = onceFor((changes: ReadonlyMap<string, unknown>) =>
  mapValues(
    groupBy(changes, ([id]) => shardOf(id)),
    (pairs) => new Map(pairs),
  ),
);

/** The changes of a journal by shard. */
export function changesByShard<Change>(
  changes: ReadonlyMap<string, Change>,
): ReadonlyMap<number, ReadonlyMap<string, Change>> {
  return groupOnce(changes) as ReadonlyMap<number, ReadonlyMap<string, Change>>;
}
