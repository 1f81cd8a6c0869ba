import * as z from "zod";
import { VERDICT_CODES } from "../../contract/codes/verdict.ts";
import { MONITOR_WARNINGS } from "../../model/monitor/monitor.ts";
import { OWNERS_STATE } from "../../model/monitor/owned-monitor.ts";
import { MONITOR_CLOCK, type MonitorChange } from "../../model/monitor/uptime.ts";
import {
  ANY_VERSION,
  type Publication,
  PUBLISHED_OBJECT,
  type PublishedObject,
} from "../../model/publication.ts";
import { INCIDENT, VERDICT_CHANGE, type VerdictLog } from "../../model/service/verdict-change.ts";
import { SITE_SETTINGS } from "../../model/site-settings.ts";
import type { State } from "../../model/state.ts";
import { STORED_ARCHIVE } from "../../model/service/archive.ts";
import { ACCURACY } from "../../model/service/accuracy.ts";
import { RUN_EVIDENCE, SERVICE_EVIDENCE } from "../../model/service/evidence.ts";
import { RUN_HISTORY } from "./history.ts";
import { mapOf, sortPairs } from "../../model/stored-maps.ts";
import { codecOf, count, failureCode, instant, listOf } from "../../model/stored-parts.ts";
import { STORED_REPORTS } from "./reports.ts";
import { type StoredKind, storedByField } from "./stored.ts";
import { VANTAGES } from "./vantages.ts";

const responseMs = z.number().min(0);

const monitorChange = z.union([
  z.tuple([z.string(), z.enum(["healthy", "skipped", "gone"])]).readonly(),
  /** With a response time to be stored, milliseconds. */
  z.tuple([z.string(), z.literal("healthy"), responseMs]).readonly(),
  /** The same, or null, and a warning for the owner. */
  z
    .tuple([z.string(), z.literal("healthy"), responseMs.nullable(), z.enum(MONITOR_WARNINGS)])
    .readonly(),
  z.tuple([z.string(), z.enum(["failing", "refused"]), failureCode]).readonly(),
]);

type StoredChange = z.infer<typeof monitorChange>;

/** Runs that counted for monitors, and changes that the shards may not have yet. */
const MONITORS = z.strictObject({
  clock: MONITOR_CLOCK,
  sequence: count,
  pending: z
    .strictObject({
      sequence: count,
      run: count,
      slot: z.int().min(-1),
      atMs: instant,
      changes: codecOf(
        listOf(monitorChange),
        (stored): ReadonlyMap<string, MonitorChange> => new Map(stored.map(unpackChange)),
        (pending) => [...pending].map(packChange),
      ),
    })
    .nullable(),
  shards: listOf(count),
});

function packChange([id, change]: readonly [string, MonitorChange]): StoredChange {
  if ("code" in change) return [id, change.kind, change.code];
  if (change.kind !== "healthy") return [id, change.kind];
  const { kind, totalMs, warning } = change;
  if (warning !== undefined) return [id, kind, totalMs ?? null, warning];
  return totalMs === undefined ? [id, kind] : [id, kind, totalMs];
}

function unpackChange(stored: StoredChange): [string, MonitorChange] {
  if (stored.length === 2) return [stored[0], { kind: stored[1] }];
  if (stored[1] !== "healthy") return [stored[0], { kind: stored[1], code: stored[2] }];
  const [id, kind, totalMs, warning] = stored;
  const time = totalMs === null ? {} : { totalMs };
  return [id, { kind, ...time, ...(warning === undefined ? {} : { warning }) }];
}

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

const verdict = z.enum(VERDICT_CODES);

/** The log of verdicts. Numbers follow from the place, so that no stored log can have a gap. */
export const STORED_VERDICT_LOG = codecOf(
  z.strictObject({
    codes: mapOf(verdict),
    changes: listOf(VERDICT_CHANGE),
    next: z.int().min(1),
  }),
  ({ changes, ...log }): VerdictLog => {
    const first = log.next - changes.length;
    return { ...log, changes: changes.map((one, place) => ({ seq: first + place, ...one })) };
  },
  (log) => {
    const changes = log.changes.map(({ networks, past, operators, ...change }) => {
      return { ...change, networks, past, operators };
    });
    return { ...log, changes };
  },
  ({ next, changes }) =>
    next > changes.length ? undefined : "there are more changes than numbers",
);

const INCIDENTS = z.strictObject({
  open: listOf(INCIDENT),
  past: listOf(INCIDENT),
  changedAtMs: instant.nullable(),
});

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
    monitors: MONITORS,
    reports: STORED_REPORTS,
    verdicts: STORED_VERDICT_LOG,
    baseUrl: z.string().nullable(),
    incidents: INCIDENTS,
  },
);
