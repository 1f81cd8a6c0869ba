import type { VerdictCode } from "../../contract/codes/verdict.ts";

/** A step of an incident: from then on the service had this verdict. */
export interface IncidentStep {
  readonly atMs: number;
  readonly code: VerdictCode;
}

/** The time in which the verdict of a service was `live`. */
export interface Incident {
  readonly slug: string;
  /**
   * At least one, the oldest first. The first is its beginning, and of one that is over the last is its end: `none` if its service left the
   * catalogue.
   */
  readonly steps: readonly IncidentStep[];
}

/** Incidents, for the documents in the format of Statuspage. */
export interface Incidents {
  /** At most one of a service, in the order in which they began. */
  readonly open: readonly Incident[];
  /** The last ones, in the order in which they ended. */
  readonly past: readonly Incident[];
  /** When the verdict or the liveness of any service changed last; null: never since there is this list. */
  readonly changedAtMs: number | null;
}

export const NO_INCIDENTS: Incidents = { open: [], past: [], changedAtMs: null };
