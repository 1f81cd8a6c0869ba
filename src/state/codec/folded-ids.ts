import * as z from "zod";
import type { FoldedIds } from "../../model/folded-ids.ts";
import { sortPairs } from "./sort-pairs.ts";

const count = z.int().min(0);

/** A series of inbox ids: the name, when one of them was last counted, and both ends of each range of numbers. */
const series = z.tuple([z.string(), count, z.array(count).readonly()]).readonly();

/** The layout of the ids of counted inbox objects. */
export const FOLDED_SCHEMA = z.array(series).readonly();

type FoldedWire = z.infer<typeof FOLDED_SCHEMA>;

export function toFoldedWire(folded: FoldedIds): FoldedWire {
  return sortPairs(folded).map(([name, { atMs, ranges }]) => [name, atMs, ranges.flat()]);
}

/** The inverse of `toFoldedWire`, for a wire in which `misfitOfFolded` finds nothing. */
export function fromFoldedWire(folded: FoldedWire): FoldedIds {
  return new Map(
    folded.map(([name, atMs, ends]) => {
      const ranges = Array.from({ length: ends.length / 2 }, (_, at) => {
        return [ends[2 * at] ?? 0, ends[2 * at + 1] ?? 0] as const;
      });
      return [name, { atMs, ranges }];
    }),
  );
}

/** What the schema cannot check: ranges with both ends. */
export function misfitOfFolded(folded: FoldedWire): string | undefined {
  const odd = folded.find(([, , ends]) => ends.length % 2 !== 0);
  return odd && `the numbers of the inbox objects of ${odd[0]} are not ranges`;
}
