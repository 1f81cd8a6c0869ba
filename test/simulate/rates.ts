import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/model/time.ts";
import type { Lengths } from "./random.ts";

/** How noisy the world is: `harsh` has ten times the noise of `realistic`, and the same genuine outages. */
export const PROFILES = { calm: 0.2, realistic: 1, harsh: 10 } as const;
export type Profile = keyof typeof PROFILES;

/** What happens so many times in 30 days, and how long it lasts in milliseconds. */
interface Rate {
  readonly per30Days: number;
  readonly lengths: Lengths;
}

function lengths(median: number, sigma: number, least: number, most: number): Lengths {
  return { median, sigma, least, most };
}

/** Rates of noise: the service is well, and the runner sees something else. Multiplied by the profile. */
export const NOISE = {
  /**
   * Of each endpoint: one machine behind a balancer restarts, a connection table is full. A probe each 300 s meets one in
   * twenty of them, which makes two failing first probes of an endpoint a month: monitors that do not retry report as much.
   */
  glitch: { per30Days: 40, lengths: lengths(12 * SECOND_MS, 0.9, 2 * SECOND_MS, 70 * SECOND_MS) },
  /** Of each network: a full peering or a bad line. Losses of a few percent, seen most weeks somewhere. */
  loss: { per30Days: 6, lengths: lengths(20 * MINUTE_MS, 0.8, 3 * MINUTE_MS, 90 * MINUTE_MS) },
  /** Of each network: routes converge anew after a session was lost; BGP takes seconds to some minutes. */
  "route-gone": {
    per30Days: 1,
    lengths: lengths(75 * SECOND_MS, 0.7, 20 * SECOND_MS, 6 * MINUTE_MS),
  },
  /** Of each endpoint that is not critical: a canary, a rate limit, one bad machine of five, for hours. */
  flapping: { per30Days: 0.15, lengths: lengths(8 * HOUR_MS, 1, HOUR_MS, 72 * HOUR_MS) },
  /** Of each network: links that are full between 19 and 23 o'clock. The start is moved into the evening. */
  "slow-evening": { per30Days: 2, lengths: lengths(3 * HOUR_MS, 0.3, HOUR_MS, 5 * HOUR_MS) },
  /** Of each endpoint: moved to another data centre or behind a filter; stays until the next step. */
  "latency-step": {
    per30Days: 0.15,
    lengths: lengths(400 * HOUR_MS, 1, 24 * HOUR_MS, 2_000 * HOUR_MS),
  },
  /** The runner's resolver restarts or loses its way to the root for seconds. */
  resolver: { per30Days: 4, lengths: lengths(15 * SECOND_MS, 0.8, 4 * SECOND_MS, 90 * SECOND_MS) },
  /** The runner's network is gone: works of the hoster, a broken uplink. Twice a month is a cheap VPS. */
  offline: { per30Days: 2, lengths: lengths(4 * MINUTE_MS, 1, 20 * SECOND_MS, 60 * MINUTE_MS) },
  /** One of two upstreams or exchanges is gone: half of the domestic networks are out of reach. */
  half: { per30Days: 1, lengths: lengths(8 * MINUTE_MS, 0.8, MINUTE_MS, 45 * MINUTE_MS) },
  /** The way abroad is cut. Exercises of an isolated Russian net and cable faults were in the news several times a year. */
  "abroad-cut": { per30Days: 1, lengths: lengths(12 * MINUTE_MS, 1, MINUTE_MS, 180 * MINUTE_MS) },
  /** Losses of 10 to 40 % on everything: the uplink is attacked or broken. */
  "lossy-uplink": {
    per30Days: 2,
    lengths: lengths(12 * MINUTE_MS, 0.8, 2 * MINUTE_MS, 60 * MINUTE_MS),
  },
  /** Everything is two to five times slower: a neighbour's backup, an overloaded host. */
  congested: {
    per30Days: 3,
    lengths: lengths(20 * MINUTE_MS, 0.7, 5 * MINUTE_MS, 120 * MINUTE_MS),
  },
  /** Of each service: a healthy page that speaks of works to come, of works elsewhere, or hides an apology for them. */
  notice: { per30Days: 1, lengths: lengths(12 * HOUR_MS, 0.8, HOUR_MS, 72 * HOUR_MS) },
  /** No runs at all: the machine is rebooted or moved. */
  "runner-stopped": {
    per30Days: 0.3,
    lengths: lengths(30 * MINUTE_MS, 0.7, 10 * MINUTE_MS, 180 * MINUTE_MS),
  },
} as const satisfies Record<string, Rate>;

