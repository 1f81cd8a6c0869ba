import { type ArchiveState, NO_ARCHIVE } from "./service/archive.ts";
import { type AccuracyLedger, NO_ACCURACY } from "./service/accuracy.ts";
import {
  NO_VERDICTS,
  type VerdictLog,
  type Incidents,
  NO_INCIDENTS,
} from "./service/verdict-change.ts";
import type { RunEvidence, ServiceEvidence } from "./service/evidence.ts";
import { NO_OWNERS, type OwnersState } from "./monitor/owned-monitor.ts";
import { NOTHING_PUBLISHED, type Publication } from "./publication.ts";
import { NO_MONITORS, type MonitorsState } from "./monitor/uptime.ts";
import { NOTHING_REPORTED, type ReportsState } from "./service/reports.ts";
import { DEFAULT_SITE_SETTINGS, type SiteSettings } from "./site-settings.ts";
import { NO_VANTAGES, type VantagesState } from "./service/vantage.ts";
import { EMPTY_HISTORY, type History } from "./service/history.ts";

/**
 * The private state: one object, so that a crash cannot leave it inconsistent. Only the records of monitors are stored separately,
 * and `monitors` records which of their changes are pending.
 */
export interface State {
  readonly history: History;
  /** By slug: of the last run that checked the service. */
  readonly evidence: ReadonlyMap<string, ServiceEvidence>;
  /** The last attempt of a run; null before the first. */
  readonly lastRun: RunEvidence | null;
  readonly publication: Publication;
  readonly monitors: MonitorsState;
  readonly reports: ReportsState;
  /** The content of the feeds. */
  readonly verdicts: VerdictLog;
  readonly incidents: Incidents;
  /** URL of the website, as last configured; null: never configured. */
  readonly baseUrl: string | null;
  readonly siteSettings: SiteSettings;
  readonly vantages: VantagesState;
  readonly owners: OwnersState;
  readonly archive: ArchiveState;
  readonly accuracy: AccuracyLedger;
}

export const EMPTY_STATE: State = {
  history: EMPTY_HISTORY,
  evidence: new Map(),
  lastRun: null,
  publication: NOTHING_PUBLISHED,
  monitors: NO_MONITORS,
  reports: NOTHING_REPORTED,
  verdicts: NO_VERDICTS,
  incidents: NO_INCIDENTS,
  baseUrl: null,
  siteSettings: DEFAULT_SITE_SETTINGS,
  vantages: NO_VANTAGES,
  owners: NO_OWNERS,
  archive: NO_ARCHIVE,
  accuracy: NO_ACCURACY,
};
