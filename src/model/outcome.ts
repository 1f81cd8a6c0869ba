/** The stages of a probe, in the order in which they happen. */
export type Stage = "dns" | "tcp" | "tls" | "http" | "body";

/**
 * The closed vocabulary of failures and the stage each belongs to. The idea of one published
 * vocabulary is that of OONI's df-007; the words are ours. `docs/measurement.md` explains each.
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

/** Where our own guard, and not the site, ended a check: an address, a port or a redirect to which no monitor may lead us. */
const REFUSALS: ReadonlySet<FailureCode> = new Set([
  "url-refused",
  "dns-special-address",
  "redirect-refused",
]);

/** Whether a check that failed with this code was ended by our own guard. */
export function isRefusal(code: FailureCode): boolean {
  return REFUSALS.has(code);
}

/** How long each stage of the deciding hop took, whole milliseconds on a monotonic clock. Absent: not reached. */
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

/** What a probe saw, as far as it got. Of several hops it describes the last one. */
export interface Trace {
  /** URL of the last hop; differs from the endpoint's own after redirects. */
  readonly url: string;
  /** Redirects followed. */
  readonly redirects: number;
  /** Address connected to, or tried first when none answered. */
  readonly address?: string;
  /** Beside the addresses that were used, DNS gave some that may not be connected to, for this hop or one before it. */
  readonly hasRefusedAddresses?: true;
  readonly httpStatus?: number;
  /** Bytes of body read as they came (identity encoding is asked for). */
  readonly bodyBytes: number;
  /** Bytes received on the raw socket, TLS records and handshake included. */
  readonly rawBytes: number;
  /** End of validity of the leaf certificate. */
  readonly certExpiresAtMs?: number;
  /** Whether the chain and the host name were verified; `null` for plain HTTP or when TLS was not reached. */
  readonly tlsVerified: boolean | null;
  /** No public root vouches for the chain, but it names the national authority, whose root nobody gave us. */
  readonly isNationalIssuer?: true;
  readonly timings: Timings;
}

/** Why a probe was not made, or could not say anything: it never counts as down. */
export type SkipReason =
  | "deadline"
  | "unconfirmed"
  | "ipv6-unavailable"
  | "runner-exhausted"
  | "aborted";

/** The value that a probe yields: exactly one of these, with exactly one failure. */
export type Outcome =
  | { readonly kind: "ok"; readonly trace: Trace }
  /** The service itself refused this region, over verified TLS and by its configured marker. */
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

/** What one run concluded about one endpoint, after confirmation. */
export interface EndpointResult {
  /** The deciding probe. */
  readonly outcome: Outcome;
  /** Healthy in the end, but not at the first try. */
  readonly isFlaky: boolean;
  /** Every probe made in this run, the deciding one included, in order. */
  readonly attempts: readonly Outcome[];
}

/**
 * A 5xx that the origin itself sent: over verified TLS nobody in between can have made it up. A chain that names the national
 * authority, whose root this runner was not given, counts as well: filters in between answer with pages of their own, which were
 * looked for before, or not at all. Source: docs/measurement.md, "Trust".
 */
export function isAuthenticatedServerError(outcome: Outcome): boolean {
  if (outcome.kind !== "failed" || outcome.code !== "http-server-error") return false;
  return outcome.trace.tlsVerified === true || outcome.trace.isNationalIssuer === true;
}

/**
 * Confirmed evidence of blocking: a fingerprint matched, a provider's stub address was returned, or
 * a 451 came over a path that somebody in between can write to. A reset or a time-out is an anomaly, not evidence.
 */
export function isBlockEvidence(outcome: Outcome): boolean {
  if (outcome.kind !== "failed") return false;
  if (outcome.code === "http-block-page" || outcome.code === "dns-stub-address") return true;
  return outcome.code === "http-legal-refusal" && outcome.trace.tlsVerified !== true;
}
