import { NO_VERDICTS, type VerdictLog } from "./change.ts";
import type { RunEvidence, ServiceEvidence } from "./evidence.ts";
import { NOTHING_PUBLISHED, type Publication } from "./publication.ts";
import { NO_MONITORS, type MonitorsState } from "./uptime.ts";
import { NOTHING_REPORTED, type ReportsState } from "./reports.ts";
import { EMPTY_HISTORY, type History } from "./history.ts";

/**
 * The private state: one object, so that no crash can leave its parts at odds. Only the records of monitors lie beside it, and
 * `monitors` says how far they are.
 */
export interface State {
  readonly history: History;
  /** By slug: the evidence of the last run that looked at the service. */
  readonly evidence: ReadonlyMap<string, ServiceEvidence>;
  /** The last attempt of a run; null before the first. */
  readonly lastRun: RunEvidence | null;
  readonly publication: Publication;
  readonly monitors: MonitorsState;
  readonly reports: ReportsState;
  /** What the feeds tell. */
  readonly verdicts: VerdictLog;
  /** Where the website is served, as whoever publishes was told last; null: nobody has said. */
  readonly baseUrl: string | null;
}

export const EMPTY_STATE: State = {
  history: EMPTY_HISTORY,
  evidence: new Map(),
  lastRun: null,
  publication: NOTHING_PUBLISHED,
  monitors: NO_MONITORS,
  reports: NOTHING_REPORTED,
  verdicts: NO_VERDICTS,
  baseUrl: null,
};
