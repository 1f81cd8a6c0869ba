import type { FailureCode, Stage } from "./failures.ts";
import type { Decider, ExperimentStep } from "./service/interference.ts";

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
  /** What was believed instead of the probe. Absent: most of the places in Moscow. */
  readonly decidedBy?: Decider;
  /** What a client with the ClientHello of a browser got. Absent: it was not asked. Source: docs/probe/browser.md. */
  readonly browser?: BrowserView;
  /** Its attempts without an answer may be the owner's refusal of data centres, so they say nothing. Source: docs/services/verdicts.md. */
  readonly mayBeRefused?: true;
}

/** Statuses with which owners send robots away and ask for a sign-in. They are healthy answers, and prove little. */
export const REFUSING_STATUSES: ReadonlySet<number> = new Set([401, 403, 405, 406, 418, 429, 498]);
