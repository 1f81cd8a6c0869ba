import * as z from "zod";
import { FAILURES, ODDITY_CODES, STAGES } from "./failures.ts";
import { DECIDERS, EXPERIMENT_STEP } from "./service/interference.ts";
import { count, failureCode, instant, listOf, type Stored } from "./stored-parts.ts";

/** Any finite number: a lag that a timer measured slightly below zero must not make the state unreadable. */
export const duration = z.number();

/** Duration of each stage of the last hop, whole milliseconds on a monotonic clock. Absent: not reached. */
const timings = z.strictObject({
  dnsMs: z.exactOptional(duration),
  tcpMs: z.exactOptional(duration),
  tlsMs: z.exactOptional(duration),
  /** From the request being sent to the first byte of the final answer's head. */
  firstByteMs: z.exactOptional(duration),
  /** From the answer's head to the last byte read (end of body, or the 64 KiB limit). */
  bodyMs: z.exactOptional(duration),
  /** The whole probe, redirects included. */
  totalMs: duration,
});

export type Timings = Stored<typeof timings>;

/** What a probe recorded up to where it ended. After redirects it describes the last hop. */
const trace = z.strictObject({
  url: z.string(),
  redirects: count,
  /** Address connected to, or the first one tried if none answered. */
  address: z.exactOptional(z.string()),
  /** DNS gave additional addresses that the guard refuses, for this hop or an earlier one. */
  hasRefusedAddresses: z.exactOptional(z.literal(true)),
  /** Id of the wall that has answered in place of the site, over verified TLS. Something answers; whether it is the site is not known. */
  wall: z.exactOptional(z.string().max(40)),
  /** What browsers forgive, in any hop, without repetitions. Absent: nothing. */
  oddities: z.exactOptional(listOf(z.enum(ODDITY_CODES))),
  httpStatus: z.exactOptional(z.int()),
  /** Bytes of the body as received (identity encoding is requested). */
  bodyBytes: count,
  /** Bytes received on the raw socket, TLS records and handshake included. */
  rawBytes: count,
  /** Of the leaf certificate. */
  certExpiresAtMs: z.exactOptional(z.number()),
  /** Of a leaf that was refused, or asked for: SHA-256 of its public key, base64url. */
  certKey: z.exactOptional(z.string()),
  /** Whether the chain and the host name were verified; `null` for plain HTTP or if TLS was not reached. */
  tlsVerified: z.boolean().nullable(),
  /** No public root verifies the chain, but it names the national authority, whose root the runner was not given. */
  isNationalIssuer: z.exactOptional(z.literal(true)),
  timings,
});

export type Trace = Stored<typeof trace>;

const stage = z.enum(STAGES);

const skipReason = z.enum([
  "deadline",
  "unconfirmed",
  "ipv6-unavailable",
  "runner-exhausted",
  "aborted",
]);

/** Why a probe was not made or has no result: it never counts as down. */
export type SkipReason = z.infer<typeof skipReason>;

export const OUTCOME = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("ok"), trace }),
  /** The service itself refuses this region, over verified TLS and with the marker in the catalogue. */
  z.strictObject({ kind: z.literal("denied"), trace }),
  z
    .strictObject({
      kind: z.literal("failed"),
      stage,
      code: failureCode,
      /** Id of the block-page fingerprint that matched. */
      fingerprint: z.exactOptional(z.string()),
      trace,
    })
    .refine(
      (failed) => FAILURES[failed.code].stage === failed.stage,
      "the stage is not that of the code",
    ),
  z.strictObject({ kind: z.literal("skipped"), reason: skipReason }),
]);

export type Outcome = Stored<typeof OUTCOME>;

export type FailedOutcome = Extract<Outcome, { kind: "failed" }>;

/** What a browser's client got, which need not be of this run. */
const browserView = z.strictObject({
  isOpen: z.boolean(),
  /** Where it ended, if it is not open. */
  stage: z.exactOptional(stage),
  atMs: instant,
});

export type BrowserView = Stored<typeof browserView>;

/** The result of one run for one endpoint, after confirmation. */
export const ENDPOINT_RESULT = z.strictObject({
  /** What most places in Moscow found instead. It counts; the outcome stays what the runner saw. Source: docs/services/scope.md. */
  outvotedBy: z.exactOptional(z.enum(["healthy", "failing"])),
  /** What was believed instead of the probe. Absent: most of the places in Moscow. */
  decidedBy: z.exactOptional(z.enum(DECIDERS)),
  /** Its attempts without an answer may be the owner's refusal of data centres, so they say nothing. Source: docs/services/verdicts.md. */
  mayBeRefused: z.exactOptional(z.literal(true)),
  /** The deciding probe. */
  outcome: OUTCOME,
  /** Healthy, but not at the first attempt. */
  isFlaky: z.boolean(),
  /** Every probe made in this run, the deciding one included, in order. */
  attempts: listOf(OUTCOME),
  /** Further connections after a failure that may be interference, in order. Empty: there was nothing to compare with. */
  experiment: z.exactOptional(listOf(EXPERIMENT_STEP)),
  /** What a client with the ClientHello of a browser got. Absent: it was not asked. Source: docs/probe/browser.md. */
  browser: z.exactOptional(browserView),
});

export type EndpointResult = Stored<typeof ENDPOINT_RESULT>;

/** Statuses with which owners send robots away and ask for a sign-in. They are healthy answers, and prove little. */
export const REFUSING_STATUSES: ReadonlySet<number> = new Set([401, 403, 405, 406, 418, 429, 498]);
