import type { Explanation } from "../../services/verdict/decide.ts";
import type { ReportExplanation } from "../../reports/counting/explain-surge.ts";
import type { Service } from "../../model/service/catalogue.ts";
import type { RunEvidence, ServiceEvidence } from "../../model/service/evidence.ts";
import type { CutBy } from "../../model/service/interference.ts";
import type { Outcome, Timings } from "../../model/probe-outcome.ts";
import type { Clause, LiveRule } from "../../services/verdict/decision-table.ts";
import { describeConnectivity } from "./runner-text.ts";
import {
  describeDoubts,
  type Doubts,
  reportLines,
  type ScopeExplanation,
  scopeLines,
} from "./explain-parts.ts";
import { EXPERIMENT_WORDS } from "../../site/words/failure.ts";
import { formatUtc, textsOf } from "./text.ts";
import { browserLine, describeOutcome, describeResult, VERDICT_WORDS } from "./outcome-text.ts";

/** Everything `explain` shows. `--json` prints it as it is. */
export interface ExplanationView {
  readonly service: Service;
  /** The time of the decision. */
  readonly atMs: number;
  readonly explanation: Explanation;
  readonly reports: ReportExplanation;
  readonly evidence: ServiceEvidence | undefined;
  /** What experiments showed, by URL. */
  readonly experiments: Readonly<Record<string, CutBy>>;
  /** How often walls answered in place of an endpoint in the runs that are kept, by URL. */
  readonly walls: Readonly<Record<string, { readonly walled: number; readonly decided: number }>>;
  readonly doubts: Doubts;
  readonly lastRun: RunEvidence | null;
  /** Where it fails; undefined: the installation has no vantages. */
  readonly scope: ScopeExplanation | undefined;
}

/** The explanation in plain English. Ends without a line break. */
export function renderExplanation(view: ExplanationView): string {
  return textsOf(
    headline(view),
    section("Evidence", [...evidenceLines(view), ...describeDoubts(view.doubts)]),
    view.scope && section("Scope", scopeLines(view.scope)),
    section("Annotations", annotationLines(view.service)),
    section("Reports", reportLines(view.reports)),
    section("Decision", decisionLines(view)),
    section("Live and since", [liveLine(view), sinceLine(view)]),
  ).join("\n\n");
}

function section(title: string, lines: readonly string[]): string {
  return [title, ...lines.map((line) => `  ${line}`)].join("\n");
}

function headline({ service, explanation, atMs }: ExplanationView): string {
  const { code, color } = explanation.verdict;
  return `${service.name} (${service.slug}): ${code}, ${color}: ${VERDICT_WORDS[code]}, as of ${formatUtc(atMs)}`;
}

function evidenceLines(view: ExplanationView): readonly string[] {
  const { service, evidence, experiments, walls, lastRun } = view;
  if (evidence === undefined)
    return [
      "No valid run has probed this service yet.",
      ...(lastRun === null
        ? ["This state has no runs: run `status-snapshot run` with the same --state first."]
        : runLines(lastRun)),
    ];
  const lines = evidence.endpoints.flatMap(({ url, result }) => {
    const endpoint = service.endpoints.find((one) => one.url === url);
    const role = endpoint?.isCritical === true ? "critical" : "not critical";
    const head = `${url} (${endpoint?.what ?? "no longer in the catalogue"}, ${role})`;
    const cutBy = experiments[url];
    const { walled, decided } = walls[url] ?? { walled: 0, decided: 0 };
    const tries =
      result.attempts.length > 1
        ? result.attempts.map((one, index) => `  try ${index + 1}: ${describeOutcome(one)}`)
        : [];
    return textsOf(
      head,
      `  ${describeResult(result)}`,
      ...traceLines(result.outcome),
      browserLine(result),
      ...tries,
      cutBy &&
        `  experiment: ${cutBy === "unknown" ? "nothing to compare with" : EXPERIMENT_WORDS.en[cutBy]}`,
      walled > 0 && `  a wall against robots answered in ${walled} of ${decided} runs`,
    );
  });
  return [`Run of ${formatUtc(evidence.runAtMs)}`, ...lines, ...runLines(lastRun)];
}

