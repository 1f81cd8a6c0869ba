/** A map of bounded size that forgets first what was asked for longest ago. */
export interface Recent<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
}

/** @param limit most entries that are kept, at least 1. */
export function createRecent<Value>(limit: number): Recent<Value> {
  // A Map remembers the order of insertion: the first is the oldest.
  const entries = new Map<string, Value>();
  return {
    get(key) {
      const value = entries.get(key);
      if (value === undefined) return undefined;
      entries.delete(key);
      entries.set(key, value);
      return value;
    },
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      if (entries.size <= limit) return;
      const oldest = entries.keys().next();
      if (oldest.done !== true) entries.delete(oldest.value);
    },
    delete(key) {
      entries.delete(key);
    },
  };
}

/** The same function, which does its work once for each text as long as that is remembered. A failure is not. */
export function remember<Value>(
  limit: number,
  work: (text: string) => Promise<Value>,
): (text: string) => Promise<Value> {
  const recent = createRecent<Promise<Value>>(limit);
  return (text) => {
    const known = recent.get(text);
    if (known !== undefined) return known;
    const value = work(text);
    recent.set(text, value);
    value.catch(() => recent.delete(text));
    return value;
  };
}
