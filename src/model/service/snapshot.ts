import type { ReportCounts } from "./reports.ts";
import type { Verdict } from "../../contract/codes/verdict.ts";

/** The published data of one service. */
export interface ServiceSnapshot {
  readonly slug: string;
  readonly name: string;
  readonly verdict: Verdict;
  readonly reports: ReportCounts;
}

/** The source of all public documents. */
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

/** The documents of the website in the order of writing: those of a step need those of the steps before. */
export type Site = readonly (readonly Document[])[];
