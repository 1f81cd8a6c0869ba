import type { Anchor } from "../model/service/catalogue.ts";
import type { AnchorPhase } from "../model/service/evidence.ts";
import type { Outcome } from "../model/probe-outcome.ts";
import type { Pool } from "./pool.ts";
import type { Probe } from "./probe.ts";

/** One anchor in one round, with the outcomes of its attempts in order. */
export interface AnchorTries {
  readonly anchor: Anchor;
  readonly tries: readonly Outcome[];
  /** What its server told last of the time, if anything. It is compared with our clock, and not stored. */
  readonly serverMs?: number | undefined;
}

export interface AnchorRound {
  readonly phase: AnchorPhase;
  readonly anchors: readonly AnchorTries[];
}

/**
 * Probes each anchor twice at once, each attempt on its own connection: one lost connection must not make an anchor unreachable, and two
 * show whether single connections fail. Source: docs/probe/measurement.md, "Connectivity".
 */
export async function probeAnchors(
  phase: AnchorPhase,
  anchors: readonly Anchor[],
  { probe, pool }: { readonly probe: Probe; readonly pool: Pool },
  signal: AbortSignal,
): Promise<AnchorRound> {
  const tried = anchors.map(async (anchor): Promise<AnchorTries> => {
    const { url } = anchor;
    let serverMs: number | undefined;
    const onServerTime = (ms: number): void => void (serverMs = ms);
    const target = { url, trust: "public", onServerTime } as const;
    const ask = (attempt: number) => pool(new URL(url).host, () => probe(target, attempt, signal));
    return { anchor, tries: await Promise.all([ask(0), ask(1)]), serverMs };
  });
  return { phase, anchors: await Promise.all(tried) };
}

/**
 * Whether an attempt was made and does not prove that the anchor is reachable. Any HTTP response proves it, also a redirect to a dead host;
 * a certificate that does not verify does not, because a captive portal answers like that.
 */
export function isLost(outcome: Outcome): boolean {
  if (outcome.kind !== "failed") return false;
  return outcome.trace.httpStatus === undefined && outcome.trace.redirects === 0;
}

/** Whether an attempt proves that its anchor is reachable. */
export function provesReachable(outcome: Outcome): boolean {
  return outcome.kind !== "skipped" && !isLost(outcome);
}

/** An anchor is unreachable in a round if all of its attempts were made and lost. */
export function isUnreachable({ tries }: AnchorTries): boolean {
  return tries.length > 0 && tries.every(isLost);
}

/** Fewer servers with a time could share a wrong one. */
const MIN_CLOCKS = 3;

/**
 * By how much the clock of this machine is ahead of those of the anchors: the median, which one that lies does not move. Undefined: too few
 * have told a time.
 *
 * @param nowMs the clock of this machine when the round had ended.
 */
export function clockAheadOf({ anchors }: AnchorRound, nowMs: number): number | undefined {
  const aheadMs = anchors
    .flatMap(({ serverMs }) => (serverMs === undefined ? [] : [nowMs - serverMs]))
    .toSorted((a, b) => a - b);
  return aheadMs.length < MIN_CLOCKS ? undefined : aheadMs[Math.floor(aheadMs.length / 2)];
}

/** The attempt of each anchor, by URL, that gives its response time: the first one answered, otherwise the first one. */
export function firstAnswers({ anchors }: AnchorRound): ReadonlyMap<string, Outcome> {
  const answers = anchors.flatMap(({ anchor, tries }) => {
    const answer = tries.find((one) => !isLost(one)) ?? tries[0];
    return answer === undefined ? [] : [[anchor.url, answer] as const];
  });
  return new Map(answers);
}

/**
 * Domestic anchors for which the resolver returned only special-purpose addresses: it lies or is broken, because these sites are not
 * blocked. Foreign anchors and targets of redirects prove nothing. Source: docs/probe/measurement.md, "A resolver that lies".
 */
export function findFalseAnchors(rounds: readonly AnchorRound[]): readonly string[] {
  const found = rounds
    .flatMap(({ anchors }) => anchors)
    .filter(({ anchor, tries }) => anchor.scope === "domestic" && tries.some(isFalse));
  return [...new Set(found.map(({ anchor }) => anchor.url))];
}

function isFalse(one: Outcome): boolean {
  return one.kind === "failed" && one.trace.redirects === 0 && one.code === "dns-special-address";
}
