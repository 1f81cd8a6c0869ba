import * as z from "zod";
import { OWNERS_STATE } from "../../model/monitor/owned-monitor.ts";
import { MONITORS_STATE } from "../../model/monitor/uptime.ts";
import {
  ANY_VERSION,
  type Publication,
  PUBLISHED_OBJECT,
  type PublishedObject,
} from "../../model/publication.ts";
import { INCIDENTS, VERDICT_LOG } from "../../model/service/verdict-change.ts";
import { SITE_SETTINGS } from "../../model/site-settings.ts";
import type { State } from "../../model/state.ts";
import { STORED_ARCHIVE } from "../../model/service/archive.ts";
import { ACCURACY } from "../../model/service/accuracy.ts";
import { RUN_EVIDENCE, SERVICE_EVIDENCE } from "../../model/service/evidence.ts";
import { RUN_HISTORY } from "./history.ts";
import { mapOf, sortPairs } from "../../model/stored-maps.ts";
import { codecOf, count, instant, listOf } from "../../model/stored-parts.ts";
import { STORED_REPORTS } from "./reports.ts";
import { type StoredKind, storedByField } from "./stored.ts";
import { VANTAGES } from "./vantages.ts";

/** Id, signature, whether any version is known, whether published, until when suspect. */
const group = z
  .tuple([z.string(), z.string().nullable(), z.boolean(), z.boolean(), instant])
  .readonly();

/** Tuples: there may be 100,000 groups, and names of fields would be most of the bytes. */
const groups = codecOf(
  listOf(group),
  (stored): ReadonlyMap<string, PublishedObject> =>
    new Map(
      stored.map(([id, digest, isKnown, isPublished, suspectUntilMs]) => [
        id,
        { digest, etag: isKnown ? ANY_VERSION : null, isPublished, suspectUntilMs },
      ]),
    ),
  (map) =>
    sortPairs(map).map(
      ([id, { digest, etag, isPublished, suspectUntilMs }]) =>
        [id, digest, etag !== null, isPublished, suspectUntilMs] as const,
    ),
);

const PUBLICATION = codecOf(
  z.strictObject({
    generation: count,
    marks: listOf(z.string()),
    store: z.string(),
    objects: mapOf(PUBLISHED_OBJECT),
    auditedAtMs: instant,
    badges: groups,
  }),
  ({ badges, ...others }): Publication => ({ ...others, groups: badges }),
  ({ groups: badges, ...others }) => ({ ...others, badges }),
);

export const { encode: encodeState, decode: decodeState }: StoredKind<State> = storedByField(
  {
    name: "the state",
    format: "status-snapshot/state",
    foreign: "this is not a state of status-snapshot; name the right place with --state",
    remedy: "restore it from a copy, or move it away to begin with an empty history",
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
