import { FREEZE_SHOWN_BYTES } from "../model/service/freeze.ts";
import { SECOND_MS } from "../model/time.ts";

/**
 * Bounds of one probe. The stage budgets leave room for a distant but working route (OONI allows 4 s for DNS and 10 s for each later
 * stage), and four attempts of a confirmation still fit into one run.
 */
export interface ProbeLimits {
  readonly dnsMs: number;
  readonly tcpMs: number;
  readonly tlsMs: number;
  /** From the request to the end of the response head. */
  readonly firstByteMs: number;
  /** Longest silence inside a body, on the raw socket. */
  readonly stallMs: number;
  readonly totalMs: number;
  readonly headBytes: number;
  readonly bodyBytes: number;
  readonly redirects: number;
  /** Informational (1xx) heads before the final response. */
  readonly informational: number;
  /** Addresses attempted before the probe fails. */
  readonly addresses: number;
}

export const SERVICE_LIMITS: ProbeLimits = {
  dnsMs: 4 * SECOND_MS,
  tcpMs: 5 * SECOND_MS,
  tlsMs: 5 * SECOND_MS,
  firstByteMs: 8 * SECOND_MS,
  stallMs: 5 * SECOND_MS,
  totalMs: 20 * SECOND_MS,
  headBytes: 64 * 1024,
  bodyBytes: FREEZE_SHOWN_BYTES,
  // Browsers follow 20; no service needs more than this.
  redirects: 10,
  informational: 16,
  addresses: 4,
};

/** Body bytes read for a monitor with an expected text. Source: product rule, docs/probe/measurement.md. */
const SEARCHED_BODY_BYTES = 256 * 1024;

/** And without one: its state is that of the head. Of a million monitors bytes are what costs. Source: docs/scaling.md, "Costs". */
const GLANCED_BODY_BYTES = 4 * 1024;

/**
 * Limits of one check of a monitor: a text is searched in the first 256 KiB, and without one a beginning of the body is enough.
 *
 * @param timeoutMs longest time of the whole check, and of its first byte; absent: the times of a service.
 */
export function monitorLimits(timeoutMs: number | undefined, hasText: boolean): ProbeLimits {
  const totalMs = Math.min(timeoutMs ?? SERVICE_LIMITS.totalMs, SERVICE_LIMITS.totalMs);
  return {
    ...SERVICE_LIMITS,
    totalMs,
    // An owner who sets a time-out of 20 s has a page that takes that long.
    firstByteMs: timeoutMs === undefined ? SERVICE_LIMITS.firstByteMs : totalMs,
    bodyBytes: hasText ? SEARCHED_BODY_BYTES : GLANCED_BODY_BYTES,
  };
}
