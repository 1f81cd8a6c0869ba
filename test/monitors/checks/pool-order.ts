import type { WorkerPoolOptions } from "../../../src/monitors/checks/worker-pool.ts";
import type { CheckTarget } from "../../../src/monitors/checks/check-target.ts";
import type { CheckResult } from "../../../src/model/monitor/monitor.ts";
import type { ProbeConfig } from "../../../src/probe/probe-config.ts";

export type PlainOptions = Pick<
  WorkerPoolOptions,
  "concurrency" | "threads" | "confirmDelaysMs"
> & {
  /** Time for all checks, from the call. */
  readonly deadlineMs: number;
};

export interface PoolOrder {
  readonly targets: readonly CheckTarget[];
  readonly config: ProbeConfig;
  readonly options: PlainOptions;
  readonly workerUrl: string;
  /** Stopped when that many targets have their result. */
  readonly abortAfterDone?: number;
}

export interface PoolReply {
  readonly verdicts: readonly (readonly [id: string, verdict: CheckResult])[];
  readonly warnings: readonly string[];
  readonly progress: readonly number[];
  readonly tookMs: number;
  /** Largest growth of the process, all threads together. */
  readonly grownMb: number;
  /** Lag of the main thread, 99th percentile. */
  readonly lagMs: number;
  /** What the process still held at the end. */
  readonly handles: readonly string[];
}
