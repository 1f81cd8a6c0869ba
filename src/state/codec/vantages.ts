import * as z from "zod";
import { CONNECTIVITY_STATES } from "../../model/connectivity.ts";
import { FAILURES, type FailureCode } from "../../model/probe-outcome.ts";
import {
  type HeardResult,
  SAME_ADDRESS,
  VANTAGE_KINDS,
  type VantagesState,
} from "../../model/vantage.ts";
import { sortPairs } from "./sort-pairs.ts";

const instant = z.int().min(0);
const count = z.int().min(0);
const pairsOf = <T extends z.ZodType>(value: T) =>
  z.array(z.tuple([z.string(), value]).readonly()).readonly();

const failureCodes = Object.keys(FAILURES) as [FailureCode, ...FailureCode[]]; // FAILURES is not empty

/** URL, code, address, how the runner's own address answered. */
const result = z
  .tuple([
    z.string(),
    z.enum(["ok", "denied", "skipped", ...failureCodes]),
    z.string().nullable(),
    z.enum(SAME_ADDRESS).nullable(),
  ])
  .readonly();

/** The vantages in the stored state. */
export const VANTAGES_SCHEMA = z.strictObject({
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
      results: z.array(result).readonly(),
    }),
  ),
  vantages: z
    .array(
      z.strictObject({
        id: z.string(),
        kind: z.enum(VANTAGE_KINDS),
        country: z.string(),
        asn: count,
        network: z.string(),
        publicKey: z.string(),
      }),
    )
    .readonly(),
  cited: pairsOf(
    z.strictObject({
      askId: z.string(),
      atMs: instant,
      urls: z.array(z.string()).readonly(),
      signed: z.strictObject({
        payload: z.string(),
        protected: z.string(),
        signature: z.string(),
      }),
    }),
  ),
  /** Day, healthy, failed. */
  tallies: pairsOf(pairsOf(z.array(z.tuple([count, count, count]).readonly()).readonly())),
});

export type VantagesWire = z.infer<typeof VANTAGES_SCHEMA>;

/** What a state without vantages has. */
export const NO_VANTAGES_WIRE: VantagesWire = {
  vantages: [],
  asks: [],
  heard: [],
  tallies: [],
  cited: [],
};

export function toVantagesWire(state: VantagesState): VantagesWire {
  const { vantages, asks, heard, tallies, cited } = state;
  return {
    vantages,
    cited: sortPairs(cited),
    asks: asks.map((ask) => ({ ...ask, failing: sortPairs(ask.failing) })),
    heard: sortPairs(heard).map(([id, one]) => [
      id,
      {
        ...one,
        results: sortPairs(one.results).map(([url, { code, address, sameAddress }]) => [
          url,
          code,
          address ?? null,
          sameAddress ?? null,
        ]),
      },
    ]),
    tallies: sortPairs(tallies).map(([id, byUrl]) => [
      id,
      sortPairs(byUrl).map(([url, days]) => [
        url,
        days.map(({ day, healthy, failed }) => [day, healthy, failed]),
      ]),
    ]),
  };
}

/** The inverse of `toVantagesWire`. */
export function fromVantagesWire(wire: VantagesWire): VantagesState {
  const { vantages, asks, heard, tallies, cited } = wire;
  return {
    vantages,
    cited: new Map(cited),
    asks: asks.map((ask) => ({ ...ask, failing: new Map(ask.failing) })),
    heard: new Map(
      heard.map(([id, one]) => [id, { ...one, results: new Map(one.results.map(unpackResult)) }]),
    ),
    tallies: new Map(
      tallies.map(([id, byUrl]) => [
        id,
        new Map(
          byUrl.map(([url, days]) => [
            url,
            days.map(([day, healthy, failed]) => ({ day, healthy, failed })),
          ]),
        ),
      ]),
    ),
  };
}

function unpackResult([
  url,
  code,
  address,
  sameAddress,
]: VantagesWire["heard"][number][1]["results"][number]): [string, HeardResult] {
  return [
    url,
    {
      code,
      ...(address === null ? {} : { address }),
      ...(sameAddress === null ? {} : { sameAddress }),
    },
  ];
}
