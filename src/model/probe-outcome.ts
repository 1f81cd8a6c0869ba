import type { Decider, ExperimentStep } from "./service/interference.ts";

/** The stages of a probe, in order. */
export type Stage = "dns" | "tcp" | "tls" | "http" | "body";

/**
 * All failure codes, each with its stage. A closed, published list as in OONI's df-007, with codes of our own;
 * `docs/probe/measurement.md` explains each.
 */
export const FAILURES = {
  "url-refused": "dns",
  "dns-nxdomain": "dns",
  "dns-servfail": "dns",
  "dns-refused": "dns",
  "dns-no-answer": "dns",
  "dns-timeout": "dns",
  "dns-malformed": "dns",
  "dns-server-unreachable": "dns",
  "dns-stub-address": "dns",
  "dns-special-address": "dns",
  "tcp-refused": "tcp",
  "tcp-reset": "tcp",
  "tcp-timeout": "tcp",
  "tcp-unreachable": "tcp",
  "tcp-error": "tcp",
  "tls-reset": "tls",
  "tls-closed": "tls",
  "tls-timeout": "tls",
  "tls-alert": "tls",
  "tls-version": "tls",
  "tls-malformed": "tls",
  "cert-expired": "tls",
  "cert-not-yet-valid": "tls",
  "cert-wrong-host": "tls",
  "cert-unknown-issuer": "tls",
  "cert-self-signed": "tls",
  "cert-invalid": "tls",
  "http-timeout": "http",
  "http-reset": "http",
  "http-closed": "http",
  "http-malformed": "http",
  "http-headers-too-large": "http",
  "http-informational-flood": "http",
  "http-server-error": "http",
  "http-unexpected-status": "http",
  "http-legal-refusal": "http",
  "http-block-page": "http",
  "redirect-loop": "http",
  "redirect-too-many": "http",
  "redirect-refused": "http",
  "redirect-unexpected": "http",
  "body-stall": "body",
  "body-timeout": "body",
  "body-reset": "body",
  "body-closed": "body",
  "body-malformed": "body",
  "body-works": "body",
  "body-unexpected": "body",
} as const satisfies Record<string, Stage>;

export type FailureCode = keyof typeof FAILURES;

/** Failures by our own URL guard, not by the site: a monitor must not direct us to this address, port or redirect. */
const REFUSALS: ReadonlySet<FailureCode> = new Set([
  "url-refused",
  "dns-special-address",
  "redirect-refused",
]);

/** Whether our own URL guard ended the check. */
export function isRefusal(code: FailureCode): boolean {
  return REFUSALS.has(code);
}

/**
 * What is wrong with a server that browsers forgive, so that it opens: those first that more visitors may meet. `docs/probe/measurement.md`
 * explains each.
 */
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

/** Duration of each stage of the last hop, whole milliseconds on a monotonic clock. Absent: not reached. */
export interface Timings {
  readonly dnsMs?: number;
  readonly tcpMs?: number;
  readonly tlsMs?: number;
  /** From the request being sent to the first byte of the final answer's head. */
  readonly firstByteMs?: number;
  /** From the answer's head to the last byte read (end of body, or the 64 KiB limit). */
  readonly bodyMs?: number;
  /** The whole probe, redirects included. */
  readonly totalMs: number;
}

