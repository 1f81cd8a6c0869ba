import * as z from "zod";
import type { FoldedIds } from "../../model/folded-ids.ts";
import { codecOf, count, instant, sortPairs } from "./parts.ts";

/** A series of inbox ids: the name, when one of them was last counted, and both ends of each range of numbers. */
const series = z.tuple([z.string(), instant, z.array(count).readonly()]).readonly();

/** The ids of counted inbox objects. */
export const FOLDED_IDS = codecOf(
  z.array(series).readonly(),
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
