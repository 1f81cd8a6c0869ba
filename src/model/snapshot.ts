import type { ReportCounts } from "./reports.ts";
import type { Verdict } from "./verdict.ts";

/** One service as it is published. */
export interface ServiceSnapshot {
  readonly slug: string;
  readonly name: string;
  readonly verdict: Verdict;
  readonly reports: ReportCounts;
}

/** The value from which every public document is built. */
export interface Snapshot {
  /** Time of the last run of checks. */
  readonly updatedAtMs: number;
  /** In catalogue order. */
  readonly services: readonly ServiceSnapshot[];
}

/** One published object. */
export interface Document {
  /** As in the URL, without a leading slash: `api/v1/status`. */
  readonly key: string;
  readonly contentType: string;
  readonly cacheControl: string;
  readonly body: Uint8Array;
}

/** The documents of the website in steps: those of a step need those of the steps before. */
export type Site = readonly (readonly Document[])[];
