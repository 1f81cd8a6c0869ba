import * as z from "zod";
import { CONNECTIVITY_STATES } from "../../model/service/connectivity.ts";
import { ANCHOR_PHASES } from "../../model/service/evidence.ts";
import { FAILURES, ODDITY_CODES } from "../../model/probe-outcome.ts";
import { count, failureCode, instant, listOf } from "./parts.ts";

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
  tlsVerified: z.boolean().nullable(),
  isNationalIssuer: z.exactOptional(z.literal(true)),
  timings,
});

export const OUTCOME = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("ok"), trace }),
  z.strictObject({ kind: z.literal("denied"), trace }),
  z
    .strictObject({
      kind: z.literal("failed"),
      stage: z.enum(["dns", "tcp", "tls", "http", "body"]),
      code: failureCode,
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

const experimentAnswer = z.enum(["answered", "cut", "unreachable", "unclear"]);
const address = z.string();

const experimentStep = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("neutral-name"), answer: experimentAnswer }),
  z.strictObject({ kind: z.literal("seen-address"), address, answer: experimentAnswer }),
  z.strictObject({ kind: z.literal("neighbour"), address, isConnected: z.boolean() }),
]);

const endpointResult = z.strictObject({
  outvotedBy: z.exactOptional(z.enum(["healthy", "failing"])),
  mayBeRefused: z.exactOptional(z.literal(true)),
  outcome: OUTCOME,
  isFlaky: z.boolean(),
  attempts: listOf(OUTCOME),
  experiment: z.exactOptional(listOf(experimentStep)),
});

/** What the last run that checked a service saw of it. */
export const SERVICE_EVIDENCE = z.strictObject({
  runAtMs: instant,
  endpoints: listOf(z.strictObject({ url: z.string(), result: endpointResult })),
});

/** What the last run saw of the runner itself. */
export const RUN_EVIDENCE = z.strictObject({
  startedAtMs: instant,
  durationMs: duration,
  validity: z.enum(["valid", "offline"]),
  connectivity: z.strictObject({
    state: z.enum(CONNECTIVITY_STATES),
    unreachable: listOf(z.string()),
    lostRatio: z.number().min(0).max(1),
    failingZones: listOf(z.string()),
  }),
  isCongested: z.boolean(),
  eventLoopLagMs: duration,
  anchors: listOf(
    z.strictObject({
      url: z.string(),
      scope: z.enum(["domestic", "foreign"]),
      network: z.string(),
      rounds: listOf(z.strictObject({ phase: z.enum(ANCHOR_PHASES), tries: listOf(OUTCOME) })),
    }),
  ),
});
