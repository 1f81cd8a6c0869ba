import * as z from "zod";
import { CHECK_CLASSES } from "../model/history.ts";
import { MONITOR_WARNINGS } from "../model/monitor.ts";
import { FAILURES, type FailureCode } from "../model/outcome.ts";
import { COLOR_OF, type VerdictCode } from "../model/verdict.ts";
import { REPORTS_V4 } from "./codec-reports-v4.ts";
import { REPORTS_SCHEMA } from "./codec-reports.ts";
import { STRIP_PATTERN, TRACK_PATTERN } from "./track.ts";

/**
 * The layout of the stored state. Versions are only ever added: an old one is read and migrated for ever.
 * Maps are lists of pairs, so that no key can be mistaken for a property of JavaScript's own.
 */

const instant = z.int().min(0);
/** Any finite number: a lag that a timer measured as a hair below zero must not cost the history. */
const duration = z.number();
const count = z.int().min(0);
const track = z.string().regex(TRACK_PATTERN);
const strip = z.string().regex(STRIP_PATTERN);
const checkClass = z.enum(CHECK_CLASSES);

const failureCodes = Object.keys(FAILURES) as [FailureCode, ...FailureCode[]]; // FAILURES is not empty
const verdictCodes = Object.keys(COLOR_OF) as [VerdictCode, ...VerdictCode[]]; // nor is COLOR_OF
const stage = z.enum(["dns", "tcp", "tls", "http", "body"]);

const timings = z.strictObject({
  dnsMs: z.exactOptional(duration),
  tcpMs: z.exactOptional(duration),
  tlsMs: z.exactOptional(duration),
  firstByteMs: z.exactOptional(duration),
  bodyMs: z.exactOptional(duration),
  totalMs: duration,
});

const trace = z.strictObject({
  url: z.string(),
  redirects: count,
  address: z.exactOptional(z.string()),
  hasRefusedAddresses: z.exactOptional(z.literal(true)),
  httpStatus: z.exactOptional(z.int()),
  bodyBytes: count,
  rawBytes: count,
  certExpiresAtMs: z.exactOptional(z.number()),
  tlsVerified: z.boolean().nullable(),
  isNationalIssuer: z.exactOptional(z.literal(true)),
  timings,
});

/** One probe. */
export const OUTCOME = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("ok"), trace }),
  z.strictObject({ kind: z.literal("denied"), trace }),
  z
    .strictObject({
      kind: z.literal("failed"),
      stage,
      code: z.enum(failureCodes),
      fingerprint: z.exactOptional(z.string()),
      trace,
    })
    .refine(
      (failed) => FAILURES[failed.code] === failed.stage,
      "the stage is not that of the code",
    ),
  z.strictObject({
    kind: z.literal("skipped"),
    reason: z.enum(["deadline", "unconfirmed", "ipv6-unavailable", "runner-exhausted", "aborted"]),
  }),
]);

const endpointResult = z.strictObject({
  outcome: OUTCOME,
  isFlaky: z.boolean(),
  attempts: z.array(OUTCOME).readonly(),
});

const serviceEvidence = z.strictObject({
  runAtMs: instant,
  endpoints: z.array(z.strictObject({ url: z.string(), result: endpointResult })).readonly(),
});

const runEvidence = z.strictObject({
  startedAtMs: instant,
  durationMs: duration,
  validity: z.enum(["valid", "offline"]),
  isForeignPathDown: z.boolean(),
  isCongested: z.boolean(),
  eventLoopLagMs: duration,
  anchors: z
    .array(
      z.strictObject({
        url: z.string(),
        scope: z.enum(["domestic", "foreign"]),
        before: OUTCOME,
        after: z.exactOptional(OUTCOME),
      }),
    )
    .readonly(),
});

/** Runs of each day by class. */
const days = z
  .array(
    z.strictObject({
      day: count,
      counts: z.array(count).length(CHECK_CLASSES.length).readonly(),
    }),
  )
  .readonly();

const serviceV1 = z.strictObject({
  checkClass,
  sinceMs: instant,
  isSinceExact: z.boolean(),
  downSinceMs: instant.nullable(),
  isBlocked: z.boolean(),
  checkedAtMs: instant,
});

const service = serviceV1.extend({
  lastEpisode: z
    .strictObject({
      checkClass,
      sinceMs: instant,
      isSinceExact: z.boolean(),
      downSinceMs: instant,
      endedAtMs: instant,
    })
    .nullable(),
  strip,
  days,
});

