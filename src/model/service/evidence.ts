import * as z from "zod";
import { CONNECTIVITY } from "./connectivity.ts";
import { DECIDERS, EXPERIMENT_STEP } from "./interference.ts";
import { FAILURES } from "../failures.ts";
import { ODDITY_CODES } from "../probe-outcome.ts";
import { count, failureCode, instant, listOf, type Stored } from "../stored-parts.ts";

/** Any finite number: a lag that a timer measured slightly below zero must not make the state unreadable. */
const duration = z.number();

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
  oddities: z.exactOptional(listOf(z.enum(ODDITY_CODES))),
  httpStatus: z.exactOptional(z.int()),
  bodyBytes: count,
  rawBytes: count,
  certExpiresAtMs: z.exactOptional(z.number()),
  certKey: z.exactOptional(z.string()),
  tlsVerified: z.boolean().nullable(),
  isNationalIssuer: z.exactOptional(z.literal(true)),
  timings,
});

const stage = z.enum(["dns", "tcp", "tls", "http", "body"]);

export const OUTCOME = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("ok"), trace }),
  z.strictObject({ kind: z.literal("denied"), trace }),
  z
    .strictObject({
      kind: z.literal("failed"),
      stage,
      code: failureCode,
      fingerprint: z.exactOptional(z.string()),
      trace,
    })
    .refine(
      (failed) => FAILURES[failed.code].stage === failed.stage,
      "the stage is not that of the code",
    ),
  z.strictObject({
    kind: z.literal("skipped"),
    reason: z.enum(["deadline", "unconfirmed", "ipv6-unavailable", "runner-exhausted", "aborted"]),
  }),
]);

const endpointResult = z.strictObject({
  outvotedBy: z.exactOptional(z.enum(["healthy", "failing"])),
  decidedBy: z.exactOptional(z.enum(DECIDERS)),
  mayBeRefused: z.exactOptional(z.literal(true)),
  outcome: OUTCOME,
  isFlaky: z.boolean(),
  attempts: listOf(OUTCOME),
  experiment: z.exactOptional(listOf(EXPERIMENT_STEP)),
  browser: z.exactOptional(
    z.strictObject({ isOpen: z.boolean(), stage: z.exactOptional(stage), atMs: instant }),
  ),
});

/** The results of the last run for one service. */
export const SERVICE_EVIDENCE = z.strictObject({
  runAtMs: instant,
  endpoints: listOf(z.strictObject({ url: z.string(), result: endpointResult })),
});

export type ServiceEvidence = Stored<typeof SERVICE_EVIDENCE>;

/** When in a run the anchors were probed; `monitors` is after the checks of monitors. */
const ANCHOR_PHASES = ["start", "middle", "end", "monitors"] as const;
export type AnchorPhase = (typeof ANCHOR_PHASES)[number];

const anchor = z.strictObject({
  url: z.string(),
  scope: z.enum(["domestic", "foreign"]),
  network: z.string(),
  /** In order; an aborted run has fewer. */
  rounds: listOf(z.strictObject({ phase: z.enum(ANCHOR_PHASES), tries: listOf(OUTCOME) })),
});

export type AnchorEvidence = Stored<typeof anchor>;

/** The state of the runner in the last attempt of a run, valid or not. */
export const RUN_EVIDENCE = z.strictObject({
  startedAtMs: instant,
  durationMs: duration,
  validity: z.enum(["valid", "offline"]),
  connectivity: CONNECTIVITY,
  isCongested: z.boolean(),
  eventLoopLagMs: duration,
  anchors: listOf(anchor),
});

export type RunEvidence = Stored<typeof RUN_EVIDENCE>;
