import { SCOPE_MEANINGS } from "../../contract/evidence.ts";
import type { ReportExplanation } from "../../reports/counting/explain-surge.ts";
import type {
  BlockingClaim,
  HeldFailure,
  LeftOut,
  UnknownReason,
} from "../../model/service/history.ts";
import type { CutBy, EndpointScope, ServiceScope } from "../../model/service/interference.ts";
import type { VantageView } from "../../services/interference/endpoint-views.ts";
import { formatUtc, plural, textsOf } from "./text.ts";

/** Where a service fails, with everything that this follows from. */
export interface ScopeExplanation extends ServiceScope {
  readonly claims: readonly BlockingClaim[];
  /** By URL. */
  readonly vantages: Readonly<Record<string, readonly VantageView[]>>;
  /** Ids of vantages without a recent answer. */
  readonly silent: readonly string[];
}

/** The scope in plain English, a line each. */
export function scopeLines(scope: ScopeExplanation): readonly string[] {
  return textsOf(
    `${scope.scope}: ${SCOPE_MEANINGS[scope.scope]}`,
    ...scope.claims.map(
      ({ url, sinceMs }) => `blocking is claimed of ${url} since ${formatUtc(sinceMs)}`,
    ),
    ...scope.endpoints.flatMap((endpoint) => endpointLines(endpoint, scope)),
    scope.silent.length > 0 && `without a recent answer: ${scope.silent.join(", ")}`,
  );
}

/** Where the runner found no failure, no place was asked about one. */
const ANSWERS_RUNNER: ReadonlySet<EndpointScope["finding"]> = new Set([
  "healthy",
  "unknown",
  "failing-at-home",
  "browser-fails",
]);

function endpointLines(endpoint: EndpointScope, { vantages }: ScopeExplanation): readonly string[] {
  const { url, row, working, failing, isClaimed } = endpoint;
  const isFailing = !ANSWERS_RUNNER.has(endpoint.finding);
  const said = (vantages[url] ?? []).map((one) => describeVantage(one, isFailing));
  const why = isClaimed ? describeClaim(endpoint) : (whyNotClaimed(endpoint) ?? "nothing to claim");
  return [
    `${url}: row ${row}, ${endpoint.scope}; works in ${plural(working, "network")} abroad, fails in ${failing}; ${why}`,
    ...said.map((line) => `  ${line}`),
  ];
}

/** What a claim rests on; one that stays may have lost its reasons. */
function describeClaim({ basis }: EndpointScope): string {
  if (basis === undefined) return "claimed";
  const { by, networks, runs, isUnicast } = basis;
  const what = by === "home" ? "home lines are cut by name" : "cut by name";
  const server =
    isUnicast === null
      ? "the times do not tell whether the address is one server"
      : isUnicast
        ? "the address is one server for all"
        : "the address is many servers";
  return `claimed: ${what}, by the experiments of ${plural(networks, "network")} in Moscow, failing in ${plural(runs, "run")}; ${server}`;
}

function describeVantage(
  { vantage, result, says, isCutByName, isCalibrated, isAboutFailure }: VantageView,
  isFailing: boolean,
): string {
  const place = `${vantage.id} (${vantage.kind}, ${vantage.country}, AS${vantage.asn} ${vantage.network})`;
  const same =
    result.sameAddress === undefined ? "" : `, at the runner's address: ${result.sameAddress}`;
  const doubts = textsOf(
    says === "nothing" && result.code === "ok" && "not its usual answer",
    isCutByName && "cut by name there",
    result.code !== "ok" && !isCalibrated && "not calibrated",
    isFailing && !isAboutFailure && "asked before the failure",
  );
  const browser =
    result.seen?.browser === undefined ? "" : `, as a browser asks: ${result.seen.browser}`;
  return `${place}: ${result.code}${same}${browser}${doubts.length === 0 ? "" : ` (${doubts.join(", ")})`}`;
}

const CUT_BY_DOUBT: Readonly<Record<Exclude<CutBy, "name">, string>> = {
  address: "the experiment found a cut by address, which an owner can make too",
  network: "the experiment reached no neighbour either",
  none: "the server answers under no other name either",
  unknown: "the experiment showed nothing",
};

/** Why a failure is not claimed to be blocking; undefined: the endpoint has no such failure. */
function whyNotClaimed(endpoint: EndpointScope): string | undefined {
  const { finding, votes, cutBy, working, failing, scope } = endpoint;
  if (finding === "block-evidence") return "its block page is evidence enough";
  if (finding === "failing-at-home")
    return "no claim: fewer than two networks of subscribers say that it is cut by name, or a wall of its owner looks the same";
  if (finding === "browser-fails" || finding === "browser-works")
    return "no claim: no other place has asked as a browser";
  if (finding !== "failing") return undefined;
  const reasons = textsOf(
    votes !== "agreed" && "another place in Moscow disagrees",
    cutBy !== "name" && CUT_BY_DOUBT[cutBy],
    working < 2 && "it works in fewer than two networks abroad",
    failing > 0 && "it fails abroad too",
    scope === "path" && "the path abroad is cut",
  );
  const rest =
    "the controls did not reach the runner's own server, or the failure is of another kind";
  return `no claim: ${reasons.join("; ") || rest}`;
}

