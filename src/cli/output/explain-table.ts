import type { Service } from "../../model/catalogue.ts";
import type { RunEvidence, ServiceEvidence } from "../../model/evidence.ts";
import type { CheckClass } from "../../model/history.ts";
import type { Outcome, Timings } from "../../model/probe-outcome.ts";
import type { Verdict } from "../../model/verdict.ts";
import { describeConnectivity } from "./connectivity-text.ts";
import { describeDoubts, type Doubts } from "./doubts.ts";
import { formatTime } from "./time-text.ts";
import { describeOutcome, describeResult, VERDICT_WORDS } from "./outcome-text.ts";

/** A condition of the decision table. */
interface ClauseView {
  readonly signal: string;
  readonly is: string | boolean;
}

/** Everything `explain` shows. `--json` prints it as it is. */
export interface ExplanationView {
  readonly service: Service;
  /** The time of the decision. */
  readonly atMs: number;
  readonly explanation: {
    readonly verdict: Verdict;
    readonly signals: object;
    readonly fired: {
      readonly rowNumber: number;
      readonly rowId: string;
      readonly met: readonly ClauseView[];
    };
    readonly rejected: readonly {
      readonly rowNumber: number;
      readonly rowId: string;
      readonly code: keyof typeof VERDICT_WORDS;
      readonly unmet: readonly (readonly ClauseView[])[];
    }[];
    readonly live: {
      readonly isLive: boolean;
      readonly rule: LiveRule;
      readonly isSurging: boolean;
      readonly isOld: boolean;
    };
    readonly since:
      | { readonly kind: "never-checked" }
      | {
          readonly kind: "class-began";
          readonly checkClass: CheckClass;
          readonly sinceMs: number;
          readonly isExact: boolean;
          readonly checkedAtMs: number;
        };
  };
  readonly reports: ReportsView;
  readonly evidence: ServiceEvidence | undefined;
  readonly doubts: Doubts;
  readonly lastRun: RunEvidence | null;
}

/** Counts of reports, and the evaluation of surges. */
export interface ReportsView {
  readonly hour: { readonly accepted: number; readonly raw: number };
  readonly day: { readonly accepted: number; readonly raw: number };
  readonly beyondShare: number;
  readonly networks: number;
  readonly ignoredNetworks: number;
  readonly blocks: number;
  readonly rule: "seasonal" | "cold";
  readonly expected: number;
  readonly probability: number;
  readonly threshold: number;
  readonly isSpread: boolean;
  readonly surge: {
    readonly phase: "off" | "on" | "held";
    readonly startedAtMs: number;
    readonly quiet: number;
  };
  readonly heldServices: number;
}

type LiveRule = "always" | "never" | "if-surging" | "if-surging-or-recent";

function reportLines(reports: ReportsView): readonly string[] {
  const { hour, day, networks, ignoredNetworks, blocks, threshold } = reports;
  const counted = `${hour.accepted} in the last hour, ${day.accepted} in the last 24 hours (of ${day.raw} received)`;
  if (day.raw === 0 && reports.surge.phase === "off") return ["None in the last 24 hours."];
  const ignored =
    ignoredNetworks === 0 ? "" : `, ${ignoredNetworks} ignored that report everything`;
  return [
    `${counted}.`,
    ...shareLines(reports),
    `Last 15 minutes evaluated: ${networks} networks in ${blocks} blocks${ignored}; ${threshold} start a surge${reports.isSpread ? "" : ", if they are spread over four blocks and none has more than half"}.`,
    reports.rule === "cold"
      ? "Under seven days of history: the threshold is fixed."
      : `Expected: ${reports.expected.toFixed(2)}; as many by chance: ${reports.probability.toExponential(1)}.`,
    surgeLine(reports),
  ];
}

function shareLines({ beyondShare }: ReportsView): readonly string[] {
  if (beyondShare === 0) return [];
  return [
    `Not counted in the last hour: ${beyondShare} networks of a block that reports more than all others together, or of fewer than four blocks.`,
  ];
}

