import { RESULT_CODES } from "../../model/failures.ts";
import * as z from "zod";
import { CONNECTIVITY_STATES } from "../../model/service/connectivity.ts";
import {
  ASK_MARK,
  DAY_TALLY,
  type HeardResult,
  SAME_ADDRESS,
  SEEN,
  SIGNED_EVIDENCE,
  VANTAGE,
  type VantagesState,
} from "../../model/service/vantage.ts";
import { mapOf, sortPairs } from "../../model/stored-maps.ts";
import { codecOf, count, instant, listOf, packedRow } from "../../model/stored-parts.ts";

/** Code, address, how the runner's own address answered, and what else was seen, which earlier versions have not stored. */
const result = codecOf(
  packedRow({
    code: z.enum(RESULT_CODES),
    address: z.string().nullable(),
    sameAddress: z.enum(SAME_ADDRESS).nullable(),
    seen: SEEN.optional(),
  }),
  ({ code, address, sameAddress, seen }): HeardResult => ({
    code,
    ...(address === null ? {} : { address }),
    ...(sameAddress === null ? {} : { sameAddress }),
    ...(seen === undefined ? {} : { seen }),
  }),
  ({ code, address = null, sameAddress = null, seen }) => ({ code, address, sameAddress, seen }),
);

/** Lists of URLs are stored once: `urls` is the place of one in `urlLists`. */
const stored = z.strictObject({
  vantages: listOf(VANTAGE),
  urlLists: listOf(listOf(z.string())),
  asks: listOf(ASK_MARK),
  heard: mapOf(
    z.strictObject({
      askId: z.string(),
      heardAtMs: instant,
      connectivity: z.enum(CONNECTIVITY_STATES),
      isWhiteList: z.boolean().nullable(),
      urls: count,
      results: listOf(result),
    }),
  ),
  /** For each URL its days: day, healthy, failed. */
  tallies: mapOf(z.strictObject({ urls: count, days: listOf(listOf(DAY_TALLY)) })),
  cited: mapOf(
    z.strictObject({
      askId: z.string(),
      atMs: instant,
      urls: count,
      signed: SIGNED_EVIDENCE,
    }),
  ),
  /** Absent: empty, as before it was stored. */
  usual: z.exactOptional(listOf(z.tuple([z.string(), z.int()]).readonly())),
});

export const VANTAGES = codecOf(stored, unpack, pack, ({ urlLists, heard, tallies, cited }) => {
  const lengthOf = (place: number): number | undefined => urlLists[place]?.length;
  const fits =
    [...heard.values()].every(({ urls, results }) => lengthOf(urls) === results.length) &&
    [...tallies.values()].every(({ urls, days }) => lengthOf(urls) === days.length) &&
    [...cited.values()].every(({ urls }) => lengthOf(urls) !== undefined);
  return fits ? undefined : "a list of URLs does not fit";
});

function pack(state: VantagesState): z.output<typeof stored> {
  const { vantages, asks, heard, tallies, cited, usual } = state;
  const lists = new Map<string, number>();
  const placeOf = (urls: readonly string[]): number => {
    const key = JSON.stringify(urls);
    const place = lists.get(key) ?? lists.size;
    lists.set(key, place);
    return place;
  };
  const splitUrls = <T>(byUrl: ReadonlyMap<string, T>) => {
    const pairs = sortPairs(byUrl);
    return [placeOf(pairs.map(([url]) => url)), pairs.map(([, value]) => value)] as const;
  };
  return {
    vantages,
    asks,
    heard: mapValues(heard, ({ results: byUrl, ...one }) => {
      const [urls, results] = splitUrls(byUrl);
      return { ...one, urls, results };
    }),
    tallies: mapValues(tallies, (byUrl) => {
      const [urls, days] = splitUrls(byUrl);
      return { urls, days };
    }),
    cited: mapValues(cited, (one) => ({ ...one, urls: placeOf(one.urls) })),
    ...(usual.size === 0 ? {} : { usual: sortPairs(usual) }),
    // After those that fill the lists.
    urlLists: [...lists.keys()].map((key): string[] => JSON.parse(key)),
  };
}

function unpack({ urlLists, ...state }: z.output<typeof stored>): VantagesState {
  const urlsAt = (place: number): readonly string[] => urlLists[place] ?? [];
  const pairUrls = <T>(place: number, values: readonly T[]): ReadonlyMap<string, T> =>
    new Map(values.map((value, at) => [urlsAt(place)[at] ?? "", value]));
  return {
    ...state,
    heard: mapValues(state.heard, ({ urls, results, ...one }) => {
      return { ...one, results: pairUrls(urls, results) };
    }),
    tallies: mapValues(state.tallies, ({ urls, days }) => pairUrls(urls, days)),
    cited: mapValues(state.cited, (one) => ({ ...one, urls: urlsAt(one.urls) })),
    usual: new Map(state.usual),
  };
}

/** In the order of the keys, so that the places of lists do not depend on the order in which the map was filled. */
function mapValues<T, U>(map: ReadonlyMap<string, T>, change: (value: T) => U): Map<string, U> {
  return new Map(sortPairs(map).map(([key, value]) => [key, change(value)]));
}