/** What `explain` says of the reports, one sentence in each line. */
export function reportLines(reports: ReportExplanation): readonly string[] {
  const { hour, day, networks, ignoredNetworks, blocks, threshold, beyondShare } = reports;
  const counted = `${hour.accepted} in the last hour, ${day.accepted} in the last 24 hours (of ${day.raw} received)`;
  if (day.raw === 0 && reports.surge.phase === "off") return ["None in the last 24 hours."];
  const ignored =
    ignoredNetworks === 0 ? "" : `, ${ignoredNetworks} ignored that report everything`;
  return textsOf(
    `${counted}.`,
    beyondShare > 0 &&
      `Not counted in the last hour: ${beyondShare} networks of a block that reports more than all others together, or of fewer than four blocks.`,
    operatorLine(reports),
    `Last 15 minutes evaluated: ${networks} networks in ${blocks} blocks${ignored}; ${threshold} start a surge${reports.isSpread ? "" : ", if they are spread over four blocks and none has more than half"}.`,
    reports.rule === "cold"
      ? "Under seven days of history: the threshold is fixed."
      : `Expected: ${reports.expected.toFixed(2)}; as many by chance: ${reports.probability.toExponential(1)}.`,
    surgeLine(reports),
  );
}

/** Those with enough reports to be published. */
function operatorLine({ operators: told }: ReportExplanation): string | undefined {
  const { operators, unusual } = told;
  const shares = operators.map(({ operator, hour, day, percent, usual }) => {
    const usually = usual === undefined ? "" : `, usually ${usual.percent}% (${usual.of})`;
    return `${operator} ${hour ?? "few"}, ${day ?? "few"}, ${percent}%${usually}`;
  });
  if (shares.length === 0) return undefined;
  const named = (unusual?.shares ?? []).map(({ operator }) => operator).join(", ");
  const more =
    unusual === undefined
      ? ""
      : ` More than usual: ${named}${unusual.isAlone ? ", which alone makes the surge" : ""}.`;
  return `By operator, last hour, last 24 hours, share: ${shares.join("; ")}.${more}`;
}

function surgeLine({ surge, heldServices }: ReportExplanation): string {
  switch (surge.phase) {
    case "off":
      return "No surge.";
    case "on":
      return `A surge since ${formatUtc(surge.startedAtMs)}; ${surge.quiet} of 2 quiet evaluations that end it.`;
    case "held":
      return `A rise since ${formatUtc(surge.startedAtMs)}, together with ${heldServices} services: one event of the network, not a surge of this one.`;
  }
}

/** A held failure of a service, the cause that it shares with others, and endpoints that do not count, by URL. */
export interface Doubts {
  readonly held: HeldFailure | null;
  readonly sharedCause: string | null;
  readonly leftOut: Readonly<Record<string, LeftOut>>;
  /** Why nothing is known of it; null: it is known, or no run has looked. */
  readonly unknown: UnknownReason | null;
}

const UNKNOWN_WORDS: Readonly<Record<UnknownReason, string>> = {
  refused:
    "it does not answer this machine, which has the address of a data centre. If it has another address, set `line`. A vantage in Moscow on a subscriber's line can tell more",
  "wall-only": "only walls against robots answer in place of its critical endpoints",
  "never-reached": "no critical endpoint has ever answered. Are its entries right?",
};

/** The doubts in plain English, for the operator, a sentence each. */
export function describeDoubts({ held, sharedCause, leftOut, unknown }: Doubts): readonly string[] {
  return textsOf(
    unknown !== null && `Nothing is known of it: ${UNKNOWN_WORDS[unknown]}.`,
    ...(held === null ? [] : describeHeld(held)),
    sharedCause !== null &&
      `It is down or slow together with others that share a cause: ${nameOf(sharedCause)}.`,
    ...Object.entries(leftOut).map(([url, why]) => `${url} does not count: ${LEFT_OUT[why]}`),
  );
}

function describeHeld(held: HeldFailure): readonly string[] {
  const { checkClass, sinceMs, runs, cause, failingTogether } = held;
  const found = runs === 1 ? "one run has found it" : `${runs} runs in a row have found it`;
  const meanwhile =
    checkClass === "partial"
      ? "The other endpoints decide the verdict."
      : "The previous verdict stays, for 15 minutes without another check.";
  return [
    `A failure is held: "${checkClass}" since ${formatUtc(sinceMs)}, ${found}, and it is not published yet. ${meanwhile}`,
    HELD_WORDS[cause](failingTogether),
  ];
}

const HELD_WORDS: Readonly<Record<HeldFailure["cause"], (together: number) => string>> = {
  half: () =>
    "Why: the runner reaches only a part of the domestic networks. It is published when a run with the whole network finds it again.",
  "abroad-cut": () =>
    "Why: the runner's path abroad is cut, and this service is abroad. It is published when a run with that path finds it again.",
  lossy: () =>
    "Why: the runner's network path is lossy. An outage is published when the next run finds it again with all its confirmations.",
  congested: () =>
    "Why: the runner itself was slow. It is published when a run that was not slow finds it again.",
  lone: () =>
    "Why: one endpoint fails while the others of the service answer, which is over within minutes more often than not. It is published when the next run finds it again.",
  "common-cause": (together) =>
    `Why: ${together} services failed together, more than chance explains, so the likeliest cause is the runner's path to them. It is published when too few of them go on failing, when a whole group that shares a network, a zone or a country fails for a second run, or in the third run.`,
};

const LEFT_OUT: Readonly<Record<LeftOut, string>> = {
  unproven: "it has never answered itself. Is its entry right?",
  chronic: "it is not critical and has failed for nearly seven days. Is its entry right?",
};

function nameOf(group: string): string {
  if (group === "abroad") return "their servers are abroad";
  return group.startsWith(".") ? `names that end in ${group}` : `the network ${group}`;
}
