import type { CutBy, Decider } from "../../model/service/interference.ts";
import type { MonitorWarning } from "../../model/monitor/monitor.ts";
import type { FailureCode } from "../../model/failures.ts";
import type { Trace, EndpointResult, Outcome, SkipReason } from "../../model/probe-outcome.ts";
import { formatUtc, textsOf } from "./text.ts";
import { vendorOf } from "../../probe/answer/walls.ts";
import { mapCodes, type VerdictCode } from "../../contract/codes/verdict.ts";
import { VERDICT_LABELS } from "../../contract/codes/verdict-words.ts";

/** Labels of the verdict codes, as parts of a sentence. Where their source is not shown, two of them have to say that they are hearsay. */
export const VERDICT_WORDS: Readonly<Record<VerdictCode, string>> = {
  ...mapCodes((code) => VERDICT_LABELS.en[code].replace(/^./u, (first) => first.toLowerCase())),
  slowed_ru: "reportedly slowed down in Russia",
  partial_ru: "reportedly working partially in Russia",
};

/** The meaning of each failure, as the end of a sentence that begins with the endpoint. */
export const FAILURE_TEXT: Readonly<Record<FailureCode, string>> = {
  "url-refused": "requests to this address are not allowed",
  "dns-nxdomain": "the resolver says that the name does not exist",
  "dns-servfail": "the resolver could not get an answer (SERVFAIL)",
  "dns-refused": "the resolver refused the query (REFUSED)",
  "dns-no-answer": "the name has no address",
  "dns-timeout": "the resolver did not answer in time",
  "dns-malformed": "the resolver's answer makes no sense",
  "dns-server-unreachable": "the resolver cannot be reached",
  "dns-stub-address": "the resolver gave the address of a provider's block page",
  "dns-special-address":
    "the resolver gave an address outside the public Internet, or of this machine itself",
  "tcp-refused": "connection refused",
  "tcp-reset": "connection reset while connecting",
  "tcp-timeout": "no answer to the connection attempt",
  "tcp-unreachable": "no route to the address",
  "tcp-error": "the connection could not be made",
  "tls-reset": "connection reset after the TLS hello",
  "tls-closed": "connection closed during the TLS handshake",
  "tls-timeout": "silence after the TLS hello",
  "tls-alert": "TLS handshake refused by an alert",
  "tls-version": "the server speaks only versions of TLS that browsers refuse (1.0, 1.1)",
  "tls-malformed": "the answer to the TLS hello is not TLS we can speak",
  "cert-expired": "the certificate has expired",
  "cert-not-yet-valid": "the certificate is not valid yet",
  "cert-wrong-host": "the certificate is for another host",
  "cert-unknown-issuer": "the certificate's issuer is unknown",
  "cert-self-signed": "the certificate is self-signed",
  "cert-invalid": "the certificate does not verify",
  "http-timeout": "no HTTP answer in time",
  "http-reset": "connection reset before the HTTP answer",
  "http-closed": "connection closed before the HTTP answer",
  "http-malformed": "the answer is not valid HTTP",
  "http-headers-too-large": "the answer's headers have no end",
  "http-informational-flood": "a flood of 1xx answers",
  "http-server-error": "the server answered with an error",
  "http-unexpected-status": "the status is not one of those expected",
  "http-legal-refusal": "unavailable for legal reasons",
  "http-block-page": "a provider's block page came instead",
  "redirect-loop": "redirects lead in a circle",
  "redirect-too-many": "too many redirects",
  "redirect-refused":
    "redirected to something other than a web address, or to an address that is not allowed",
  "redirect-unexpected": "redirected to another place than this address leads to",
  "body-stall": "the connection froze in the middle of the answer",
  "body-timeout": "the page did not load in time",
  "body-reset": "connection reset in the middle of the page",
  "body-closed": "connection closed in the middle of the page",
  "body-malformed": "the page's encoding is broken",
  "body-works": "the page says that maintenance is under way, with the status of a healthy answer",
  "body-unexpected": "the page lacks the expected text, or has a text that no healthy page has",
};

/** What an experiment showed. It claims nothing, so this is what was seen. */
export const CUT_BY_TEXT: Readonly<Record<CutBy, string>> = {
  name: "the same address answers under another name",
  none: "the same address does not answer under another name either",
  address: "a neighbour in its network answers",
  network: "a neighbour in its network does not answer either",
  unknown: "nothing to compare with",
};

