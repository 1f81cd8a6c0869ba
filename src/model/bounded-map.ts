/** A map of what was set last. */
export interface NewestMap<Key, Value> {
  readonly get: (key: Key) => Value | undefined;
  readonly set: (key: Key, value: Value) => void;
}

/**
 * A map that remembers at least so many keys, those that were set last, and at most twice as many. In two halves, of which the
 * older is let go as a whole: to take the oldest key out of a `Map` again and again costs ever more, as each time passes over all
 * that were taken out before.
 */
export function createNewestMap<Key, Value>(least: number): NewestMap<Key, Value> {
  let young = new Map<Key, Value>();
  let old = young;
  return {
    get: (key) => young.get(key) ?? old.get(key),
    set: (key, value) => {
      young.set(key, value);
      if (young.size < least) return;
      old = young;
      young = new Map();
    },
  };
}
