import * as z from "zod";
import { CONNECTIVITY_STATES } from "../../model/service/connectivity.ts";
import { FAILURES, type FailureCode } from "../../model/probe-outcome.ts";
import {
  type HeardResult,
  SAME_ADDRESS,
  LINES,
  VANTAGE_KINDS,
  type VantagesState,
} from "../../model/service/vantage.ts";
import { sortPairs } from "./sort-pairs.ts";

const instant = z.int().min(0);
const count = z.int().min(0);
const pairsOf = <T extends z.ZodType>(value: T) =>
  z.array(z.tuple([z.string(), value]).readonly()).readonly();

const failureCodes = Object.keys(FAILURES) as [FailureCode, ...FailureCode[]]; // FAILURES is not empty

/** Code, address, how the runner's own address answered. */
const result = z
  .tuple([
    z.enum(["ok", "denied", "skipped", ...failureCodes]),
    z.string().nullable(),
    z.enum(SAME_ADDRESS).nullable(),
  ])
  .readonly();

/** The vantages in the stored state. Lists of URLs are stored once: `urls` is the place of one in `urlLists`. */
export const VANTAGES_SCHEMA = z
  .strictObject({
    vantages: z
      .array(
        z.strictObject({
          id: z.string(),
          kind: z.enum(VANTAGE_KINDS),
          country: z.string(),
          asn: count,
          network: z.string(),
          line: z.exactOptional(z.enum(LINES)),
          publicKey: z.string(),
        }),
      )
      .readonly(),
    urlLists: z.array(z.array(z.string()).readonly()).readonly(),
    asks: z
      .array(
        z.strictObject({
          id: z.string(),
          atMs: instant,
          urls: z.string(),
          failing: pairsOf(z.string().nullable()),
        }),
      )
      .readonly(),
    heard: pairsOf(
      z.strictObject({
        askId: z.string(),
        heardAtMs: instant,
        connectivity: z.enum(CONNECTIVITY_STATES),
        isWhiteList: z.boolean().nullable(),
        urls: count,
        results: z.array(result).readonly(),
      }),
    ),
    /** For each URL its days: day, healthy, failed. */
    tallies: pairsOf(
      z.strictObject({
        urls: count,
        days: z.array(z.array(z.tuple([count, count, count]).readonly()).readonly()).readonly(),
      }),
    ),
    cited: pairsOf(
      z.strictObject({
        askId: z.string(),
        atMs: instant,
        urls: count,
        signed: z.strictObject({
          payload: z.string(),
          protected: z.string(),
          signature: z.string(),
        }),
      }),
    ),
  })
  .refine(
    ({ urlLists, heard, tallies, cited }) =>
      heard.every(([, one]) => urlLists[one.urls]?.length === one.results.length) &&
      tallies.every(([, one]) => urlLists[one.urls]?.length === one.days.length) &&
      cited.every(([, one]) => urlLists[one.urls] !== undefined),
    "a list of URLs does not fit",
  );

export type VantagesWire = z.infer<typeof VANTAGES_SCHEMA>;

/** What a state without vantages has. */
export const NO_VANTAGES_WIRE: VantagesWire = {
  vantages: [],
  urlLists: [],
  asks: [],
  heard: [],
  tallies: [],
  cited: [],
};

export function toVantagesWire(state: VantagesState): VantagesWire {
  const { vantages, asks, heard, tallies, cited } = state;
  const lists = new Map<string, number>();
  const placeOf = (urls: readonly string[]): number => {
    const key = JSON.stringify(urls);
    const place = lists.get(key) ?? lists.size;
    lists.set(key, place);
    return place;
  };
  const wire = {
    vantages,
    asks: asks.map((ask) => ({ ...ask, failing: sortPairs(ask.failing) })),
    heard: mapPairs(heard, ({ results, ...one }) => {
      const pairs = sortPairs(results);
      const urls = placeOf(pairs.map(([url]) => url));
      return { ...one, urls, results: pairs.map(([, each]) => packResult(each)) };
    }),
    tallies: mapPairs(tallies, (byUrl) => {
      const pairs = sortPairs(byUrl);
      return {
        urls: placeOf(pairs.map(([url]) => url)),
        days: pairs.map(([, days]) =>
          days.map(({ day, healthy, failed }) => [day, healthy, failed] as const),
        ),
      };
    }),
    cited: mapPairs(cited, (one) => ({ ...one, urls: placeOf(one.urls) })),
  };
  return { ...wire, urlLists: [...lists.keys()].map((key): string[] => JSON.parse(key)) };
}

/** The inverse of `toVantagesWire`. */
export function fromVantagesWire(wire: VantagesWire): VantagesState {
  const { vantages, urlLists, asks, heard, tallies, cited } = wire;
  const pairUrls = <T>(place: number, values: readonly T[]): ReadonlyMap<string, T> =>
    new Map((urlLists[place] ?? []).flatMap((url, at) => pairOf(url, values[at])));
  return {
    vantages,
    asks: asks.map((ask) => ({ ...ask, failing: new Map(ask.failing) })),
    heard: new Map(
      heard.map(([id, { urls, results, ...one }]) => [
        id,
        { ...one, results: pairUrls(urls, results.map(unpackResult)) },
      ]),
    ),
    tallies: new Map(
      tallies.map(([id, { urls, days }]) => [
        id,
        pairUrls(
          urls,
          days.map((each) => each.map(([day, healthy, failed]) => ({ day, healthy, failed }))),
        ),
      ]),
    ),
    cited: new Map(
      cited.map(([id, { urls, ...one }]) => [id, { ...one, urls: urlLists[urls] ?? [] }]),
    ),
  };
}

function mapPairs<T, U>(
  map: ReadonlyMap<string, T>,
  pack: (value: T) => U,
): readonly (readonly [string, U])[] {
  return sortPairs(map).map(([key, value]) => [key, pack(value)]);
}

function pairOf<T>(url: string, value: T | undefined): readonly (readonly [string, T])[] {
  return value === undefined ? [] : [[url, value]];
}

type ResultWire = z.infer<typeof result>;

function packResult({ code, address, sameAddress }: HeardResult): ResultWire {
  return [code, address ?? null, sameAddress ?? null];
}

function unpackResult([code, address, sameAddress]: ResultWire): HeardResult {
  return {
    code,
    ...(address === null ? {} : { address }),
    ...(sameAddress === null ? {} : { sameAddress }),
  };
}