/** Runs by the time since the one before; the first by its distance from the epoch. */
export const RUNS_V1 = z.strictObject({
  stepsMs: z.array(z.int().min(0)).readonly(),
  /** Places in `stepsMs`. */
  congested: z.array(count).readonly(),
});

const pairsOf = <T extends z.ZodType>(value: T) =>
  z.array(z.tuple([z.string(), value]).readonly()).readonly();

const seen = { evidence: pairsOf(serviceEvidence), lastRun: runEvidence.nullable() };
const rest = { ...seen, ownedKeys: z.array(z.string()).readonly() };

const publishedObject = z.strictObject({
  digest: z.string().nullable(),
  etag: z.string().nullable(),
  isPublished: z.boolean(),
  suspectUntilMs: instant,
});

const publication = z.strictObject({
  generation: count,
  marks: z.array(z.string()).readonly(),
  store: z.string(),
  objects: pairsOf(publishedObject),
  auditedAtMs: instant,
});

/** Runs that counted for monitors, and what the shards may not hold yet. */
const monitors = z.strictObject({
  clock: z.strictObject({
    runs: count,
    lastSlot: z.int().min(-1),
    days: z.array(z.tuple([count, count]).readonly()).readonly(),
    recentSlots: z.array(count).readonly(),
  }),
  sequence: count,
  pending: z
    .strictObject({
      sequence: count,
      run: count,
      slot: z.int().min(-1),
      atMs: instant,
      changes: z
        .array(
          z.union([
            z.tuple([z.string(), z.enum(["healthy", "skipped", "gone"])]).readonly(),
            /** A response time that is to be remembered, milliseconds. */
            z.tuple([z.string(), z.literal("healthy"), duration.min(0)]).readonly(),
            /** The same, or null, and what its owner should know. */
            z
              .tuple([
                z.string(),
                z.literal("healthy"),
                duration.min(0).nullable(),
                z.enum(MONITOR_WARNINGS),
              ])
              .readonly(),
            z.tuple([z.string(), z.enum(["failing", "refused"]), z.enum(failureCodes)]).readonly(),
          ]),
        )
        .readonly(),
    })
    .nullable(),
  shards: z.array(count).readonly(),
});

/** A group of objects: id, signature, whether any version is known, whether published, until when suspect. */
const group = z
  .tuple([z.string(), z.string().nullable(), z.boolean(), z.boolean(), instant])
  .readonly();

const FORMAT = "status-snapshot/state";

/** Enough of any version to tell which one it is. */
export const ENVELOPE = z.looseObject({ format: z.literal(FORMAT), version: z.int().min(1) });

/** Version 1: no strip, no day counts, no remembered episode. */
export const STATE_V1 = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(1),
  history: z.strictObject({
    updatedAtMs: instant.nullable(),
    runs: RUNS_V1,
    endpoints: pairsOf(track),
    services: pairsOf(serviceV1),
  }),
  ...rest,
});

const history = z.strictObject({
  updatedAtMs: instant.nullable(),
  runs: RUNS_V1,
  endpoints: pairsOf(track),
  services: pairsOf(service),
});

/** Version 2: owned keys, but no generations. */
export const STATE_V2 = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(2),
  history,
  ...rest,
});

/** Version 3: generations, but no monitors. */
export const STATE_V3 = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(3),
  history,
  ...seen,
  publication,
});

/** Version 4: no verdict changes, no address of the website, and reports in another layout. */
export const STATE_V4 = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(4),
  history,
  ...seen,
  /** `badges`: all groups, of which there were no others once. */
  publication: publication.extend({ badges: z.array(group).readonly() }),
  monitors,
  reports: REPORTS_V4,
});

const verdict = z.enum(verdictCodes);

/** Version 5: one mark for each run, no held failures, and outages whose class had a beginning of its own. */
export const STATE_V5 = z.strictObject({
  ...STATE_V4.shape,
  version: z.literal(5),
  reports: REPORTS_SCHEMA,
  verdicts: z.strictObject({
    codes: pairsOf(verdict),
    /** Slug, time, verdict before, verdict since. */
    changes: z.array(z.tuple([z.string(), instant, verdict, verdict]).readonly()).readonly(),
  }),
  baseUrl: z.string().nullable(),
});

/** Parts that later versions keep, in codec-schema-v6.ts. */
export const PARTS = { instant, count, track, strip, checkClass, days, pairsOf };

export type StateV1 = z.infer<typeof STATE_V1>;
export type StateV2 = z.infer<typeof STATE_V2>;
export type StateV3 = z.infer<typeof STATE_V3>;
export type StateV4 = z.infer<typeof STATE_V4>;
export type StateV5 = z.infer<typeof STATE_V5>;