export const WARNING_TEXT: Readonly<Record<MonitorWarning, string>> = {
  "robot-wall":
    "a wall against robots answers in place of the site; let our address and User-Agent in",
  "mixed-addresses":
    "the name also has addresses that are not public, which some visitors may be sent to",
  "chain-incomplete": "the server does not send an intermediate certificate; browsers fetch it",
  "ipv4-fails": "only IPv6 works: the A record, or the address in it, fails",
  "noise-before-status": "bytes stand before the status line",
  "status-missing": "the status line has no status; browsers take 200",
  "bare-line-feed": "lines of the head end with a line feed alone",
  "control-in-header": "the head has a control character",
  "length-beside-chunked": "Content-Length stands beside Transfer-Encoding: chunked",
  "length-repeated": "Content-Length comes more than once, with one value",
  "length-invalid": "Content-Length is not a number",
  "chunked-repeated": "chunked is named more than once",
  "transfer-coding-unknown": "there is a transfer coding that was not asked for",
  "continue-unasked": "100 Continue comes, which was not asked for",
  "location-repeated": "Location comes more than once, with one value",
  "location-not-ascii": "Location has bytes that should be percent-encoded",
  "coding-unasked": "the body is compressed, although that was not asked for",
};

const SKIP_WORDS: Readonly<Record<SkipReason, string>> = {
  deadline: "not reached before the deadline of the run",
  unconfirmed: "changed, but the change could not be confirmed before the deadline",
  "ipv6-unavailable": "has IPv6 addresses only, and this runner has no IPv6",
  "runner-exhausted": "this runner had no socket left; raise its limit of open files (ulimit -n)",
  aborted: "the run was stopped",
};

/** The result of a probe in one line. */
export function describeOutcome(outcome: Outcome): string {
  switch (outcome.kind) {
    case "ok":
      return describeAnswer(outcome.trace);
    case "denied":
      return `refused for this region by the service itself (HTTP ${outcome.trace.httpStatus ?? "?"})`;
    case "skipped":
      return `skipped: ${SKIP_WORDS[outcome.reason]}`;
    case "failed":
      return `${FAILURE_TEXT[outcome.code]} [${outcome.code}]${detail(outcome)}`;
  }
}

function describeAnswer({ httpStatus, timings, wall, oddities = [] }: Trace): string {
  return textsOf(
    `HTTP ${httpStatus ?? "?"} in ${timings.totalMs} ms`,
    wall && `answered by a wall against robots (${vendorOf(wall)})`,
    ...oddities.map((one) => WARNING_TEXT[one]),
  ).join("; ");
}

function detail({ trace, fingerprint, code }: Extract<Outcome, { kind: "failed" }>): string {
  const parts = textsOf(
    trace.httpStatus !== undefined && `HTTP ${trace.httpStatus}`,
    code === "body-stall" && `after ${trace.rawBytes} bytes`,
    fingerprint !== undefined && `fingerprint ${fingerprint}`,
  );
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

const DECIDER_TEXT: Readonly<Record<Decider, string>> = {
  home: "lines of subscribers in Moscow",
  browser: "a browser",
};

/** What a browser got; undefined if it was not asked. */
export function browserLine({ browser }: EndpointResult): string | undefined {
  if (browser === undefined) return undefined;
  const found = browser.isOpen
    ? "opens"
    : `nothing, ended in ${browser.stage ?? "an unknown stage"}`;
  return `  as a browser asks, at ${formatUtc(browser.atMs)}: ${found}`;
}

/** The conclusion of a run about an endpoint in one line. */
export function describeResult(result: EndpointResult): string {
  const { outvotedBy, decidedBy, mayBeRefused } = result;
  const tries = result.attempts.length;
  const note = result.isFlaky
    ? ` (flaky: healthy at try ${tries})`
    : tries > 1
      ? ` (after ${tries} tries)`
      : "";
  const counts =
    outvotedBy !== undefined
      ? `; counts as ${outvotedBy}, as ${decidedBy === undefined ? "other places in Moscow" : DECIDER_TEXT[decidedBy]} found it`
      : mayBeRefused === true && result.outcome.kind === "failed"
        ? "; decides nothing: its owner refuses data centres"
        : "";
  return describeOutcome(result.outcome) + note + counts;
}
