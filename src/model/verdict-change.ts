import type { VerdictCode } from "./verdict.ts";

export interface VerdictChange {
  readonly slug: string;
  readonly atMs: number;
  readonly before: VerdictCode;
  readonly code: VerdictCode;
}

/** The verdicts for the feeds. `none` is not recorded: a pause of the runner does not belong in the feeds. */
export interface VerdictLog {
  /** The last verdict, by slug. */
  readonly codes: ReadonlyMap<string, VerdictCode>;
  /** The oldest first. */
  readonly changes: readonly VerdictChange[];
}

export const NO_VERDICTS: VerdictLog = { codes: new Map(), changes: [] };
