import type { Anchor } from "../model/catalogue.ts";
import type { Outcome } from "../model/outcome.ts";
import type { Pool } from "./pool.ts";
import type { Probe } from "./probe.ts";

/** So many domestic anchors failing together mean that the runner, not the world, is offline. Source: docs/measurement.md. */
export const OFFLINE_ANCHORS = 3;

export interface AnchorOutcome {
  readonly anchor: Anchor;
  readonly outcome: Outcome;
}

/** What the anchors say of the runner's own connection. */
export interface AnchorReport {
  readonly domesticFailing: readonly string[];
  readonly foreignFailing: readonly string[];
  readonly isOffline: boolean;
  /** Every foreign anchor fails although the runner is online: the path abroad is cut. The run stays valid. */
  readonly isForeignPathDown: boolean;
}

/** Probes each anchor once. */
export function probeAnchors(
  anchors: readonly Anchor[],
  probe: Probe,
  pool: Pool,
  signal: AbortSignal,
): Promise<readonly AnchorOutcome[]> {
  return Promise.all(
    anchors.map(async (anchor) => ({
      anchor,
      outcome: await pool(new URL(anchor.url).host, () =>
        probe({ url: anchor.url, trust: "public" }, 0, signal),
      ),
    })),
  );
}

/** Any answer of HTTP proves the path, a redirect to some dead host included; a skipped probe proves nothing either way. */
function isUnreachable({ outcome }: AnchorOutcome): boolean {
  if (outcome.kind !== "failed") return false;
  return outcome.trace.httpStatus === undefined && outcome.trace.redirects === 0;
}

/** Sums up one round of anchors. */
export function judgeAnchors(outcomes: readonly AnchorOutcome[]): AnchorReport {
  const failing = (scope: Anchor["scope"]): readonly string[] =>
    outcomes
      .filter((one) => one.anchor.scope === scope && isUnreachable(one))
      .map((one) => one.anchor.url);
  const domesticFailing = failing("domestic");
  const foreignFailing = failing("foreign");
  const foreign = outcomes.filter((one) => one.anchor.scope === "foreign").length;
  const isOffline = domesticFailing.length >= OFFLINE_ANCHORS;
  return {
    domesticFailing,
    foreignFailing,
    isOffline,
    isForeignPathDown: !isOffline && foreign > 0 && foreignFailing.length === foreign,
  };
}

/**
 * Domestic anchors for which the resolver gave nothing but addresses of special purpose: it lies or is broken, because nobody
 * blocks these sites. Foreign anchors prove nothing, because a resolver may have to block them, and neither does the name to
 * which an anchor redirects. Source: docs/measurement.md, "A resolver that lies".
 */
export function findFalseAnchors(outcomes: readonly AnchorOutcome[]): readonly string[] {
  const found = outcomes.filter(
    ({ anchor, outcome }) =>
      anchor.scope === "domestic" &&
      outcome.kind === "failed" &&
      outcome.code === "dns-special-address" &&
      outcome.trace.redirects === 0,
  );
  return [...new Set(found.map(({ anchor }) => anchor.url))];
}
