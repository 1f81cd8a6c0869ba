import { LRUCache } from "lru-cache";

/** The same function, called once per text while its result is cached. A failure is not cached. @param max results kept. */
export function memoise<Value>(
  max: number,
  work: (text: string) => Promise<Value>,
): (text: string) => Promise<Value> {
  const cache = new LRUCache<string, Promise<Value>>({ max });
  return (text) => {
    const cached = cache.get(text);
    if (cached !== undefined) return cached;
    const value = work(text);
    cache.set(text, value);
    value.catch(() => cache.delete(text));
    return value;
  };
}
