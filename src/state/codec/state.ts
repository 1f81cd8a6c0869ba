import * as z from "zod";
import { OWNERS_STATE } from "../../model/monitor/owned-monitor.ts";
import { MONITORS_STATE } from "../../model/monitor/uptime.ts";
import { PUBLICATION } from "../../model/publication.ts";
import { INCIDENTS, VERDICT_LOG } from "../../model/service/verdict-change.ts";
import { SITE_SETTINGS } from "../../model/site-settings.ts";
import type { State } from "../../model/state.ts";
import { STORED_ARCHIVE } from "../../model/service/archive.ts";
import { ACCURACY } from "../../model/service/accuracy.ts";
import { RUN_EVIDENCE, SERVICE_EVIDENCE } from "../../model/service/evidence.ts";
import { RUN_HISTORY } from "./history.ts";
import { mapOf } from "../../model/stored-maps.ts";
import { STORED_REPORTS } from "./reports.ts";
import { type StoredKind, storedByField } from "./stored.ts";
import { VANTAGES } from "./vantages.ts";

export const { encode: encodeState, decode: decodeState }: StoredKind<State> = storedByField(
  {
    name: "the state",
    format: "status-snapshot/state",
    remedy: "restore it from a copy, or move it away to begin with an empty history",
    remedyIfForeign: "name the right place with --state",
  },
  {
    history: RUN_HISTORY,
    lastRun: RUN_EVIDENCE.nullable(),
    siteSettings: SITE_SETTINGS,
    vantages: VANTAGES,
    owners: OWNERS_STATE,
    archive: STORED_ARCHIVE,
    accuracy: ACCURACY,
    evidence: mapOf(SERVICE_EVIDENCE),
    publication: PUBLICATION,
    monitors: MONITORS_STATE,
    reports: STORED_REPORTS,
    verdicts: VERDICT_LOG,
    baseUrl: z.string().nullable(),
    incidents: INCIDENTS,
  },
);
