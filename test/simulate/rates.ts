import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/model/time.ts";
import type { Lengths } from "./random.ts";

/** Factors of the noise. The genuine outages are the same in all profiles. */
export const PROFILES = { calm: 0.2, realistic: 1, harsh: 10, hostile: 60 } as const;
export type Profile = keyof typeof PROFILES;

/** Frequency of an event and its length in milliseconds. */
interface Rate {
  readonly per30Days: number;
  readonly lengths: Lengths;
}

function lengths(median: number, sigma: number, least: number, most: number): Lengths {
  return { median, sigma, least, most };
}

/** Rates of noise: the service is healthy, but probes fail or are slow. Multiplied by the profile. */
export const NOISE = {
  /**
   * Of each endpoint: one machine behind a balancer restarts, a connection table is full. A probe every 300 s meets one in
   * twenty of them: two failing first probes of an endpoint a month, as many as monitors without retries report. Two of a hundred
   * last longer than the confirmations of a run, some for three minutes and more.
   */
  glitch: { per30Days: 40, lengths: lengths(12 * SECOND_MS, 1.03, 2 * SECOND_MS, 5 * MINUTE_MS) },
  /** Of each endpoint of a domestic service: its owner is under attack, and a wall against robots answers for hours. */
  wall: { per30Days: 0.1, lengths: lengths(5 * HOUR_MS, 1, 30 * MINUTE_MS, 48 * HOUR_MS) },
  /** Of each network: a congested peering or a bad line. Losses of a few percent occur somewhere in most weeks. */
  loss: { per30Days: 6, lengths: lengths(20 * MINUTE_MS, 0.8, 3 * MINUTE_MS, 90 * MINUTE_MS) },
  /** Of each network: BGP converges after a lost session, which takes seconds to minutes. */
  "route-gone": {
    per30Days: 1,
    lengths: lengths(75 * SECOND_MS, 0.7, 20 * SECOND_MS, 6 * MINUTE_MS),
  },
  /** Of each endpoint that is not critical: a canary, a rate limit, one bad machine of five, for hours. */
  flapping: { per30Days: 0.15, lengths: lengths(8 * HOUR_MS, 1, HOUR_MS, 72 * HOUR_MS) },
  /** Of each network: links are congested between 19:00 and 23:00. The start is moved into the evening. */
  "slow-evening": { per30Days: 2, lengths: lengths(3 * HOUR_MS, 0.3, HOUR_MS, 5 * HOUR_MS) },
  /** Of each endpoint: moved to another data centre or behind a filter; stays until the next step. */
  "latency-step": {
    per30Days: 0.15,
    lengths: lengths(400 * HOUR_MS, 1, 24 * HOUR_MS, 2_000 * HOUR_MS),
  },
  /** The runner's resolver restarts, or cannot reach the root servers for seconds. */
  resolver: { per30Days: 4, lengths: lengths(15 * SECOND_MS, 0.8, 4 * SECOND_MS, 90 * SECOND_MS) },
  /** The runner's network is down: maintenance of the hoster, a broken uplink. Twice a month is typical of a cheap VPS. */
  offline: { per30Days: 2, lengths: lengths(4 * MINUTE_MS, 1, 20 * SECOND_MS, 60 * MINUTE_MS) },
  /** One of two upstreams or exchanges is down: half of the domestic networks are unreachable. */
  half: { per30Days: 1, lengths: lengths(8 * MINUTE_MS, 0.8, MINUTE_MS, 45 * MINUTE_MS) },
  /** Foreign networks are unreachable. Exercises of isolation and cable faults make the news several times a year. */
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
  /** Of each service: a healthy page that announces maintenance, mentions it elsewhere, or hides an apology for it. */
  notice: { per30Days: 1, lengths: lengths(12 * HOUR_MS, 0.8, HOUR_MS, 72 * HOUR_MS) },
  /** No runs at all: the machine is rebooted or moved. */
  "runner-stopped": {
    per30Days: 0.3,
    lengths: lengths(30 * MINUTE_MS, 0.7, 10 * MINUTE_MS, 180 * MINUTE_MS),
  },
} as const satisfies Record<string, Rate>;

