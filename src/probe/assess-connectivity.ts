import type { Anchor } from "../model/service/catalogue.ts";
import type { Connectivity, ConnectivityState } from "../model/service/connectivity.ts";
import { rowOf } from "../model/failures.ts";
import { groupBy } from "../model/lists.ts";
import type { EndpointResult, Outcome } from "../model/probe-outcome.ts";
import {
  type AnchorRound,
  type AnchorTries,
  provesReachable,
  isLost,
  isUnreachable,
} from "./anchors.ts";
import { zoneOf } from "../model/host-name.ts";

/* The numbers and their reasons: docs/probe/measurement.md, "Connectivity". */

/** Share of all networks that must be unreachable at once for the runner to be offline. */
const OFFLINE_RATIO = 0.75;
/** Offline also needs this share of the domestic networks: with few of them, a cut abroad alone would look like it. */
const OFFLINE_DOMESTIC_RATIO = 0.5;
const HALF = { networks: 2, ratio: 0.2 };
const ABROAD_CUT_RATIO = 0.5;
const LOSSY_TRIES = { lost: 3, ratio: 0.04 };
const LOSSY_ENDPOINTS = { shaky: 8, ratio: 0.05 };
/** An event loop this late causes time-outs by itself; a run is congested from the same lag on. */
const LAGGED_MS = 100;

export interface Surroundings {
  /** The typical delay of the event loop, milliseconds. */
  readonly lagMs: number;
  readonly results: Iterable<EndpointResult>;
}

/** The connectivity of the runner, from the worst round of a run. A network is unreachable if all of its anchors are. */
export function assessConnectivity(
  rounds: readonly AnchorRound[],
  { lagMs, results }: Surroundings,
): Connectivity {
  const judged = rounds.map(assessRound);
  const unreachable = rounds.flatMap(({ anchors }) => anchors.filter(isUnreachable));
  const tries = rounds.flatMap((round) => round.anchors.flatMap((one) => one.tries));
  return {
    state: stateOf(judged, () => isLossy(rounds, { lagMs, results })),
    unreachable: [...new Set(unreachable.map(({ anchor }) => anchor.url))],
    lostRatio: ratioOf(tries.filter(isLost).length, tries.filter(isDecided).length),
    failingZones: [...new Set(judged.flatMap(({ zones }) => zones))],
  };
}

function stateOf(
  judged: readonly ReturnType<typeof assessRound>[],
  isLossyNow: () => boolean,
): ConnectivityState {
  if (judged.some(({ isOffline }) => isOffline)) return "offline";
  if (judged.some(({ isHalf }) => isHalf)) return "half";
  if (judged.some(({ isAbroadCut }) => isAbroadCut)) return "abroad-cut";
  return isLossyNow() ? "lossy" : "fine";
}

function assessRound({ anchors }: AnchorRound) {
  const zones = findFailingZones(anchors);
  const domestic = countNetworks(anchors, zones, "domestic");
  const foreign = countNetworks(anchors, zones, "foreign");
  const all = { gone: domestic.gone + foreign.gone, of: domestic.of + foreign.of };
  const isMostGone =
    ratioOf(all.gone, all.of) >= OFFLINE_RATIO &&
    (domestic.of === 0 || ratioOf(domestic.gone, domestic.of) >= OFFLINE_DOMESTIC_RATIO);
  return {
    zones,
    isOffline: isMostGone || isResolverGone(anchors),
    isHalf: domestic.gone >= HALF.networks && ratioOf(domestic.gone, domestic.of) >= HALF.ratio,
    isAbroadCut: ratioOf(foreign.gone, foreign.of) >= ABROAD_CUT_RATIO,
  };
}

/** Networks of a scope, and how many are unreachable. An anchor lost to a failing zone does not count as unreachable. */
function countNetworks(
  anchors: readonly AnchorTries[],
  zones: readonly string[],
  scope: Anchor["scope"],
): { readonly gone: number; readonly of: number } {
  const tried = anchors.filter((one) => one.anchor.scope === scope && isTried(one));
  const networks = [...groupBy(tried, ({ anchor }) => anchor.network).values()];
  const isGone = (one: AnchorTries): boolean =>
    isUnreachable(one) && !zones.includes(zoneOf(one.anchor.url) ?? "");
  return { gone: networks.filter((of) => of.every(isGone)).length, of: networks.length };
}

