import * as z from "zod";
import { CHECK_CLASSES } from "../../model/service/history.ts";
import { MONITOR_WARNINGS } from "../../model/monitor/monitor.ts";
import { FAILURES, type FailureCode, ODDITY_CODES } from "../../model/probe-outcome.ts";
import { REPORTS_SCHEMA } from "./reports.ts";
import { OLD_VERDICTS_SCHEMA } from "./verdicts.ts";
import { STRIP_PATTERN, SAMPLES_PATTERN } from "../../services/history/sample-codes.ts";

/**
 * The parts of the stored state that versions 5 and 6 have in common. Maps are lists of pairs, so that no key can be mistaken for a
 * property of JavaScript's own.
 */

const instant = z.int().min(0);
/** Any finite number: a lag that a timer measured slightly below zero must not make the state unreadable. */
const duration = z.number();
const count = z.int().min(0);
const track = z.string().regex(SAMPLES_PATTERN);
const strip = z.string().regex(STRIP_PATTERN);
const checkClass = z.enum(CHECK_CLASSES);

const failureCodes = Object.keys(FAILURES) as [FailureCode, ...FailureCode[]]; // FAILURES is not empty
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
  wall: z.exactOptional(z.string().max(40)),
  oddities: z.exactOptional(z.array(z.enum(ODDITY_CODES)).readonly()),
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

const experimentStep = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("neutral-name"),
    answer: z.enum(["answered", "cut", "unreachable", "unclear"]),
  }),
  z.strictObject({
    kind: z.literal("seen-address"),
    address: z.string(),
    answer: z.enum(["answered", "cut", "unreachable", "unclear"]),
  }),
  z.strictObject({ kind: z.literal("neighbour"), address: z.string(), isConnected: z.boolean() }),
]);

const endpointResult = z.strictObject({
  outvotedBy: z.exactOptional(z.enum(["healthy", "failing"])),
  mayBeRefused: z.exactOptional(z.literal(true)),
  outcome: OUTCOME,
  isFlaky: z.boolean(),
  attempts: z.array(OUTCOME).readonly(),
  experiment: z.exactOptional(z.array(experimentStep).readonly()),
});

const serviceEvidence = z.strictObject({
  runAtMs: instant,
  endpoints: z.array(z.strictObject({ url: z.string(), result: endpointResult })).readonly(),
});

/** The number of runs of each day by check class. */
const days = z
  .array(
    z.strictObject({
      day: count,
      counts: z.array(count).length(CHECK_CLASSES.length).readonly(),
    }),
  )
  .readonly();

/** Each run by the time since the previous one, the first by the time since the epoch. */
const runs = z.strictObject({
  stepsMs: z.array(z.int().min(0)).readonly(),
  /** Places in `stepsMs`. */
  congested: z.array(count).readonly(),
});

const pairsOf = <T extends z.ZodType>(value: T) =>
  z.array(z.tuple([z.string(), value]).readonly()).readonly();

const publishedObject = z.strictObject({
  digest: z.string().nullable(),
  etag: z.string().nullable(),
  isPublished: z.boolean(),
  suspectUntilMs: instant,
});

/** A group of objects: id, signature, whether any version is known, whether published, until when suspect. */
const group = z
  .tuple([z.string(), z.string().nullable(), z.boolean(), z.boolean(), instant])
  .readonly();

const publication = z.strictObject({
  generation: count,
  marks: z.array(z.string()).readonly(),
  store: z.string(),
  objects: pairsOf(publishedObject),
  auditedAtMs: instant,
  /** All groups: badges were once the only ones. */
  badges: z.array(group).readonly(),
});

/** Runs that counted for monitors, and changes that the shards may not have yet. */
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
            /** With a response time to be stored, milliseconds. */
            z.tuple([z.string(), z.literal("healthy"), duration.min(0)]).readonly(),
            /** The same, or null, and a warning for the owner. */
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

export const FORMAT = z.literal("status-snapshot/state");

/** What every version has. */
export const ENVELOPE = z.looseObject({ format: FORMAT, version: z.int().min(1) });

/** The fields that versions 5 and 6 have in common. */
export const COMMON = {
  evidence: pairsOf(serviceEvidence),
  publication,
  monitors,
  reports: REPORTS_SCHEMA,
  verdicts: OLD_VERDICTS_SCHEMA,
  baseUrl: z.string().nullable(),
};

/** Parts from which the versions build their own fields. */
export const PARTS = {
  instant,
  duration,
  count,
  track,
  strip,
  checkClass,
  failureCode: z.enum(failureCodes),
  days,
  runs,
  pairsOf,
};

export type MonitorsWire = z.infer<typeof monitors>;
export type PublicationWire = z.infer<typeof publication>;
