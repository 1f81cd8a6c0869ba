import * as z from "zod";
import { MONITOR_WARNINGS } from "../../model/monitor/monitor.ts";
import { FAILURES, type FailureCode } from "../../model/probe-outcome.ts";
import type { MonitorCondition } from "../../model/monitor/uptime.ts";
import { SLOTS_PER_DAY } from "../../monitors/uptime/time-slots.ts";

/**
 * The layout of a stored shard. What nearly all monitors have is in columns and, where numbers are alike, in steps: gzip then makes
 * a few bytes of a healthy monitor in addition to its id, which nothing can shorten.
 */

const FORMAT = "status-snapshot/uptime";

/** The letter that is stored for each condition. */
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

/** At most 24, without a gap at either end. */
const levels = z.string().regex(/^[\w-](?:[\w.-]{0,22}[\w-])?$/);

/**
 * In threes: step from the day before (first: the day), failed, skipped. Checked in one loop, because there are millions of numbers
 * when many monitors are down for long.
 */
const dayTriples = z.custom<readonly number[]>(areDayTriples, "these are not counts of days");

function areDayTriples(value: unknown): boolean {
  if (!Array.isArray(value) || value.length % 3 !== 0) return false;
  const numbers: readonly unknown[] = value;
  if (!numbers.every((number) => Number.isSafeInteger(number) && Number(number) >= 0)) return false;
  for (let index = 0; index < numbers.length; index += 3) {
    const exceptions = Number(numbers[index + 1]) + Number(numbers[index + 2]);
    if (exceptions === 0 || exceptions > SLOTS_PER_DAY) return false;
    if (index > 0 && numbers[index] === 0) return false;
  }
  return true;
}

/** What every version has. */
export const SHARD_ENVELOPE = z.looseObject({ format: z.literal(FORMAT), version: z.int().min(1) });

/** Version 2: no warnings. */
export const SHARD_V2 = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(2),
  sequence: count,
  /** In the order of `firstRun`, then of the id by code unit; so are the other columns. */
  ids: z.array(z.string().min(1)).readonly(),
  firstRunSteps: z.array(count).readonly(),
  /** Seldom below 0: a monitor that was added later has mostly been in its state since later. */
  sinceSteps: z.array(z.int()).readonly(),
  /** A letter for each. */
  states: z.string().regex(/^[hfru]*$/),
  /** Of monitors with a failure code, counted days or marks, by their places, ascending. */
  exceptions: z
    .array(
      z
        .tuple([
          count,
          z.enum(failureCodes).nullable(),
          dayTriples,
          /** `marksEnd`. */
          count,
          marks,
        ])
        .readonly(),
    )
    .readonly(),
  /** Of those that have any, by their places, ascending: hour of the last one, levels. */
  responses: z.array(z.tuple([count, count, levels]).readonly()).readonly(),
});

/** Version 3: no failures. */
export const SHARD_V3 = z.strictObject({
  ...SHARD_V2.shape,
  version: z.literal(3),
  /** Of those that have one, by their places, ascending. */
  warnings: z.array(z.tuple([count, z.enum(MONITOR_WARNINGS)]).readonly()).readonly(),
});

/** Version 4, the one that is written. */
export const SHARD_V4 = z.strictObject({
  ...SHARD_V3.shape,
  version: z.literal(4),
  /** Failures that are over, by the places of their monitors, the oldest of each first: code, beginning, length in milliseconds. */
  failures: z.array(z.tuple([count, z.enum(failureCodes), count, count]).readonly()).readonly(),
});

/** A shard in any layout that is read. */
export type StoredShard =
  | z.infer<typeof SHARD_V2>
  | z.infer<typeof SHARD_V3>
  | z.infer<typeof SHARD_V4>;
export type ShardV4 = z.infer<typeof SHARD_V4>;
export type ExceptionWire = ShardV4["exceptions"][number];
export type ResponseWire = ShardV4["responses"][number];
export type WarningWire = ShardV4["warnings"][number];
export type FailureWire = ShardV4["failures"][number];
