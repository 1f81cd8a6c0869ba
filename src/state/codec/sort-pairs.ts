/** The pairs of a map sorted by key, so that the bytes do not depend on the order in which it was filled. */
export function sortPairs<T>(map: ReadonlyMap<string, T>): readonly (readonly [string, T])[] {
  // By code unit, not by locale: the same bytes on every machine.
  return [...map].toSorted(([a], [b]) => (a < b ? -1 : 1));
}
