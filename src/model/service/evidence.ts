import * as z from "zod";
import { CONNECTIVITY } from "./connectivity.ts";
import { duration, ENDPOINT_RESULT, OUTCOME } from "../probe-outcome.ts";
import { instant, listOf, type Stored } from "../stored-parts.ts";

/** The results of the last run for one service. */
export const SERVICE_EVIDENCE = z.strictObject({
  runAtMs: instant,
  endpoints: listOf(z.strictObject({ url: z.string(), result: ENDPOINT_RESULT })),
});

export type ServiceEvidence = Stored<typeof SERVICE_EVIDENCE>;

/** When in a run the anchors were probed; `monitors` is after the checks of monitors. */
const ANCHOR_PHASES = ["start", "middle", "end", "monitors"] as const;
export type AnchorPhase = (typeof ANCHOR_PHASES)[number];

const anchor = z.strictObject({
  url: z.string(),
  scope: z.enum(["domestic", "foreign"]),
  network: z.string(),
  /** In order; an aborted run has fewer. */
  rounds: listOf(z.strictObject({ phase: z.enum(ANCHOR_PHASES), tries: listOf(OUTCOME) })),
});

/** The state of the runner in the last attempt of a run, valid or not. */
export const RUN_EVIDENCE = z.strictObject({
  startedAtMs: instant,
  durationMs: duration,
  validity: z.enum(["valid", "offline"]),
  connectivity: CONNECTIVITY,
  isCongested: z.boolean(),
  eventLoopLagMs: duration,
  anchors: listOf(anchor),
});

export type RunEvidence = Stored<typeof RUN_EVIDENCE>;