/** What a probe recorded up to where it ended. After redirects it describes the last hop. */
export interface Trace {
  readonly url: string;
  readonly redirects: number;
  /** Address connected to, or the first one tried if none answered. */
  readonly address?: string;
  /** DNS gave additional addresses that the guard refuses, for this hop or an earlier one. */
  readonly hasRefusedAddresses?: true;
  readonly httpStatus?: number;
  /** Id of the wall that has answered in place of the site, over verified TLS. Something answers; whether it is the site is not known. */
  readonly wall?: string;
  /** Time of the server, by its `Date`. Only of an anchor, whose clock is compared with ours. */
  readonly serverMs?: number;
  /** What browsers forgive, in any hop, without repetitions. Absent: nothing. */
  readonly oddities?: readonly Oddity[];
  /** Bytes of the body as received (identity encoding is requested). */
  readonly bodyBytes: number;
  /** Bytes received on the raw socket, TLS records and handshake included. */
  readonly rawBytes: number;
  /** Of the leaf certificate. */
  readonly certExpiresAtMs?: number;
  /** Of a leaf that was refused, or asked for: SHA-256 of its public key, base64url. */
  readonly certKey?: string;
  /** Whether the chain and the host name were verified; `null` for plain HTTP or if TLS was not reached. */
  readonly tlsVerified: boolean | null;
  /** No public root verifies the chain, but it names the national authority, whose root the runner was not given. */
  readonly isNationalIssuer?: true;
  readonly timings: Timings;
}

/** Why a probe was not made or has no result: it never counts as down. */
export type SkipReason =
  | "deadline"
  | "unconfirmed"
  | "ipv6-unavailable"
  | "runner-exhausted"
  | "aborted";

export type Outcome =
  | { readonly kind: "ok"; readonly trace: Trace }
  /** The service itself refuses this region, over verified TLS and with the marker in the catalogue. */
  | { readonly kind: "denied"; readonly trace: Trace }
  | {
      readonly kind: "failed";
      readonly stage: Stage;
      readonly code: FailureCode;
      /** Id of the block-page fingerprint that matched. */
      readonly fingerprint?: string;
      readonly trace: Trace;
    }
  | { readonly kind: "skipped"; readonly reason: SkipReason };

export type FailedOutcome = Extract<Outcome, { kind: "failed" }>;

/** What a browser's client got, which need not be of this run. */
export interface BrowserView {
  readonly isOpen: boolean;
  /** Where it ended, if it is not open. */
  readonly stage?: Stage;
  readonly atMs: number;
}

/** The result of one run for one endpoint, after confirmation. */
export interface EndpointResult {
  /** The deciding probe. */
  readonly outcome: Outcome;
  /** Healthy, but not at the first attempt. */
  readonly isFlaky: boolean;
  /** Every probe made in this run, the deciding one included, in order. */
  readonly attempts: readonly Outcome[];
  /** Further connections after a failure that may be interference, in order. Empty: there was nothing to compare with. */
  readonly experiment?: readonly ExperimentStep[];
  /** What most places in Moscow found instead. It counts; the outcome stays what the runner saw. Source: docs/services/scope.md. */
  readonly outvotedBy?: "healthy" | "failing";
  /** Who decided. Absent: most of the places in Moscow. */
  readonly decidedBy?: Decider;
  /** What a client with the ClientHello of a browser got. Absent: it was not asked. Source: docs/probe/browser.md. */
  readonly browser?: BrowserView;
  /** Its attempts without an answer may be the owner's refusal of data centres, so they say nothing. Source: docs/services/verdicts.md. */
  readonly mayBeRefused?: true;
}

/** Statuses with which owners send robots away and ask for a sign-in. They are healthy answers, and prove little. */
export const REFUSING_STATUSES: ReadonlySet<number> = new Set([401, 403, 405, 406, 418, 429, 498]);

/** The server said nothing: what an owner that drops or resets the connections of data centres looks like, and a dead server as well. */
const WITHOUT_ANSWER: ReadonlySet<FailureCode> = new Set([
  "tcp-refused",
  "tcp-reset",
  "tcp-timeout",
  "tcp-unreachable",
  "tls-reset",
  "tls-closed",
  "tls-timeout",
  "http-timeout",
  "http-reset",
  "http-closed",
]);

/** Whether a probe failed before the server answered it. */
export function isUnanswered(outcome: Outcome): boolean {
  return outcome.kind === "failed" && WITHOUT_ANSWER.has(outcome.code);
}

/**
 * A failure that no wrong entry of the catalogue explains: the owner's server says, over TLS, that it is broken, or shows a
 * certificate that has ended. It is an answer of the service as much as its page.
 */