function traceLines(outcome: Outcome): readonly string[] {
  if (outcome.kind === "skipped") return [];
  const { trace } = outcome;
  const parts = textsOf(
    trace.address !== undefined && `address ${trace.address}`,
    trace.redirects > 0 && `${trace.redirects} redirects to ${trace.url}`,
    `${trace.bodyBytes} bytes of body, ${trace.rawBytes} on the wire`,
    trace.tlsVerified !== null && (trace.tlsVerified ? "TLS verified" : "TLS not verified"),
    trace.certExpiresAtMs !== undefined &&
      `certificate until ${formatUtc(trace.certExpiresAtMs).slice(0, 10)}`,
  );
  return [`  ${parts.join(", ")}`, `  ${describeTimings(trace.timings)}`];
}

function describeTimings(timings: Timings): string {
  const stages = [
    ["DNS", timings.dnsMs],
    ["TCP", timings.tcpMs],
    ["TLS", timings.tlsMs],
    ["first byte", timings.firstByteMs],
    ["body", timings.bodyMs],
    ["in all", timings.totalMs],
  ] as const;
  return stages.flatMap(([name, ms]) => (ms === undefined ? [] : [`${name} ${ms} ms`])).join(", ");
}

function runLines(lastRun: RunEvidence | null): readonly string[] {
  if (lastRun === null) return [];
  const path = describeConnectivity(lastRun.connectivity);
  return textsOf(
    lastRun.validity === "offline" &&
      `The last attempt (${formatUtc(lastRun.startedAtMs)}) was invalid: the runner was offline.`,
    path && `Network path of the last run: ${lastRun.connectivity.state}. ${path}`,
    lastRun.isCongested && "The runner was slow itself: response times of the run do not count.",
  );
}

function annotationLines(service: Service): readonly string[] {
  if (service.annotations.length === 0) return ["none"];
  return service.annotations.map(
    ({ kind, since, reason, source }) =>
      `${kind} since ${since}: ${reason} (${source?.url ?? "reported, no public source"})`,
  );
}

function decisionLines({ explanation }: ExplanationView): readonly string[] {
  const { rejected, fired, verdict } = explanation;
  const above = rejected.map(({ rowNumber, code, unmet }) => {
    const missing = unmet.map((clauses) => clauses.map(describeClause).join(" and ")).join(", or ");
    return `row ${rowNumber} (${code}) did not fire: it needs ${missing}`;
  });
  const why =
    fired.met.length === 0 ? "no row above did" : fired.met.map(describeClause).join(" and ");
  return [...above, `row ${fired.rowNumber} (${verdict.code}) fired: ${why}`];
}

/** Of a signal that is yes or no. */
const CLAUSE_WORDS: Readonly<Record<string, readonly [yes: string, no: string]>> = {
  isFresh: ["a valid check in the last 15 minutes", "no valid check in the last 15 minutes"],
  isBlocked: ["confirmed evidence of blocking", "no confirmed evidence of blocking"],
  isSurging: ["a surge of reports", "no surge of reports"],
  isOld: ["an episode older than 24 hours", "an episode of at most 24 hours"],
  hasProvider: ["a provider annotation", "no provider annotation"],
};

function describeClause({ signal, is }: Clause): string {
  const words = CLAUSE_WORDS[signal];
  if (words !== undefined) return words[is === true ? 0 : 1];
  if (signal !== "access") return `checks that say "${String(is)}"`;
  return is === "none" ? "no access annotation" : `the annotation ${is}`;
}

const LIVE_WORDS: Readonly<Record<LiveRule, string>> = {
  always: "this row is always live",
  never: "a verdict of this row is never live",
  "if-surging": "this row is live only while reports surge",
  "if-surging-or-recent":
    "this row is live while the episode is at most 24 hours old, or reports surge",
};

function liveLine({ explanation }: ExplanationView): string {
  const { isLive, rule, isSurging, isOld } = explanation.live;
  const facts = textsOf(
    rule.startsWith("if-surging") && `reports ${isSurging ? "surge" : "do not surge"}`,
    rule === "if-surging-or-recent" && `the episode is ${isOld ? "older" : "not older"}`,
  );
  const seen = facts.length === 0 ? "" : ` (${facts.join(", ")})`;
  return `live is ${String(isLive)}: ${LIVE_WORDS[rule]}${seen}`;
}

function sinceLine({ explanation: { since } }: ExplanationView): string {
  if (since.kind === "never-checked") return "since is null: no valid run has probed this service";
  const exact = since.isExact ? "" : "; it may have begun earlier, unseen";
  // An outage that alternates between silence and 5xx has one beginning.
  const { checkClass } = since;
  const isOutage = checkClass === "failing" || checkClass === "server-error";
  const said = isOutage ? "found it down" : `said "${checkClass}"`;
  return `since is ${formatUtc(since.sinceMs)}: the checks have ${said} from then on${exact}`;
}
