import { isCodeOfInterference, rowOf } from "./failures.ts";
import type { FailedOutcome, Outcome } from "./probe-outcome.ts";

/* What the outcome of a probe says. */

/** Whether a probe failed before the server answered it. */
export function isUnanswered(outcome: Outcome): boolean {
  return outcome.kind === "failed" && rowOf(outcome.code).isUnanswered === true;
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

/** Whether a failure can be claimed to be blocking, if everything else speaks for it: of DNS only a resolver that denies the name. */
export function mayBeBlocking(outcome: Outcome): boolean {
  return mayBeInterference(outcome) && rowOf(outcome.code).cause !== "resolver";
}

/** Whether the probe failed in a way that asks for an experiment. */
export function mayBeInterference(outcome: Outcome): outcome is FailedOutcome {
  return outcome.kind === "failed" && isCodeOfInterference(outcome.code);
}
