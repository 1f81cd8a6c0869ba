/** The stages of a probe, in order. */
export type Stage = "dns" | "tcp" | "tls" | "http" | "body";

/**
 * What can be behind a failure besides a broken server: our own URL guard, which ended the probe; the runner's own resolver, or the way to
 * the name servers of one owner; a box on the path; a certificate that is not for this name or of an unknown issuer, which a box shows as
 * well. A box never causes the others: an expired certificate, a wrong status, a page with other words. Source: docs/probe/experiment.md.
 */
type Cause = "guard" | "resolver" | "box" | "certificate" | "other";

interface Failure {
  readonly stage: Stage;
  readonly cause: Cause;
  /** The server said nothing: what an owner that drops or resets the connections of data centres looks like, and a dead server as well. */
  readonly isUnanswered?: true;
  /** Packet loss can cause it; a time-out a slow runner too. Refused connections, certificates and responses come from the other side. */
  readonly loss?: "time-out" | "path";
}

/** All failure codes. A closed, published list as in OONI's df-007, with codes of our own; `docs/probe/measurement.md` explains each. */
export const FAILURES = {
  "url-refused": { stage: "dns", cause: "guard" },
  "dns-nxdomain": { stage: "dns", cause: "box" },
  "dns-servfail": { stage: "dns", cause: "resolver", loss: "path" },
  "dns-refused": { stage: "dns", cause: "resolver" },
  "dns-no-answer": { stage: "dns", cause: "resolver" },
  "dns-timeout": { stage: "dns", cause: "resolver", loss: "time-out" },
  "dns-malformed": { stage: "dns", cause: "resolver" },
  "dns-server-unreachable": { stage: "dns", cause: "other", loss: "path" },
  "dns-stub-address": { stage: "dns", cause: "other" },
  "dns-special-address": { stage: "dns", cause: "guard" },
  "tcp-refused": { stage: "tcp", cause: "box", isUnanswered: true },
  "tcp-reset": { stage: "tcp", cause: "box", loss: "path", isUnanswered: true },
  "tcp-timeout": { stage: "tcp", cause: "box", loss: "time-out", isUnanswered: true },
  "tcp-unreachable": { stage: "tcp", cause: "other", loss: "path", isUnanswered: true },
  "tcp-error": { stage: "tcp", cause: "other" },
  "tls-reset": { stage: "tls", cause: "box", loss: "path", isUnanswered: true },
  "tls-closed": { stage: "tls", cause: "box", loss: "path", isUnanswered: true },
  "tls-timeout": { stage: "tls", cause: "box", loss: "time-out", isUnanswered: true },
  "tls-alert": { stage: "tls", cause: "box" },
  "tls-version": { stage: "tls", cause: "other" },
  "tls-malformed": { stage: "tls", cause: "other" },
  "cert-expired": { stage: "tls", cause: "other" },
  "cert-not-yet-valid": { stage: "tls", cause: "other" },
  "cert-wrong-host": { stage: "tls", cause: "certificate" },
  "cert-unknown-issuer": { stage: "tls", cause: "certificate" },
  "cert-self-signed": { stage: "tls", cause: "certificate" },
  "cert-invalid": { stage: "tls", cause: "other" },
  "http-timeout": { stage: "http", cause: "box", loss: "time-out", isUnanswered: true },
  "http-reset": { stage: "http", cause: "box", loss: "path", isUnanswered: true },
  "http-closed": { stage: "http", cause: "box", loss: "path", isUnanswered: true },
  "http-malformed": { stage: "http", cause: "other" },
  "http-headers-too-large": { stage: "http", cause: "other" },
  "http-informational-flood": { stage: "http", cause: "other" },
  "http-server-error": { stage: "http", cause: "other" },
  "http-unexpected-status": { stage: "http", cause: "other" },
  "http-legal-refusal": { stage: "http", cause: "other" },
  "http-block-page": { stage: "http", cause: "other" },
  "redirect-loop": { stage: "http", cause: "other" },
  "redirect-too-many": { stage: "http", cause: "other" },
  "redirect-refused": { stage: "http", cause: "guard" },
  "redirect-unexpected": { stage: "http", cause: "other" },
  "body-stall": { stage: "body", cause: "box", loss: "time-out" },
  "body-timeout": { stage: "body", cause: "box", loss: "time-out" },
  "body-reset": { stage: "body", cause: "box", loss: "path" },
  "body-closed": { stage: "body", cause: "box", loss: "path" },
  "body-malformed": { stage: "body", cause: "other" },
  "body-works": { stage: "body", cause: "other" },
  "body-unexpected": { stage: "body", cause: "other" },
} as const satisfies Record<string, Failure>;

export type FailureCode = keyof typeof FAILURES;

/** In the order of the stages: the keys of the table, which is not empty. */
export const FAILURE_CODES = Object.keys(FAILURES) as [FailureCode, ...FailureCode[]];

/** What a place tells of an endpoint: one of the first three, or how it fails. */
export const RESULT_CODES = ["ok", "denied", "skipped", ...FAILURE_CODES] as const;
export type ResultCode = (typeof RESULT_CODES)[number];

/** In their order. */
export const STAGES: readonly Stage[] = [
  ...new Set(FAILURE_CODES.map((code) => FAILURES[code].stage)),
];

/** What is wrong with a server that browsers forgive, what more visitors may meet first. `docs/probe/measurement.md` explains each. */
export const ODDITY_CODES = [
  "chain-incomplete",
  "ipv4-fails",
  "noise-before-status",
  "status-missing",
  "bare-line-feed",
  "control-in-header",
  "length-beside-chunked",
  "length-repeated",
  "length-invalid",
  "chunked-repeated",
  "transfer-coding-unknown",
  "continue-unasked",
  "location-repeated",
  "location-not-ascii",
  "coding-unasked",
] as const;

export type Oddity = (typeof ODDITY_CODES)[number];

/** What is known of a code. */
export function rowOf(code: FailureCode): Failure {
  return FAILURES[code];
}

/** Whether our own URL guard ended the check: a monitor must not direct us to this address, port or redirect. */
export function isRefusal(code: FailureCode): boolean {
  return rowOf(code).cause === "guard";
}

/** Whether a box on the path can cause this failure, or a resolver that it stands before. */
export function isCodeOfInterference(code: FailureCode): boolean {
  return ["box", "resolver", "certificate"].includes(rowOf(code).cause);
}

/**
 * Whether another client may get an answer: the failure came after the ClientHello, and without an answer. A certificate is not meant,
 * because the client that stands for the browser verifies none.
 */
export function mayDependOnClient(code: FailureCode): boolean {
  const { stage, cause } = rowOf(code);
  return cause === "box" && stage !== "dns" && stage !== "tcp";
}
