import type { CheckVerdict } from "../model/monitor.ts";
import type { SkipReason } from "../model/outcome.ts";
import type { ProbeConfig } from "../probe/config.ts";
import type { HostGroup } from "./plan.ts";

/** How many things one worker does at once, and how. */
export interface Pace {
  /** First checks under way at once. */
  readonly lanes: number;
  /** Confirming checks under way at once. */
  readonly confirmations: number;
  /** Offsets of the confirming checks from the end of the first, milliseconds, ascending; none: the first decides. */
  readonly confirmDelaysMs: readonly number[];
}

/** What a worker is born with. */
export interface WorkerSetup {
  readonly config: ProbeConfig;
  readonly pace: Pace;
}

export type ToWorker =
  | { readonly kind: "work"; readonly groups: readonly HostGroup[] }
  /** Everything under way ends as skipped. */
  | { readonly kind: "stop"; readonly reason: SkipReason };

/** Sent many verdicts at a time, and once at the start, when there are none yet. */
export interface FromWorker {
  readonly verdicts: readonly (readonly [id: string, verdict: CheckVerdict])[];
  /** Targets not begun yet: it wants more when these are few. */
  readonly backlog: number;
  /** After a stop: nothing more will come. */
  readonly isLast: boolean;
}
