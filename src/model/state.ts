import { NO_ARCHIVE } from "./service/archive.ts";
import { NO_ACCURACY } from "./service/accuracy.ts";
import { NO_INCIDENTS, NO_VERDICTS } from "./service/verdict-change.ts";
import type { RunEvidence, ServiceEvidence } from "./service/evidence.ts";
import { NO_OWNERS } from "./monitor/owned-monitor.ts";
import { NOTHING_PUBLISHED } from "./publication.ts";
import { NO_MONITORS } from "./monitor/uptime.ts";
import { NOTHING_REPORTED } from "./service/reports.ts";
import { DEFAULT_SITE_SETTINGS } from "./site-settings.ts";
import { NO_VANTAGES } from "./service/vantage.ts";
import { EMPTY_HISTORY } from "./service/history.ts";

/** The state of an installation without a run, and so the fields of every state. */
export const EMPTY_STATE = {
  history: EMPTY_HISTORY,
  /** By slug: of the last run that checked the service. */
  evidence: new Map() as ReadonlyMap<string, ServiceEvidence>,
  /** The last attempt of a run; null before the first. */
  lastRun: null as RunEvidence | null,
  publication: NOTHING_PUBLISHED,
  monitors: NO_MONITORS,
  reports: NOTHING_REPORTED,
  /** The content of the feeds. */
  verdicts: NO_VERDICTS,
  incidents: NO_INCIDENTS,
  /** URL of the website, as last configured; null: never configured. */
  baseUrl: null as string | null,
  siteSettings: DEFAULT_SITE_SETTINGS,
  vantages: NO_VANTAGES,
  owners: NO_OWNERS,
  archive: NO_ARCHIVE,
  accuracy: NO_ACCURACY,
};

/**
 * The private state: one object, so that a crash cannot leave it inconsistent. Only the records of monitors are stored separately,
 * and `monitors` records which of their changes are pending.
 */
export type State = Readonly<typeof EMPTY_STATE>;
