/** The pairs of a map by their keys, so that the same map gives the same bytes in whatever order it was filled. */
export function sortPairs<T>(map: ReadonlyMap<string, T>): readonly (readonly [string, T])[] {
  // By code unit, not by locale: the same bytes on every machine.
  return [...map].toSorted(([a], [b]) => (a < b ? -1 : 1));
}
