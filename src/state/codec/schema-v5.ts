import * as z from "zod";
import { COMMON, FORMAT, OUTCOME, PARTS } from "./schema.ts";

const { instant, duration, track, strip, checkClass, days, runs, pairsOf } = PARTS;

/** One try of each anchor before the services, and one after them. */
const runEvidence = z.strictObject({
  startedAtMs: instant,
  durationMs: duration,
  validity: z.enum(["valid", "offline"]),
  isForeignPathDown: z.boolean(),
  isCongested: z.boolean(),
  eventLoopLagMs: duration,
  anchors: z
    .array(
      z.strictObject({
        url: z.string(),
        scope: z.enum(["domestic", "foreign"]),
        before: OUTCOME,
        after: z.exactOptional(OUTCOME),
      }),
    )
    .readonly(),
});

const service = z.strictObject({
  checkClass,
  sinceMs: instant,
  isSinceExact: z.boolean(),
  downSinceMs: instant.nullable(),
  isBlocked: z.boolean(),
  checkedAtMs: instant,
  lastEpisode: z
    .strictObject({
      checkClass,
      sinceMs: instant,
      isSinceExact: z.boolean(),
      downSinceMs: instant,
      endedAtMs: instant,
    })
    .nullable(),
  strip,
  days,
});

/** Version 5: one mark for each run, no held failures, and outages whose class had a beginning of its own. */
export const STATE_V5 = z.strictObject({
  format: FORMAT,
  version: z.literal(5),
  history: z.strictObject({
    updatedAtMs: instant.nullable(),
    runs,
    endpoints: pairsOf(track),
    services: pairsOf(service),
  }),
  lastRun: runEvidence.nullable(),
  ...COMMON,
});

export type StateV5 = z.infer<typeof STATE_V5>;