export function isOwnFailure(outcome: Outcome): boolean {
  if (outcome.kind !== "failed") return false;
  if (outcome.code === "cert-expired") return true;
  return outcome.code === "body-works"
    ? outcome.trace.tlsVerified === true
    : isAuthenticatedServerError(outcome);
}

/**
 * A 5xx of the origin itself: over verified TLS no third party can have forged it. A chain that names the national authority, whose
 * root this runner was not given, counts as well: filters answer with block pages, which were detected before, or not at all.
 * Source: docs/probe/measurement.md, "Trust".
 */
export function isAuthenticatedServerError(outcome: Outcome): boolean {
  if (outcome.kind !== "failed" || outcome.code !== "http-server-error") return false;
  return outcome.trace.tlsVerified === true || outcome.trace.isNationalIssuer === true;
}

/**
 * Confirmed evidence of blocking: a block-page fingerprint, a provider's stub address in DNS, or a 451 over a
 * connection that a third party can forge. A reset or a timeout is an anomaly, not evidence.
 */
export function isBlockEvidence(outcome: Outcome): boolean {
  if (outcome.kind !== "failed") return false;
  if (outcome.code === "http-block-page" || outcome.code === "dns-stub-address") return true;
  return outcome.code === "http-legal-refusal" && outcome.trace.tlsVerified !== true;
}

/**
 * Failures of the runner's own resolver, or of the way to the name servers of one owner: no filter need be behind them, and the
 * address answers all the same. Only a resolver that denies the name can be told from them.
 */
const RESOLVER_FAILURES: ReadonlySet<FailureCode> = new Set([
  "dns-servfail",
  "dns-refused",
  "dns-no-answer",
  "dns-timeout",
  "dns-malformed",
]);

/** A certificate that is not for this name, or of an unknown issuer: of a server with a fault, or of a box that answers in its place. */
const FOREIGN_CERTIFICATES: ReadonlySet<FailureCode> = new Set([
  "cert-unknown-issuer",
  "cert-self-signed",
  "cert-wrong-host",
]);

/** Whether a probe met a certificate that is not the service's own. */
export function isForeignCertificate(code: FailureCode): boolean {
  return FOREIGN_CERTIFICATES.has(code);
}

/**
 * Failures that a box on the path can cause as well as a broken server. A box never causes an expired certificate, a wrong status
 * or a page with other words. Source: docs/probe/experiment.md.
 */
const CODES_OF_INTERFERENCE: ReadonlySet<FailureCode> = new Set([
  ...RESOLVER_FAILURES,
  ...FOREIGN_CERTIFICATES,
  "dns-nxdomain",
  "tcp-timeout",
  "tcp-refused",
  "tcp-reset",
  "tls-reset",
  "tls-timeout",
  "tls-closed",
  "tls-alert",
  "http-timeout",
  "http-reset",
  "http-closed",
  "body-stall",
  "body-timeout",
  "body-reset",
  "body-closed",
]);

/** Whether a failure can be claimed to be blocking, if everything else speaks for it. */
export function mayBeBlocking(outcome: Outcome): boolean {
  return mayBeInterference(outcome) && !RESOLVER_FAILURES.has(outcome.code);
}

/** Whether the probe failed in a way that asks for an experiment. */
export function mayBeInterference(outcome: Outcome): outcome is FailedOutcome {
  return outcome.kind === "failed" && isCodeOfInterference(outcome.code);
}

/** Whether a box on the path can cause this failure. */
export function isCodeOfInterference(code: FailureCode): boolean {
  return CODES_OF_INTERFERENCE.has(code);
}

/**
 * Whether another client may get an answer: the failure came after the ClientHello, and without an answer. A certificate is not meant,
 * because the client that stands for the browser verifies none.
 */
export function mayDependOnClient(code: FailureCode): boolean {
  const stage = FAILURES[code];
  const isLate = stage !== "dns" && stage !== "tcp";
  return isLate && isCodeOfInterference(code) && !isForeignCertificate(code);
}
