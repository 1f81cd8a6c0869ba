import * as z from "zod";
import type { FoldedIds } from "./folded-ids.ts";
import { codecOf, count, instant, listOf } from "./stored-parts.ts";

/** A map as its pairs, sorted by key: no key can be mistaken for a property of JavaScript's own. */
export function mapOf<Value, Stored>(value: z.ZodType<Value, Stored>) {
  return codecOf(
    listOf(z.tuple([z.string(), value]).readonly()),
    (stored): ReadonlyMap<string, Value> => new Map(stored),
    sortPairs,
    (stored) =>
      new Set(stored.map(([key]) => key)).size < stored.length ? "a key occurs twice" : undefined,
  );
}

/** The pairs of a map sorted by key, so that the bytes do not depend on the order in which it was filled. */
export function sortPairs<T>(map: ReadonlyMap<string, T>): readonly (readonly [string, T])[] {
  // By code unit, not by locale: the same bytes on every machine.
  return [...map].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** Ids of counted inbox objects: the name of a series, when one of it was last counted, and both ends of each range of numbers. */
export const FOLDED_IDS = codecOf(
  listOf(z.tuple([z.string(), instant, listOf(count)]).readonly()),
  (stored): FoldedIds =>
    new Map(
      stored.map(([name, atMs, ends]) => {
        const ranges = Array.from({ length: ends.length / 2 }, (_, at) => {
          return [ends[2 * at] ?? 0, ends[2 * at + 1] ?? 0] as const;
        });
        return [name, { atMs, ranges }];
      }),
    ),
  (folded) =>
    sortPairs(folded).map(([name, { atMs, ranges }]) => [name, atMs, ranges.flat()] as const),
  (stored) => {
    const odd = stored.find(([, , ends]) => ends.length % 2 !== 0);
    return odd && `the numbers of the inbox objects of ${odd[0]} are not ranges`;
  },
);
