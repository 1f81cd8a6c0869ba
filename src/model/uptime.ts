import type { CheckVerdict, MonitorWarning } from "./monitor.ts";
import type { FailureCode } from "./outcome.ts";

/** Length of a slot of the schedule, in which a run counts at most once. Source: the API, "every 5 minutes". */
export const SLOT_MS = 300_000;

/**
 * The runs that counted, remembered once for all monitors: a healthy monitor so costs nothing per run. Runs are numbered
 * from 1 in the order in which they counted.
 */
export interface MonitorClock {
  /** Number of the last run; 0 before the first. */
  readonly runs: number;
  /** Slot of the last run, `floor(atMs / SLOT_MS)`. A run in this slot or before it counts nothing. -1 before the first. */
  readonly lastSlot: number;
  /** For each UTC day with a run, ascending, 90 days at most: the day, and the number of its first run. */
  readonly days: readonly (readonly [day: number, firstRun: number])[];
  /** Slots of the last runs, ascending, those of the last 24 hours. The last one is that of run number `runs`. */
  readonly recentSlots: readonly number[];
}

export const EMPTY_CLOCK: MonitorClock = { runs: 0, lastSlot: -1, days: [], recentSlots: [] };

/** What becomes of one monitor's record. `gone`: it left the registry. A healthy check with a time is one to remember. Refusals are told as they count. */
export type MonitorChange = CheckVerdict | { readonly kind: "gone" };

/**
 * What the last generation learnt of monitors and may not be in the shards yet: a journal that travels in the state, so
 * that whoever comes next can finish the work of a writer that died. Applying it twice changes nothing.
 */
export interface PendingChanges {
  /** Ascends from each to the next; a shard remembers the last one that it took in. */
  readonly sequence: number;
  /** Number of the run in the clock. */
  readonly run: number;
  readonly slot: number;
  readonly atMs: number;
  /** Only of monitors whose record changes. */
  readonly changes: ReadonlyMap<string, MonitorChange>;
}

/** What the main state holds of monitors; their records are in shards of their own. */
export interface MonitorsState {
  readonly clock: MonitorClock;
  /** Of the last changes. Follows the clock of the wall, so that shards which outlive a state that was lost are older. */
  readonly sequence: number;
  readonly pending: PendingChanges | null;
  /** Numbers of the shards that exist, ascending. */
  readonly shards: readonly number[];
}

export const NO_MONITORS: MonitorsState = {
  clock: EMPTY_CLOCK,
  sequence: 0,
  pending: null,
  shards: [],
};

/** Checks of one monitor on one UTC day that were not healthy. */
export interface MonitorDay {
  readonly day: number;
  readonly failed: number;
  /** Refused ones too: neither is a decided check. */
  readonly skipped: number;
}

/** What the last check that looked said. `unknown`: none has looked yet. */
export type MonitorCondition = "healthy" | "failing" | "refused" | "unknown";

/**
 * What is remembered of one monitor: the exceptions only. Every run of the clock since `firstRun` that is not told of here
 * found it healthy.
 */
export interface MonitorRecord {
  /** Number of the first run that had it. */
  readonly firstRun: number;
  /** Days with an exception, ascending, 90 days at most. */
  readonly days: readonly MonitorDay[];
  /**
   * The last 288 runs, which hold the last 24 hours, one character each: `f` failing, `s` skipped or refused, `.` healthy.
   * Begins and ends with an exception; empty when there is none.
   */
  readonly marks: string;
  /** Number of the run of the last mark; 0 when there is none. */
  readonly marksEnd: number;
  readonly state: MonitorCondition;
  /** Time of the run in which `state` began. */
  readonly sinceMs: number;
  /** Of the last failure or refusal, also after it is over. Absent: there was none. */
  readonly code?: FailureCode;
  /** Of the last healthy check; absent where it had none, or the monitor is not healthy. */
  readonly warning?: MonitorWarning;
  /** Absent: none was remembered in the last 24 hours; only those of public monitors are. */
  readonly response?: MonitorResponse;
}

/** Response times of one monitor, one for an hour. */
export interface MonitorResponse {
  /** Number of the hour of the last one, counted from the Unix epoch. */
  readonly hour: number;
  /** One character for each hour, 24 at most: a level of `response-level.ts`, or `.` for none. Begins and ends with a level. */
  readonly levels: string;
}

/** The records of the monitors whose ids fall into one shard. Empty when the last one has left. */
export interface UptimeShard {
  /** `PendingChanges.sequence` of the last changes that it took in. */
  readonly sequence: number;
  readonly records: ReadonlyMap<string, MonitorRecord>;
}
