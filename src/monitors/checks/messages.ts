import type { CheckResult } from "../../model/monitor/monitor.ts";
import type { SkipReason } from "../../model/probe-outcome.ts";
import type { ProbeConfig } from "../../probe/probe-config.ts";
import type { HostGroup } from "./check-target.ts";

export interface ConcurrencyLimits {
  /** Concurrent first checks. */
  readonly lanes: number;
  /** Concurrent confirming checks. */
  readonly confirmations: number;
  /** Offsets of the confirming checks from the end of the first, milliseconds, ascending; none: the first decides. */
  readonly confirmDelaysMs: readonly number[];
}

/** `workerData` of a worker. */
export interface WorkerSetup {
  readonly config: ProbeConfig;
  readonly pace: ConcurrencyLimits;
}

/** One confirming check may run for this many first checks. */
const CONFIRMING_SHARE = 4;

/** The share of each thread of the checks that may run at once. */
export function paceOf(
  concurrency: number,
  threads: number,
  confirmDelaysMs: readonly number[],
): ConcurrencyLimits {
  const each = Math.max(2, Math.floor(concurrency / threads));
  const confirmations = Math.max(1, Math.floor(each / CONFIRMING_SHARE));
  return { lanes: each - confirmations, confirmations, confirmDelaysMs };
}

export type ToWorker =
  | { readonly kind: "work"; readonly groups: readonly HostGroup[] }
  /** Everything active ends as skipped. */
  | { readonly kind: "stop"; readonly reason: SkipReason };

/** Sent for many results at a time, and once at the start, without results. */
export interface FromWorker {
  readonly verdicts: readonly (readonly [id: string, verdict: CheckResult])[];
  /** Targets that have not begun: if these are few, the worker needs more. */
  readonly backlog: number;
  /** After a stop: nothing more will come. */
  readonly isLast: boolean;
}
