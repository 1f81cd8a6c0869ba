import type { Anchor } from "./catalogue.ts";
import type { Connectivity } from "./connectivity.ts";
import type { EndpointResult, Outcome } from "./outcome.ts";

/** What the last run saw of one service, endpoint by endpoint. */
export interface ServiceEvidence {
  readonly runAtMs: number;
  readonly endpoints: readonly { readonly url: string; readonly result: EndpointResult }[];
}

/** When in a run the anchors were tried: `monitors` is once more, after the checks of monitors. */
export const ANCHOR_PHASES = ["start", "middle", "end", "monitors"] as const;
export type AnchorPhase = (typeof ANCHOR_PHASES)[number];

/** One anchor in all rounds of the run. */
export interface AnchorEvidence extends Anchor {
  /** In the order in which they were; a run that was given up has fewer. */
  readonly rounds: readonly { readonly phase: AnchorPhase; readonly tries: readonly Outcome[] }[];
}

/** What the last attempt of a run, valid or not, saw of the runner itself. */
export interface RunEvidence {
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly validity: "valid" | "offline";
  readonly connectivity: Connectivity;
  readonly isCongested: boolean;
  readonly eventLoopLagMs: number;
  readonly anchors: readonly AnchorEvidence[];
}
