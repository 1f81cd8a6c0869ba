import * as z from "zod";
import type { State } from "../../model/state.ts";
import { ACCURACY } from "./accuracy.ts";
import { RUN_EVIDENCE, SERVICE_EVIDENCE } from "./evidence.ts";
import { RUN_HISTORY } from "./history.ts";
import { MONITORS } from "./monitors.ts";
import { codecOf, count, instant, mapOf, sortPairs } from "./parts.ts";
import { REPORTS } from "./reports.ts";
import { storedAs } from "./stored.ts";
import { VANTAGES } from "./vantages.ts";
import { INCIDENTS, VERDICTS } from "./verdicts.ts";
import { ANY_VERSION, type Publication, type PublishedObject } from "../../model/publication.ts";
import { FOLDED_IDS } from "./folded-ids.ts";
import { OWNED_MONITOR } from "./owned-monitor.ts";

const change = { seq: z.int().min(1), id: z.string(), atMs: instant };

const changes = z
  .strictObject({
    next: z.int().min(1),
    recent: z
      .array(
        z.discriminatedUnion("kind", [
          z.strictObject({
            ...change,
            kind: z.literal("condition"),
            before: z.enum(["healthy", "failing", "refused", "unknown"]),
            sinceMs: instant,
            after: z.enum(["healthy", "failing"]),
            code: z.exactOptional(z.string()),
          }),
          z.strictObject({ ...change, kind: z.literal("added"), channelId: z.string() }),
        ]),
      )
      .readonly(),
  })
  .refine(
    ({ next, recent }) => recent.every(({ seq }, at) => seq === next - recent.length + at),
    "the changes are not numbered without gaps",
  );

/** What the main state has about owned monitors. */
const OWNERS = z.strictObject({
  sequence: count,
  pending: z.strictObject({ sequence: count, changes: mapOf(OWNED_MONITOR.nullable()) }).nullable(),
  shards: z.array(count).readonly(),
  folded: FOLDED_IDS,
  blockedHosts: z.array(z.string()).readonly(),
  changes,
});

/** Id, signature, whether any version is known, whether published, until when suspect. */
const group = z
  .tuple([z.string(), z.string().nullable(), z.boolean(), z.boolean(), instant])
  .readonly();

/** Tuples: there may be 100,000 groups, and names of fields would be most of the bytes. */
const groups = codecOf(
  z.array(group).readonly(),
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

const publishedObject = z.strictObject({
  digest: z.string().nullable(),
  etag: z.string().nullable(),
  isPublished: z.boolean(),
  suspectUntilMs: instant,
});

/** What is known of the public store. */
const PUBLICATION = codecOf(
  z.strictObject({
    generation: count,
    marks: z.array(z.string()).readonly(),
    store: z.string(),
    objects: mapOf(publishedObject),
    auditedAtMs: instant,
    badges: groups,
  }),
  ({ badges, ...others }): Publication => ({ ...others, groups: badges }),
  ({ groups: badges, ...others }) => ({ ...others, badges }),
);

const text = z.exactOptional(z.string());
const channelLinks = { telegram: text, max: text };

const siteSettings = z.strictObject({
  reportUrl: z.string().nullable(),
  isSelfService: z.boolean(),
  people: z.strictObject({
    operator: text,
    contact: text,
    source: text,
    wrongVerdict: text,
    addSite: text,
    follow: z.exactOptional(
      z.strictObject({
        ...channelLinks,
        categories: z.exactOptional(z.record(z.string(), z.strictObject(channelLinks))),
      }),
    ),
  }),
  pushKey: z.string().nullable(),
});

const archivePart = z.strictObject({
  date: z.string().regex(/^\d{4}-\d\d(?:-\d\d)?$/u),
  method: z.string(),
  files: z
    .array(
      z.strictObject({
        name: z.string(),
        bytes: count,
        sha256: z.string().regex(/^[0-9a-f]{64}$/u),
        rows: count,
      }),
    )
    .readonly(),
});

/** What was archived. */
export const ARCHIVE = z.strictObject({
  days: z.array(archivePart).readonly(),
  months: z.array(archivePart).readonly(),
  sealedDay: count,
});

const STATE = z.strictObject({
  history: RUN_HISTORY,
  lastRun: RUN_EVIDENCE.nullable(),
  siteSettings,
  vantages: VANTAGES,
  owners: OWNERS,
  archive: ARCHIVE,
  accuracy: ACCURACY,
  evidence: mapOf(SERVICE_EVIDENCE),
  publication: PUBLICATION,
  monitors: MONITORS,
  reports: REPORTS,
  verdicts: VERDICTS,
  baseUrl: z.string().nullable(),
  incidents: INCIDENTS,
});

export const { encode: encodeState, decode: decodeState } = storedAs<State>(
  {
    name: "the state",
    format: "status-snapshot/state",
    foreign: "this is not a state of status-snapshot; name the right place with --state",
    remedy: "restore it from a copy, or move it away to begin with an empty history",
  },
  STATE,
);
