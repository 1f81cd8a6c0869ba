import * as z from "zod";
import { FAILURES, type FailureCode } from "../model/outcome.ts";
import type { MonitorCondition } from "../model/uptime.ts";
import { SLOTS_PER_DAY } from "./slots.ts";

/**
 * The layout of a stored shard. Versions are only ever added. What nearly all monitors have is in columns and, where
 * numbers are alike, in steps: gzip then makes a few bytes of a healthy monitor beside its id, which nothing can shorten.
 */

const FORMAT = "status-snapshot/uptime";

/** One letter for each condition. */
export const LETTER_OF = {
  healthy: "h",
  failing: "f",
  refused: "r",
  unknown: "u",
} as const satisfies Record<MonitorCondition, string>;

const count = z.int().min(0);
const failureCodes = Object.keys(FAILURES) as [FailureCode, ...FailureCode[]]; // FAILURES is not empty
const marks = z
  .string()
  .max(SLOTS_PER_DAY)
  .regex(/^(?:[fs](?:[.fs]*[fs])?)?$/);

/** Enough of any version to tell which one it is. */
export const ENVELOPE = z.looseObject({ format: z.literal(FORMAT), version: z.int().min(1) });

export const SHARD_V1 = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(1),
  sequence: count,
  /** In the order of `firstRun`, then of the id by code unit; so are the other columns. */
  ids: z.array(z.string().min(1)).readonly(),
  firstRunSteps: z.array(count).readonly(),
  /** Mostly not below 0: who came later has mostly been well since later. */
  sinceSteps: z.array(z.int()).readonly(),
  /** A letter for each. */
  states: z.string().regex(/^[hfru]*$/),
  /** Of those that have something to tell, by their places, ascending. */
  exceptions: z
    .array(
      z
        .tuple([
          count,
          z.enum(failureCodes).nullable(),
          /** In threes: step from the day before (first: the day), failed, skipped. */
          z.array(count).readonly(),
          /** `marksEnd`. */
          count,
          marks,
        ])
        .readonly(),
    )
    .readonly(),
});

export type ShardV1 = z.infer<typeof SHARD_V1>;
export type ExceptionWire = ShardV1["exceptions"][number];