/** Rates of events that affect the services themselves: the same in every profile. */
export const GENUINE = {
  /** Of each service. Public status pages of large services report one to three a month; most end within an hour. */
  outage: {
    per30Days: 2,
    lengths: lengths(20 * MINUTE_MS, 1.8, 3 * MINUTE_MS, 120 * HOUR_MS),
  },
  /** Of all hosting networks with at least three services: all of these are down. */
  provider: { per30Days: 0.5, lengths: lengths(25 * MINUTE_MS, 1, 4 * MINUTE_MS, 10 * HOUR_MS) },
  /**
   * Of all: a filter makes a network unreachable. The status is "as seen from Russia", where all clients are behind such
   * filters, so this is true from its beginning.
   */
  "rolling-block": {
    per30Days: 1.5,
    lengths: lengths(15 * MINUTE_MS, 1, 2 * MINUTE_MS, 6 * HOUR_MS),
  },
  /** Of each service: a bad release, for minutes. Half of them answer 5xx to nearly all clients, the others to every second. */
  storm: { per30Days: 0.3, lengths: lengths(5 * MINUTE_MS, 0.7, MINUTE_MS, 30 * MINUTE_MS) },
  /** Of each endpoint: one in 170 a year; fixed within hours. */
  certificate: { per30Days: 0.0005, lengths: lengths(6 * HOUR_MS, 0.8, HOUR_MS, 48 * HOUR_MS) },
  /** Of each service: maintenance with a page; half of the pages come with a 200. */
  maintenance: {
    per30Days: 0.15,
    lengths: lengths(90 * MINUTE_MS, 0.8, 10 * MINUTE_MS, 8 * HOUR_MS),
  },
  /** The zone `.ru` cannot be resolved: happened on 2024-01-30 for some three hours, once in years. */
  "zone-gone": {
    per30Days: 0.03,
    lengths: lengths(150 * MINUTE_MS, 0.5, 30 * MINUTE_MS, 6 * HOUR_MS),
  },
  /** Of each service: users report faults that probes cannot detect (the app, a payment). Detection is assumed to be right. */
  surge: { per30Days: 0.2, lengths: lengths(60 * MINUTE_MS, 0.6, 20 * MINUTE_MS, 6 * HOUR_MS) },
} as const satisfies Record<string, Rate>;

/** Kinds of outages of a service with their shares; the sum is 1. */
export const OUTAGE_KINDS = [
  /** Nothing answers: the balancer, the data centre or its network is down. */
  { kind: "timeouts", share: 0.3 },
  /** A reverse proxy answers 502, 503 or 504. */
  { kind: "errors", share: 0.27 },
  /** Both in turn: an overloaded service. */
  { kind: "mixed", share: 0.16 },
  /** Connections are refused or reset. */
  { kind: "resets", share: 0.05 },
  /** Only the main endpoint. */
  { kind: "main", share: 0.05 },
  /** Only a minor endpoint. */
  { kind: "side", share: 0.1 },
  /** Every answer takes seconds. */
  { kind: "slow", share: 0.07 },
] as const;
export type OutageKind = (typeof OUTAGE_KINDS)[number]["kind"];

/** Lasting states of annotated services, as shares of the services with the annotation. */
export const ANNOTATED = {
  /** `restricted`: nothing answers. The other restricted services work from the runner's network, because filters differ. */
  restrictedDead: 0.6,
  /** `restricted` and working: one minor endpoint is filtered. */
  restrictedSide: 0.5,
  /** `slowed_ru` and `partial_ru`: one minor endpoint never answers. */
  limitedSide: 0.5,
  /** Owners that may refuse data centres: those that drop every connection of the runner, and two of three. */
  refused: 0.3,
  refusedAtTimes: 0.2,
  /** Domestic services of which the runner sees a wall only. */
  walled: 0.06,
  /** `provider`: the service refuses, if the catalogue has the marker of its refusal. */
  denied: 0.7,
} as const;

/** Ratios and factors of the events above. */
export const SHAPES = {
  lossRatio: { low: 0.02, high: 0.08 },
  lossyUplinkRatio: { low: 0.1, high: 0.4 },
  /** Share of the lookups that fail. */
  resolverRatio: 0.5,
  /** A higher ratio would be a true partial failure. */
  flappingRatio: { low: 0.05, high: 0.25 },
  eveningFactor: { low: 2, high: 4 },
  refusedRatio: 2 / 3,
  stepFactor: { low: 1.5, high: 4 },
  congestedFactor: { low: 2, high: 5 },
  /** From one response level above the threshold of 4 s on: levels are 14 % apart, and nearer to it neither answer is wrong. */
  slowOutageMs: { low: 4_600, high: 7_800 },
  stormRatios: [0.5, 0.95],
  /** Share of the blocks with a stub address, which is evidence. */
  stubShare: 0.2,
} as const;
