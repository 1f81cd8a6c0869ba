import { isIP } from "node:net";
import type { Outcome } from "../model/outcome.ts";
import { type AnchorTries, isAnswer, isUnreachable } from "./anchors.ts";

/** So many anchors of a zone have to fail: one alone may be that one's own name. */
const MIN_OF_ZONE = 2;

/** The top-level domain of a URL, as it stands in it; undefined where its host is an address. */
export function zoneOf(url: string): string | undefined {
  const host = new URL(url).hostname.replace(/^\[|\]$|\.$/gu, "");
  return isIP(host) === 0 ? host.slice(host.lastIndexOf(".") + 1) : undefined;
}

/**
 * Top-level domains that fail by themselves in a round: no name of theirs can be looked up, while another zone's can, and somebody
 * outside answers. So `.ru` was gone on 2024-01-30 with runners that were online. Source: docs/measurement.md, "The state of the way".
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

/** Whether names of every zone fail, and all of them in their lookup: then the runner has no resolver, and knows nothing. */
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