function surgeLine({ surge, heldServices }: ReportsView): string {
  switch (surge.phase) {
    case "off":
      return "No surge.";
    case "on":
      return `A surge since ${formatTime(surge.startedAtMs)}; ${surge.quiet} of 2 quiet evaluations that end it.`;
    case "held":
      return `A rise since ${formatTime(surge.startedAtMs)}, together with ${heldServices} services: one event of the network, not a surge of this one.`;
  }
}

/** The explanation in plain English. Ends without a line break. */
export function renderExplanation(view: ExplanationView): string {
  return [
    headline(view),
    section("Evidence", [...evidenceLines(view), ...describeDoubts(view.doubts)]),
    section("Annotations", annotationLines(view.service)),
    section("Reports", reportLines(view.reports)),
    section("Decision", decisionLines(view)),
    section("Live and since", [liveLine(view), sinceLine(view)]),
  ].join("\n\n");
}

function section(title: string, lines: readonly string[]): string {
  return [title, ...lines.map((line) => `  ${line}`)].join("\n");
}

function headline({ service, explanation, atMs }: ExplanationView): string {
  const { code, color } = explanation.verdict;
  return `${service.name} (${service.slug}): ${code}, ${color}: ${VERDICT_WORDS[code]}, as of ${formatTime(atMs)}`;
}

function evidenceLines({ service, evidence, lastRun }: ExplanationView): readonly string[] {
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
    const tries =
      result.attempts.length > 1
        ? result.attempts.map((one, index) => `  try ${index + 1}: ${describeOutcome(one)}`)
        : [];
    return [head, `  ${describeResult(result)}`, ...traceLines(result.outcome), ...tries];
  });
  return [`Run of ${formatTime(evidence.runAtMs)}`, ...lines, ...runLines(lastRun)];
}

function traceLines(outcome: Outcome): readonly string[] {
  if (outcome.kind === "skipped") return [];
  const { trace } = outcome;
  const parts = [
    trace.address === undefined ? [] : [`address ${trace.address}`],
    trace.redirects === 0 ? [] : [`${trace.redirects} redirects to ${trace.url}`],
    [`${trace.bodyBytes} bytes of body, ${trace.rawBytes} on the wire`],
    trace.tlsVerified === null ? [] : [trace.tlsVerified ? "TLS verified" : "TLS not verified"],
    trace.certExpiresAtMs === undefined
      ? []
      : [`certificate until ${formatTime(trace.certExpiresAtMs).slice(0, 10)}`],
  ].flat();
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
  const notes = [
    lastRun.validity === "offline"
      ? [
          `The last attempt (${formatTime(lastRun.startedAtMs)}) was invalid: the runner was offline.`,
        ]
      : [],
    path === undefined
      ? []
      : [`Network path of the last run: ${lastRun.connectivity.state}. ${path}`],
    lastRun.isCongested
      ? ["The runner was slow itself: response times of the run do not count."]
      : [],
  ];
  return notes.flat();
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

const CLAUSE_WORDS: Readonly<Record<string, string>> = {
  "isFresh=true": "a valid check in the last 15 minutes",
  "isFresh=false": "no valid check in the last 15 minutes",
  "isBlocked=true": "confirmed evidence of blocking",
  "isBlocked=false": "no confirmed evidence of blocking",
  "isSurging=true": "a surge of reports",
  "isSurging=false": "no surge of reports",
  "isOld=true": "an episode older than 24 hours",
  "isOld=false": "an episode of at most 24 hours",
  "hasProvider=true": "a provider annotation",
  "hasProvider=false": "no provider annotation",
  "access=none": "no access annotation",
};

function describeClause({ signal, is }: ClauseView): string {
  const words = CLAUSE_WORDS[`${signal}=${String(is)}`];
  if (words !== undefined) return words;
  return signal === "access" ? `the annotation ${String(is)}` : `checks that say "${String(is)}"`;
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
  const facts = [
    ...(rule.startsWith("if-surging") ? [`reports ${isSurging ? "surge" : "do not surge"}`] : []),
    ...(rule === "if-surging-or-recent" ? [`the episode is ${isOld ? "older" : "not older"}`] : []),
  ];
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
  return `since is ${formatTime(since.sinceMs)}: the checks have ${said} from then on${exact}`;
}
