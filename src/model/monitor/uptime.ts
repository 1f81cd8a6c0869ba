import * as z from "zod";
import { type CheckResult, MONITOR_WARNINGS, type MonitorWarning } from "./monitor.ts";
import type { FailureCode } from "../failures.ts";
import { codecOf, count, failureCode, instant, listOf, type Stored } from "../stored-parts.ts";

/** Length of a slot: at most one run counts in each. Source: the API, "every 5 minutes". */
export const SLOT_MS = 300_000;

export const MONITOR_CLOCK = z.strictObject({
  /** Number of the last run; 0 before the first. */
  runs: count,
  /** Slot of the last run, `floor(atMs / SLOT_MS)`. A run in this slot or an earlier one does not count. -1 before the first. */
  lastSlot: z.int().min(-1),
  /** Each UTC day with a run and the number of its first run; ascending, at most 90 days. */
  days: listOf(z.tuple([count, count]).readonly()),
  /** Slots of the runs of the last 24 hours, ascending. The last one is that of run number `runs`. */
  recentSlots: listOf(count),
});

/** The runs that counted, once for all monitors, so that a healthy one needs no write per run. Numbered from 1 in their order. */
export type MonitorClock = Stored<typeof MONITOR_CLOCK>;

export const EMPTY_CLOCK: MonitorClock = { runs: 0, lastSlot: -1, days: [], recentSlots: [] };

/** `gone`: it left the registry. A healthy check has a time only if that is recorded. Refusals have passed `countRefusal`. */
export type MonitorChange = CheckResult | { readonly kind: "gone" };

const responseMs = z.number().min(0);

const monitorChange = z.union([
  z.tuple([z.string(), z.enum(["healthy", "skipped", "gone"])]).readonly(),
  /** With a response time to be stored, milliseconds. */
  z.tuple([z.string(), z.literal("healthy"), responseMs]).readonly(),
  /** The same, or null, and a warning for the owner. */
  z
    .tuple([z.string(), z.literal("healthy"), responseMs.nullable(), z.enum(MONITOR_WARNINGS)])
    .readonly(),
  z.tuple([z.string(), z.enum(["failing", "refused"]), failureCode]).readonly(),
]);

type StoredChange = z.infer<typeof monitorChange>;

function packChange([id, change]: readonly [string, MonitorChange]): StoredChange {
  if ("code" in change) return [id, change.kind, change.code];
  if (change.kind !== "healthy") return [id, change.kind];
  const { kind, totalMs, warning } = change;
  if (warning !== undefined) return [id, kind, totalMs ?? null, warning];
  return totalMs === undefined ? [id, kind] : [id, kind, totalMs];
}

function unpackChange(stored: StoredChange): [string, MonitorChange] {
  if (stored.length === 2) return [stored[0], { kind: stored[1] }];
  if (stored[1] !== "healthy") return [stored[0], { kind: stored[1], code: stored[2] }];
  const [id, kind, totalMs, warning] = stored;
  const time = totalMs === null ? {} : { totalMs };
  return [id, { kind, ...time, ...(warning === undefined ? {} : { warning }) }];
}

const pendingChanges = z.strictObject({
  /** Ascends; a shard stores the last one that was applied to it. */
  sequence: count,
  run: count,
  slot: z.int().min(-1),
  atMs: instant,
  /** By id, only monitors whose record changes. */
  changes: codecOf(
    listOf(monitorChange),
    (stored): ReadonlyMap<string, MonitorChange> => new Map(stored.map(unpackChange)),
    (pending) => [...pending].map(packChange),
  ),
});

/**
 * A journal in the state: changes of the last generation that the shards may not have yet, so that the next run can finish
 * the work of a writer that died. Applying it twice has no further effect.
 */
export type PendingChanges = Stored<typeof pendingChanges>;

export const MONITORS_STATE = z.strictObject({
  clock: MONITOR_CLOCK,
  /** Of the last changes. Follows the wall clock, so that shards that survive a lost state are older than a new one. */
  sequence: count,
  pending: pendingChanges.nullable(),
  /** Numbers of the shards that exist, ascending. */
  shards: listOf(count),
});

/** The part of the main state about monitors; their records are in separate shards. */
export type MonitorsState = Stored<typeof MONITORS_STATE>;

export const NO_MONITORS: MonitorsState = {
  clock: EMPTY_CLOCK,
  sequence: 0,
  pending: null,
  shards: [],
};

/** Unhealthy checks of one monitor on one UTC day. */
export interface MonitorDay {
  readonly day: number;
  readonly failed: number;
  /** Includes refused ones: neither is a decided check. */
  readonly skipped: number;
}

/** The result of the last check that was not skipped. `unknown`: there is none. */
export type MonitorCondition = "healthy" | "failing" | "refused" | "unknown";

/** The stored record of one monitor: exceptions only. Every other run of the clock since `firstRun` found it healthy. */
export interface MonitorRecord {
  /** Number of the first run that included it. */
  readonly firstRun: number;
  /** Days with an exception, ascending, at most 90. */
  readonly days: readonly MonitorDay[];
  /**
   * The last 288 runs, which cover the last 24 hours, one character each: `f` failing, `s` skipped or refused, `.` healthy.
   * Begins and ends with an exception; empty if there is none.
   */
  readonly marks: string;
  /** Number of the run of the last mark; 0 if there is none. */
  readonly marksEnd: number;
  readonly state: MonitorCondition;
  /** Time of the run in which `state` began. */
  readonly sinceMs: number;
  /** Of the last failure or refusal, even after it is over. Absent: there was none. */
  readonly code?: FailureCode;
  /** The last failures that are over, oldest first, at most ten; absent: none. One that lasts is in `state`. */
  readonly failures?: readonly MonitorFailure[];
  /** Of the last healthy check; absent if it had none, or the monitor is not healthy. */
  readonly warning?: MonitorWarning;
  /** Absent: none was recorded in the last 24 hours; only those of public monitors are. */
  readonly response?: MonitorResponse;
}

/** A failure of a monitor that is over. */
export interface MonitorFailure {
  readonly sinceMs: number;
  /** The first check that passed, or was refused. */
  readonly endedAtMs: number;
  /** Of its last check. */
  readonly code: FailureCode;
}

/** Response times of one monitor, one per hour. */
export interface MonitorResponse {
  /** Hour of the last one, counted from the Unix epoch. */
  readonly hour: number;
  /** One character per hour, at most 24: a level of `response-level.ts`, or `.` for none. Begins and ends with a level. */
  readonly levels: string;
}

/** The records of the monitors whose ids belong to one shard; empty after the last one has left. */
export interface UptimeShard {
  /** `PendingChanges.sequence` of the last changes that were applied. */
  readonly sequence: number;
  readonly records: ReadonlyMap<string, MonitorRecord>;
}
