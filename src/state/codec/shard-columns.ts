import * as z from "zod";
import { MONITOR_WARNINGS } from "../../model/monitor/monitor.ts";
import type { MonitorCondition } from "../../model/monitor/uptime.ts";
import { SLOTS_PER_DAY } from "../../monitors/uptime/time-slots.ts";
import { count, failureCode } from "./parts.ts";

/**
 * The layout of a stored shard. What nearly all monitors have is in columns and, where numbers are alike, in steps: gzip then makes
 * a few bytes of a healthy monitor in addition to its id, which nothing can shorten.
 */

/** The letter that is stored for each condition. */
export const LETTER_OF = {
  healthy: "h",
  failing: "f",
  refused: "r",
  unknown: "u",
} as const satisfies Record<MonitorCondition, string>;

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

/** The columns of a shard. */
export const COLUMNS = z.strictObject({
  sequence: count,
  /** In the order of `firstRun`, then of the id by code unit; so are the other columns. */
  ids: z.array(z.string().min(1)).readonly(),
  firstRunSteps: z.array(count).readonly(),
  /** Seldom below 0: a monitor that was added later has mostly been in its state since later. */
  sinceSteps: z.array(z.int()).readonly(),
  /** A letter for each. */
  states: z.string().regex(/^[hfru]*$/),
  /** Of monitors with a failure code, counted days or marks, by their places, ascending: place, code, days, `marksEnd`, marks. */
  exceptions: z
    .array(z.tuple([count, failureCode.nullable(), dayTriples, count, marks]).readonly())
    .readonly(),
  /** Of those that have any, by their places, ascending: hour of the last one, levels. */
  responses: z.array(z.tuple([count, count, levels]).readonly()).readonly(),
  /** Of those that have one, by their places, ascending. */
  warnings: z.array(z.tuple([count, z.enum(MONITOR_WARNINGS)]).readonly()).readonly(),
  /** Failures that are over, by the places of their monitors, the oldest of each first: code, beginning, length in milliseconds. */
  failures: z.array(z.tuple([count, failureCode, count, count]).readonly()).readonly(),
});

export type ShardColumns = z.infer<typeof COLUMNS>;
export type ExceptionWire = ShardColumns["exceptions"][number];
export type ResponseWire = ShardColumns["responses"][number];
export type WarningWire = ShardColumns["warnings"][number];
export type FailureWire = ShardColumns["failures"][number];
