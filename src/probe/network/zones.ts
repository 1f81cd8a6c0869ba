import { isIP } from "node:net";
import type { Outcome } from "../../model/probe-outcome.ts";
import { type AnchorTries, isAnswer, isUnreachable } from "../anchors.ts";

/** Fewest failing anchors of a zone: a single one may have a problem with its own name. */
const MIN_OF_ZONE = 2;

/** The top-level domain of a URL as written; undefined if its host is an address. */
export function zoneOf(url: string): string | undefined {
  const host = new URL(url).hostname.replace(/^\[|\]$|\.$/gu, "");
  return isIP(host) === 0 ? host.slice(host.lastIndexOf(".") + 1) : undefined;
}

/**
 * Top-level domains that fail by themselves in a round: none of their names can be looked up, while a name of another zone
 * can, and a host outside answers. On 2024-01-30 `.ru` failed like that for runners that were online.
 * Source: docs/probe/measurement.md, "Connectivity".
 */
export function findFailingZones(anchors: readonly AnchorTries[]): readonly string[] {
  const zones = new Set(anchors.flatMap(({ anchor }) => zoneOf(anchor.url) ?? []));
  return [...zones].filter((zone) => {
    const inside = anchors.filter((one) => zoneOf(one.anchor.url) === zone && isTried(one));
    const outside = anchors.filter((one) => zoneOf(one.anchor.url) !== zone);
    return (
      inside.length >= MIN_OF_ZONE &&
      inside.every(isNameLost) &&
      outside.some((one) => zoneOf(one.anchor.url) !== undefined && one.tries.some(isLookedUp)) &&
      outside.some(({ tries }) => tries.some(isAnswer))
    );
  });
}

/** Whether the names of every zone fail in their lookup: the runner then has no resolver, and its results prove nothing. */
export function isResolverGone(anchors: readonly AnchorTries[]): boolean {
  const named = anchors.filter((one) => zoneOf(one.anchor.url) !== undefined && isTried(one));
  return named.length >= MIN_OF_ZONE && named.every(isNameLost);
}

function isTried({ tries }: AnchorTries): boolean {
  return tries.some(({ kind }) => kind !== "skipped");
}

function isNameLost(one: AnchorTries): boolean {
  return isUnreachable(one) && one.tries.every((outcome) => !isLookedUp(outcome));
}

function isLookedUp(outcome: Outcome): boolean {
  return outcome.kind === "failed" ? outcome.stage !== "dns" : outcome.kind !== "skipped";
}
