/** Fixed for ever: another number would look for every record in another place. */
export const SHARD_COUNT = 64;

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * The shard of a monitor, 0 to 63: 32-bit FNV-1a over the characters of the id, as written. Strangers choose ids, but one
 * who crowds a shard only makes that one larger.
 * Source: http://www.isthe.com/chongo/tech/comp/fnv/
 */
export function shardOf(id: string): number {
  let hash = FNV_OFFSET;
  for (let index = 0; index < id.length; index += 1) {
    hash = Math.imul(hash ^ id.charCodeAt(index), FNV_PRIME);
  }
  // The low bits alone see little of the first characters.
  return (hash ^ (hash >>> 16)) & (SHARD_COUNT - 1);
}

/** The key of a shard in the state store, `monitors/00.json.gz` to `monitors/3f.json.gz`. */
export function shardKey(shardNumber: number): string {
  return `monitors/${shardNumber.toString(16).padStart(2, "0")}.json.gz`;
}
