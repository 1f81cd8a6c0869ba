import type { Anchor } from "./catalogue.ts";
import type { EndpointResult, Outcome } from "./outcome.ts";

/** What the last run saw of one service, endpoint by endpoint. */
export interface ServiceEvidence {
  readonly runAtMs: number;
  readonly endpoints: readonly { readonly url: string; readonly result: EndpointResult }[];
}

/** One anchor before and after the run. */
export interface AnchorEvidence {
  readonly url: string;
  readonly scope: Anchor["scope"];
  readonly before: Outcome;
  /** Absent when the run was given up before it. */
  readonly after?: Outcome;
}

/** What the last attempt of a run, valid or not, saw of the runner itself. */
export interface RunEvidence {
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly validity: "valid" | "offline";
  /** Every foreign anchor failed while the domestic ones answered. */
  readonly isForeignPathDown: boolean;
  readonly isCongested: boolean;
  readonly eventLoopLagMs: number;
  readonly anchors: readonly AnchorEvidence[];
}