function isLossy(rounds: readonly AnchorRound[], { lagMs, results }: Surroundings): boolean {
  const isTold = (outcome: Outcome): boolean =>
    isDecided(outcome) && !(lagMs >= LAGGED_MS && isTimeOut(outcome));
  const tries = triesOfAnswering(rounds).filter(isTold);
  const lost = tries.filter(isLost).length;
  if (lost >= LOSSY_TRIES.lost && ratioOf(lost, tries.length) >= LOSSY_TRIES.ratio) return true;
  const measured = [...results].filter(({ outcome }) => isDecided(outcome));
  const shaky = measured.filter((result) => isShaky(result, isTold)).length;
  return shaky >= LOSSY_ENDPOINTS.shaky && ratioOf(shaky, measured.length) >= LOSSY_ENDPOINTS.ratio;
}

/** Attempts at anchors that answered in the run. The other anchors are dead or unreachable, which is not packet loss. */
function triesOfAnswering(rounds: readonly AnchorRound[]): readonly Outcome[] {
  const all = rounds.flatMap(({ anchors }) => anchors);
  return [...groupBy(all, ({ anchor }) => anchor.url).values()]
    .map((ofAnchor) => ofAnchor.flatMap(({ tries }) => tries))
    .filter((tries) => tries.some(provesReachable))
    .flat();
}

/** Whether the endpoint answered after a first attempt that packet loss can explain. If all are lost, it or a whole route fails. */
function isShaky(
  { isFlaky, attempts, mayBeRefused }: EndpointResult,
  isTold: (one: Outcome) => boolean,
): boolean {
  const [first] = attempts;
  if (!isFlaky || mayBeRefused === true || first?.kind !== "failed") return false;
  return rowOf(first.code).loss !== undefined && isTold(first);
}

function isTimeOut(outcome: Outcome): boolean {
  return outcome.kind === "failed" && rowOf(outcome.code).loss === "time-out";
}

function isDecided(outcome: Outcome): boolean {
  return outcome.kind !== "skipped";
}

function ratioOf(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

/** Fewest failing anchors of a zone: a single one may have a problem with its own name. */
const MIN_OF_ZONE = 2;

/**
 * Top-level domains that fail by themselves: none of their names can be looked up, while a name of another zone can, and a host outside
 * answers. On 2024-01-30 `.ru` failed like that. Source: docs/probe/measurement.md, "Connectivity".
 */
function findFailingZones(anchors: readonly AnchorTries[]): readonly string[] {
  const zones = new Set(anchors.flatMap(({ anchor }) => zoneOf(anchor.url) ?? []));
  return [...zones].filter((zone) => {
    const inside = anchors.filter((one) => zoneOf(one.anchor.url) === zone && isTried(one));
    const outside = anchors.filter((one) => zoneOf(one.anchor.url) !== zone);
    return (
      inside.length >= MIN_OF_ZONE &&
      inside.every(isNameLost) &&
      outside.some((one) => zoneOf(one.anchor.url) !== undefined && one.tries.some(isLookedUp)) &&
      outside.some(({ tries }) => tries.some(provesReachable))
    );
  });
}

/** Whether the names of every zone fail in their lookup: the runner has no resolver, and its results prove nothing. */
function isResolverGone(anchors: readonly AnchorTries[]): boolean {
  const named = anchors.filter((one) => zoneOf(one.anchor.url) !== undefined && isTried(one));
  return named.length >= MIN_OF_ZONE && named.every(isNameLost);
}

function isTried({ tries }: AnchorTries): boolean {
  return tries.some(isDecided);
}

function isNameLost(one: AnchorTries): boolean {
  return isUnreachable(one) && one.tries.every((outcome) => !isLookedUp(outcome));
}

function isLookedUp(outcome: Outcome): boolean {
  return outcome.kind === "failed" ? outcome.stage !== "dns" : outcome.kind !== "skipped";
}
