import type {
  CutBy,
  EndpointScope,
  ExperimentStep,
  StepAnswer,
} from "../../model/service/interference.ts";

/** Everything that the scope of an endpoint depends on. */
export interface ScopeSignals extends Pick<
  EndpointScope,
  "finding" | "votes" | "working" | "failing" | "cutBy"
> {
  /** It fails in a way that a box on the path can cause. */
  readonly isInterference: boolean;
  /** Its owner's own wall can make the same picture: a domestic service, or one that refuses data centres. */
  readonly mayBeWall: boolean;
  /** The anchors abroad answer the runner. */
  readonly isForeignPathUp: boolean;
  /** Networks of controls in which it works, and which the runner's own address answers as well. */
  readonly workingAtSameAddress: number;
  /** A control reached the runner's own address, and the endpoint failed there too: that server is broken. */
  readonly isAddressBroken: boolean;
  /** Networks of other places in Moscow in which it fails, and whose own experiment says `name`. */
  readonly cutElsewhere: number;
  /** Those of them on the lines of subscribers. */
  readonly cutAtHome: number;
  /** Blocking was claimed earlier in this outage. */
  readonly wasClaimed: boolean;
}

export type ScopeDecision = Pick<EndpointScope, "scope" | "isClaimed" | "row">;

/** Networks that have to agree, so that one control or one line alone moves nothing. */
export const ENOUGH = 2;

/**
 * Where an endpoint fails, and whether its failure is blocking. The first row that matches wins. Only a failure can become a claim, and a
 * new one needs either all of: a service abroad, an experiment that answered under another name, two networks abroad in which the endpoint
 * works at the runner's own address, none in which it fails, and a way abroad that is up; or two networks of subscribers in Moscow that are
 * cut by name while a data centre is not. Pure. Source: docs/services/scope.md, "The table".
 */
export function decideScope(signals: ScopeSignals): ScopeDecision {
  const { finding, votes, wasClaimed, isInterference, mayBeWall, failing } = signals;
  if (finding === "healthy") return { row: 1, scope: "none", isClaimed: false };
  if (finding === "unknown") return { row: 2, scope: "unknown", isClaimed: false };
  if (finding === "browser-fails") return { row: 13, scope: "client", isClaimed: false };
  if (finding === "browser-works") return { row: 14, scope: "client", isClaimed: false };
  if (finding === "failing-at-home") {
    const isClaimed = signals.cutAtHome >= ENOUGH && !mayBeWall;
    return { row: isClaimed ? 15 : 16, scope: "access", isClaimed };
  }
  const abroad = scopeAbroad(signals);
  if (finding === "block-evidence") return { ...abroad, row: 3, isClaimed: false };
  if (finding === "server-error") return { ...abroad, row: 4, isClaimed: false };
  if (finding === "denied") return { ...abroad, row: 5, isClaimed: false };
  if (votes !== "agreed") return { row: 6, scope: "network", isClaimed: false };
  if (isCutOnlyHere(signals)) return { row: 7, scope: "russia", isClaimed: true };
  if (wasClaimed && isInterference && !mayBeWall && failing < ENOUGH)
    return { ...abroad, row: 11, isClaimed: true };
  return { ...abroad, isClaimed: false };
}

function isCutOnlyHere(signals: ScopeSignals): boolean {
  // Where one address is many servers, only a second network in Moscow tells a cut from a fault of one of them.
  const isSameServer = signals.workingAtSameAddress >= ENOUGH || signals.cutElsewhere > 0;
  return (
    signals.isInterference &&
    !signals.mayBeWall &&
    signals.isForeignPathUp &&
    signals.working >= ENOUGH &&
    isSameServer &&
    signals.failing === 0 &&
    !signals.isAddressBroken &&
    signals.cutBy === "name"
  );
}

/** The scope of a failure by its controls alone: rows 8, 9, 10 and 12. */
function scopeAbroad(signals: ScopeSignals): Pick<ScopeDecision, "row" | "scope"> {
  const { working, failing, isForeignPathUp } = signals;
  if (working >= ENOUGH && failing === 0)
    return { row: 8, scope: isForeignPathUp ? "russia" : "path" };
  if (working >= 1 && failing >= 1) return { row: 9, scope: "mixed" };
  if (failing >= ENOUGH && working === 0) return { row: 10, scope: "everywhere" };
  return { row: 12, scope: "unknown" };
}

/**
 * What an experiment shows: of its steps the one that shows most. It claims nothing by itself: a balancer with one dead back end looks like
 * a cut by name, and a server that resets unknown names like a dead one.
 */
export function concludeExperiment(steps: readonly ExperimentStep[]): CutBy {
  const shown = steps.map((step): CutBy => {
    if (step.kind === "neighbour") return step.isConnected ? "address" : "network";
    return CUT_BY[step.answer];
  });
  const all = new Set(shown);
  return BY_STRENGTH.find((cutBy) => all.has(cutBy)) ?? "unknown";
}

const BY_STRENGTH = ["name", "address", "network", "none"] as const;

const CUT_BY: Readonly<Record<StepAnswer, CutBy>> = {
  answered: "name",
  cut: "none",
  unreachable: "unknown",
  unclear: "unknown",
};