/** Rates of what is true of the services: the same in every profile. */
export const GENUINE = {
  /** Of each service. Public status pages of large services tell of one to three a month; most end within an hour. */
  outage: {
    per30Days: 2,
    lengths: lengths(20 * MINUTE_MS, 1.8, 3 * MINUTE_MS, 120 * HOUR_MS),
  },
  /** Of all hosting networks that carry three services or more: all of them are dead. */
  provider: { per30Days: 0.5, lengths: lengths(25 * MINUTE_MS, 1, 4 * MINUTE_MS, 10 * HOUR_MS) },
  /**
   * Of all: a network becomes unreachable by the filter. It holds for everybody behind such filters, and the status is "as seen
   * from Russia": true from its beginning.
   */
  "rolling-block": {
    per30Days: 1.5,
    lengths: lengths(15 * MINUTE_MS, 1, 2 * MINUTE_MS, 6 * HOUR_MS),
  },
  /** Of each service: a bad release, for minutes. Half of them answer a 5xx nearly always, the others to every second client. */
  storm: { per30Days: 0.3, lengths: lengths(5 * MINUTE_MS, 0.7, MINUTE_MS, 30 * MINUTE_MS) },
  /** Of each endpoint: one in 170 a year; somebody notices within hours. */
  certificate: { per30Days: 0.0005, lengths: lengths(6 * HOUR_MS, 0.8, HOUR_MS, 48 * HOUR_MS) },
  /** Of each service: works with a page that says so; half of such pages come with a 200. */
  maintenance: {
    per30Days: 0.15,
    lengths: lengths(90 * MINUTE_MS, 0.8, 10 * MINUTE_MS, 8 * HOUR_MS),
  },
  /** The zone `.ru` cannot be looked up: happened on 2024-01-30 for some three hours, once in years. */
  "zone-gone": {
    per30Days: 0.03,
    lengths: lengths(150 * MINUTE_MS, 0.5, 30 * MINUTE_MS, 6 * HOUR_MS),
  },
  /** Of each service: users report what no probe can see (the app, a payment). Its detector is simulated elsewhere: it is right here. */
  surge: { per30Days: 0.2, lengths: lengths(60 * MINUTE_MS, 0.6, 20 * MINUTE_MS, 6 * HOUR_MS) },
} as const satisfies Record<string, Rate>;

/** What kinds the outages of a service are of, as shares of them; the sum is 1. */
export const OUTAGE_KINDS = [
  /** Nothing answers: the balancer, the data centre or its network is gone. */
  { kind: "timeouts", share: 0.3 },
  /** A proxy in front says 502, 503 or 504. */
  { kind: "errors", share: 0.27 },
  /** Both in turn, as an overloaded service does. */
  { kind: "mixed", share: 0.16 },
  /** Connections are refused or reset. */
  { kind: "resets", share: 0.05 },
  /** The main endpoint alone: the page is there, the sign-in is not. */
  { kind: "main", share: 0.05 },
  /** A side endpoint alone. */
  { kind: "side", share: 0.1 },
  /** Every answer takes seconds. */
  { kind: "slow", share: 0.07 },
] as const;
export type OutageKind = (typeof OUTAGE_KINDS)[number]["kind"];

/** Annotated services, as shares of the services of the kind. They are so for the whole time. */
export const ANNOTATED = {
  /** `restricted`: nothing answers from Russia; the rest work from the runner's network, as filters differ. */
  restrictedDead: 0.6,
  /** `restricted` and alive: one side endpoint is filtered. */
  restrictedSide: 0.5,
  /** `slowed_ru` and `partial_ru`: one side endpoint never answers. */
  limitedSide: 0.5,
  /** `provider`: where the catalogue knows the refusal, it is met. */
  denied: 0.7,
} as const;

/** Parts and factors inside the kinds above. */
export const SHAPES = {
  lossRatio: { low: 0.02, high: 0.08 },
  lossyUplinkRatio: { low: 0.1, high: 0.4 },
  /** Share of the names that fail in a hiccup of the resolver. */
  resolverRatio: 0.5,
  /** More than this would be a true partial failure. */
  flappingRatio: { low: 0.05, high: 0.25 },
  eveningFactor: { low: 2, high: 4 },
  stepFactor: { low: 1.5, high: 4 },
  congestedFactor: { low: 2, high: 5 },
  slowOutageMs: { low: 3_500, high: 7_500 },
  stormRatios: [0.5, 0.95],
  /** Share of the blocks that answer by a stub address, which is evidence. */
  stubShare: 0.2,
} as const;
