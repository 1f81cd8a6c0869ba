import type { VerdictCode } from "./verdict.ts";

/** A service's verdict became another one. */
export interface VerdictChange {
  readonly slug: string;
  readonly atMs: number;
  readonly before: VerdictCode;
  readonly code: VerdictCode;
}

/** What is remembered of verdicts, for the feeds. "No recent data" is no verdict in this sense: the runner's pause is no news of a service. */
export interface VerdictLog {
  /** The last verdict of each service, by slug. */
  readonly codes: ReadonlyMap<string, VerdictCode>;
  /** The oldest first. */
  readonly changes: readonly VerdictChange[];
}

export const NO_VERDICTS: VerdictLog = { codes: new Map(), changes: [] };
