import * as z from "zod";
import { CONNECTIVITY_STATES } from "../model/connectivity.ts";
import { HOLD_CAUSES } from "../model/history.ts";
import { RUN_EVIDENCE_V6 } from "./codec-evidence.ts";
import { PARTS, RUNS_V1, STATE_V5 } from "./codec-schema.ts";

const { instant, count, track, strip, checkClass, days, pairsOf } = PARTS;

const endedSpell = z
  .strictObject({ sinceMs: instant, isSinceExact: z.boolean(), endedAtMs: instant })
  .nullable();

const service = z.strictObject({
  checkClass,
  sinceMs: instant,
  isSinceExact: z.boolean(),
  isBlocked: z.boolean(),
  checkedAtMs: instant,
  lastOutage: endedSpell,
  lastPartial: endedSpell,
  cleanRuns: count,
  sharedCause: z.string().nullable(),
  strip,
  days,
});

const heldFailure = z.strictObject({
  cause: z.enum(HOLD_CAUSES),
  checkClass,
  sinceMs: instant,
  isSinceExact: z.boolean(),
  lastAtMs: instant,
  runs: count,
  failingTogether: count,
});

/** Version 6, the one that is written. */
export const STATE_V6 = z.strictObject({
  ...STATE_V5.shape,
  version: z.literal(6),
  history: z.strictObject({
    updatedAtMs: instant.nullable(),
    runs: RUNS_V1.extend({
      /** Places in `stepsMs` of runs whose way was not fine, and how it was. */
      troubled: z.array(z.tuple([count, z.enum(CONNECTIVITY_STATES)]).readonly()).readonly(),
    }),
    endpoints: pairsOf(track),
    proven: z.array(z.string()).readonly(),
    services: pairsOf(service),
    held: pairsOf(heldFailure),
  }),
  lastRun: RUN_EVIDENCE_V6.nullable(),
});

export type StateV6 = z.infer<typeof STATE_V6>;
