/** Items by key, each group in the order of the list; `Map.groupBy` is not in Node 20. */
export function groupBy<T, K>(
  items: Iterable<T>,
  keyOf: (item: T) => K,
): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** How often each item occurs, in the order in which they occur first. */
export function countEach<T>(items: Iterable<T>): ReadonlyMap<T, number> {
  const counts = new Map<T, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

export function sumOf(numbers: Iterable<number>): number {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}

/** A map with the same keys, in their order. */
export function mapValues<K, T, U>(
  map: ReadonlyMap<K, T>,
  change: (value: T, key: K) => U,
): ReadonlyMap<K, U> {
  return new Map(Array.from(map, ([key, value]) => [key, change(value, key)]));
}

/** The same function, called once for each object: what it made is kept as long as the object is. */
export function onceFor<Subject extends object, Made extends {}>(
  make: (subject: Subject) => Made,
): (subject: Subject) => Made {
  const kept = new WeakMap<Subject, Made>();
  return (subject) => {
    const made = kept.get(subject) ?? make(subject);
    kept.set(subject, made);
    return made;
  };
}

/** The first index below `length` at which a test holds that also holds at each one after it; `length` if there is none. */
export function firstIndexWhere(length: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Orders texts by code units, so that no language of a machine matters. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
