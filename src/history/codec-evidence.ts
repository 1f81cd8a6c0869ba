import * as z from "zod";
import { type Connectivity, CONNECTIVITY_STATES, FINE } from "../model/connectivity.ts";
import { ANCHOR_PHASES, type RunEvidence } from "../model/evidence.ts";
import type { Outcome } from "../model/outcome.ts";
import { OUTCOME } from "./codec-schema.ts";

/** What version 6 of the stored state keeps of the last run, and how older layouts become that. */

const duration = z.number();
const count = z.int().min(0);
const ratio = z.number().min(0).max(1);

/** What was known of the runner's own way in a run. */
export const CONNECTIVITY_V6 = z.strictObject({
  state: z.enum(CONNECTIVITY_STATES),
  unreachable: z.array(z.string()).readonly(),
  lostRatio: ratio,
  failingZones: z.array(z.string()).readonly(),
});

/** What the last attempt of a run saw of the runner itself. */
export const RUN_EVIDENCE_V6 = z.strictObject({
  startedAtMs: count,
  durationMs: duration,
  validity: z.enum(["valid", "offline"]),
  connectivity: CONNECTIVITY_V6,
  isCongested: z.boolean(),
  eventLoopLagMs: duration,
  anchors: z
    .array(
      z.strictObject({
        url: z.string(),
        scope: z.enum(["domestic", "foreign"]),
        network: z.string(),
        rounds: z
          .array(
            z.strictObject({
              phase: z.enum(ANCHOR_PHASES),
              tries: z.array(OUTCOME).readonly(),
            }),
          )
          .readonly(),
      }),
    )
    .readonly(),
});

/** What versions 1 to 5 kept of the last run: one try of each anchor before the services, and one after them. */
export interface RunEvidenceV5 {
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly validity: "valid" | "offline";
  readonly isForeignPathDown: boolean;
  readonly isCongested: boolean;
  readonly eventLoopLagMs: number;
  readonly anchors: readonly {
    readonly url: string;
    readonly scope: "domestic" | "foreign";
    readonly before: Outcome;
    readonly after?: Outcome;
  }[];
}

/** Networks were not known then, so each anchor stands for one of its own; the state is the one that was concluded. */
export function runEvidenceFromV5(old: RunEvidenceV5): RunEvidence {
  const { startedAtMs, durationMs, validity, isCongested, eventLoopLagMs } = old;
  return {
    startedAtMs,
    durationMs,
    validity,
    connectivity: connectivityFromV5(old),
    isCongested,
    eventLoopLagMs,
    anchors: old.anchors.map(({ url, scope, before, after }) => ({
      url,
      scope,
      network: url,
      rounds: [
        { phase: "start", tries: [before] },
        ...(after === undefined ? [] : [{ phase: "end" as const, tries: [after] }]),
      ],
    })),
  };
}

function connectivityFromV5({ validity, isForeignPathDown, anchors }: RunEvidenceV5): Connectivity {
  const gone = anchors.filter(({ before, after }) => isGone(before) || isGone(after));
  const tries = anchors.flatMap(({ before, after }) => [before, ...(after ? [after] : [])]);
  const state = validity === "offline" ? "offline" : isForeignPathDown ? "abroad-cut" : "fine";
  return {
    ...FINE,
    state,
    unreachable: gone.map(({ url }) => url),
    lostRatio: tries.length === 0 ? 0 : tries.filter(isGone).length / tries.length,
  };
}

function isGone(outcome: Outcome | undefined): boolean {
  if (outcome?.kind !== "failed") return false;
  return outcome.trace.httpStatus === undefined && outcome.trace.redirects === 0;
}
