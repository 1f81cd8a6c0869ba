import type { Decider } from "../../model/service/interference.ts";
import type { MonitorWarning } from "../../model/monitor/monitor.ts";
import type { FailureCode } from "../../model/failures.ts";
import type { Trace, EndpointResult, Outcome, SkipReason } from "../../model/probe-outcome.ts";
import { formatUtc, textsOf } from "./text.ts";
import { FAILURE_WORDS } from "../../site/words/failure.ts";
import { WARNING_WORDS } from "../../site/words/pages/monitor-page.ts";
import { vendorOf } from "../../probe/answer/walls.ts";
import { mapCodes, type VerdictCode } from "../../contract/codes/verdict.ts";
import { VERDICT_LABELS } from "../../contract/codes/verdict-words.ts";

/** Labels of the verdict codes, as parts of a sentence. Where their source is not shown, two of them have to say that they are hearsay. */
export const VERDICT_WORDS: Readonly<Record<VerdictCode, string>> = {
  ...mapCodes((code) => uncapitalise(VERDICT_LABELS.en[code])),
  slowed_ru: "reportedly slowed down in Russia",
  partial_ru: "reportedly working partially in Russia",
};

const SKIP_WORDS: Readonly<Record<SkipReason, string>> = {
  deadline: "not reached before the deadline of the run",
  unconfirmed: "changed, but the change could not be confirmed before the deadline",
  "ipv6-unavailable": "has IPv6 addresses only, and this runner has no IPv6",
  "runner-exhausted": "this runner had no socket left; raise its limit of open files (ulimit -n)",
  aborted: "the run was stopped",
};

/** Not the first letter of DNS. */
function uncapitalise(text: string): string {
  return text.replace(/^[A-Z](?![A-Z])/u, (first) => first.toLowerCase());
}

/** A failure in the words of the website, and its code. */
export function nameFailure(code: FailureCode): string {
  return `${FAILURE_WORDS.en[code]} [${code}]`;
}

/** What the website tells the owner of a monitor that is healthy, as the end of a sentence. */
export function nameWarning(warning: MonitorWarning): string {
  return uncapitalise(WARNING_WORDS.en[warning].replaceAll(/^But |\.$/gu, ""));
}

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
      return `${nameFailure(outcome.code)}${detail(outcome)}`;
  }
}

function describeAnswer({ httpStatus, timings, wall, oddities = [] }: Trace): string {
  return textsOf(
    `HTTP ${httpStatus ?? "?"} in ${timings.totalMs} ms`,
    wall && `answered by a wall against robots (${vendorOf(wall)})`,
    ...oddities.map(nameWarning),
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
