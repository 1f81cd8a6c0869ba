import type { Anchor } from "./catalogue.ts";
import type { Connectivity } from "./connectivity.ts";
import type { EndpointResult, Outcome } from "../probe-outcome.ts";

/** The results of the last run for one service. */
export interface ServiceEvidence {
  readonly runAtMs: number;
  readonly endpoints: readonly { readonly url: string; readonly result: EndpointResult }[];
}

/** When in a run the anchors were probed; `monitors` is after the checks of monitors. */
export const ANCHOR_PHASES = ["start", "middle", "end", "monitors"] as const;
export type AnchorPhase = (typeof ANCHOR_PHASES)[number];

export interface AnchorEvidence extends Anchor {
  /** In order; an aborted run has fewer. */
  readonly rounds: readonly { readonly phase: AnchorPhase; readonly tries: readonly Outcome[] }[];
}

/** The state of the runner in the last attempt of a run, valid or not. */
export interface RunEvidence {
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly validity: "valid" | "offline";
  readonly connectivity: Connectivity;
  readonly isCongested: boolean;
  readonly eventLoopLagMs: number;
  readonly anchors: readonly AnchorEvidence[];
}
