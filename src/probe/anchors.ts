import type { Anchor } from "../model/catalogue.ts";
import type { AnchorPhase } from "../model/evidence.ts";
import type { Outcome } from "../model/outcome.ts";
import type { Pool } from "./pool.ts";
import type { Probe } from "./probe.ts";

/** One anchor in one round, with the outcomes of its tries in their order. */
export interface AnchorTries {
  readonly anchor: Anchor;
  readonly tries: readonly Outcome[];
}

/** All anchors at one moment of a run. */
export interface AnchorRound {
  readonly phase: AnchorPhase;
  readonly anchors: readonly AnchorTries[];
}

/** What a round touches. */
export interface AnchorDependencies {
  readonly probe: Probe;
  readonly pool: Pool;
}

/**
 * Tries each anchor twice at once, each try on a connection of its own: what one connection lost must not take an anchor away, and two
 * show whether connections fail here and there. Source: docs/measurement.md, "The state of the way".
 */
export async function probeAnchors(
  phase: AnchorPhase,
  anchors: readonly Anchor[],
  { probe, pool }: AnchorDependencies,
  signal: AbortSignal,
): Promise<AnchorRound> {
  const tried = anchors.map(async (anchor): Promise<AnchorTries> => {
    const { host } = new URL(anchor.url);
    const ask = (attempt: number): Promise<Outcome> =>
      pool(host, () => probe({ url: anchor.url, trust: "public" }, attempt, signal));
    return { anchor, tries: await Promise.all([ask(0), ask(1)]) };
  });
  return { phase, anchors: await Promise.all(tried) };
}

/**
 * Whether a try proves no way to the anchor. Any answer of HTTP proves one, a redirect to some dead host included. A certificate
 * that does not verify proves none: a captive portal answers so. A probe that was skipped proves nothing either way, and is not lost.
 */
export function isLost(outcome: Outcome): boolean {
  if (outcome.kind !== "failed") return false;
  return outcome.trace.httpStatus === undefined && outcome.trace.redirects === 0;
}

/** Whether a try proves the way to its anchor. */
export function isAnswer(outcome: Outcome): boolean {
  return outcome.kind !== "skipped" && !isLost(outcome);
}

/** An anchor is out of reach in a round when every try was made, and every one was lost. */
export function isUnreachable({ tries }: AnchorTries): boolean {
  return tries.length > 0 && tries.every(isLost);
}

/** The try of each anchor by which its response time is judged: the first that was answered, else the first. By URL. */
export function firstAnswers({ anchors }: AnchorRound): ReadonlyMap<string, Outcome> {
  const answers = anchors.flatMap(({ anchor, tries }) => {
    const answer = tries.find((one) => !isLost(one)) ?? tries[0];
    return answer === undefined ? [] : [[anchor.url, answer] as const];
  });
  return new Map(answers);
}

/**
 * Domestic anchors for which the resolver gave nothing but addresses of special purpose: it lies or is broken, because nobody
 * blocks these sites. Foreign anchors prove nothing, because a resolver may have to block them, and neither does the name to
 * which an anchor redirects. Source: docs/measurement.md, "A resolver that lies".
 */
export function findFalseAnchors(rounds: readonly AnchorRound[]): readonly string[] {
  const found = rounds
    .flatMap(({ anchors }) => anchors)
    .filter(({ anchor, tries }) => anchor.scope === "domestic" && tries.some(isFalse));
  return [...new Set(found.map(({ anchor }) => anchor.url))];
}

function isFalse(outcome: Outcome): boolean {
  return (
    outcome.kind === "failed" &&
    outcome.code === "dns-special-address" &&
    outcome.trace.redirects === 0
  );
}
