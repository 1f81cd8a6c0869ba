import type { ReportExplanation } from "../../reports/counting/explain-surge.ts";
import type { BlockingClaim } from "../../model/service/history.ts";
import type {
  CutBy,
  EndpointScope,
  Scope,
  ServiceScope,
} from "../../model/service/interference.ts";
import type { VantageView } from "../../services/interference/endpoint-views.ts";
import { formatUtc, plural } from "./text.ts";

/** Where a service fails, with everything that this follows from. */
export interface ScopeExplanation extends ServiceScope {
  readonly claims: readonly BlockingClaim[];
  /** By URL. */
  readonly vantages: Readonly<Record<string, readonly VantageView[]>>;
  /** Ids of vantages without a recent answer. */
  readonly silent: readonly string[];
}

const SCOPE_TEXT: Readonly<Record<Scope, string>> = {
  none: "it does not fail here",
  russia: "it fails here and works abroad",
  access: "it opens in a data centre here and fails on the lines of subscribers",
  client: "programs and browsers find different things",
  everywhere: "it fails abroad too",
  network: "it fails for this network; another place in Moscow disagrees",
  path: "it works abroad, but the runner's own way abroad is cut",
  mixed: "it fails abroad for some",
  unknown: "no other place can tell",
};

/** The scope in plain English, a line each. */
export function scopeLines(scope: ScopeExplanation): readonly string[] {
  return [
    `${scope.scope}: ${SCOPE_TEXT[scope.scope]}`,
    ...scope.claims.map(
      ({ url, sinceMs }) => `blocking is claimed of ${url} since ${formatUtc(sinceMs)}`,
    ),
    ...scope.endpoints.flatMap((endpoint) => endpointLines(endpoint, scope)),
    ...(scope.silent.length === 0 ? [] : [`without a recent answer: ${scope.silent.join(", ")}`]),
  ];
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
  const doubts = [
    ...(says === "nothing" && result.code === "ok" ? ["not its usual answer"] : []),
    ...(isCutByName ? ["cut by name there"] : []),
    ...(result.code !== "ok" && !isCalibrated ? ["not calibrated"] : []),
    ...(isAboutFailure || !isFailing ? [] : ["asked before the failure"]),
  ];
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
function whyNotClaimed({
  finding,
  votes,
  cutBy,
  working,
  failing,
  scope,
}: EndpointScope): string | undefined {
  if (finding === "block-evidence") return "its block page is evidence enough";
  if (finding === "failing-at-home")
    return "no claim: fewer than two networks of subscribers say that it is cut by name, or a wall of its owner looks the same";
  if (finding === "browser-fails" || finding === "browser-works")
    return "no claim: no other place has asked as a browser";
  if (finding !== "failing") return undefined;
  const reasons = [
    ...(votes === "agreed" ? [] : ["another place in Moscow disagrees"]),
    ...(cutBy === "name" ? [] : [CUT_BY_DOUBT[cutBy]]),
    ...(working >= 2 ? [] : ["it works in fewer than two networks abroad"]),
    ...(failing === 0 ? [] : ["it fails abroad too"]),
    ...(scope === "path" ? ["the path abroad is cut"] : []),
  ];
  const rest = [
    "the controls did not reach the runner's own server, or the failure is of another kind",
  ];
  return `no claim: ${(reasons.length === 0 ? rest : reasons).join("; ")}`;
}

/** What `explain` says of the reports, one sentence in each line. */
export function reportLines(reports: ReportExplanation): readonly string[] {
  const { hour, day, networks, ignoredNetworks, blocks, threshold } = reports;
  const counted = `${hour.accepted} in the last hour, ${day.accepted} in the last 24 hours (of ${day.raw} received)`;
  if (day.raw === 0 && reports.surge.phase === "off") return ["None in the last 24 hours."];
  const ignored =
    ignoredNetworks === 0 ? "" : `, ${ignoredNetworks} ignored that report everything`;
  return [
    `${counted}.`,
    ...shareLines(reports),
    ...operatorLines(reports),
    `Last 15 minutes evaluated: ${networks} networks in ${blocks} blocks${ignored}; ${threshold} start a surge${reports.isSpread ? "" : ", if they are spread over four blocks and none has more than half"}.`,
    reports.rule === "cold"
      ? "Under seven days of history: the threshold is fixed."
      : `Expected: ${reports.expected.toFixed(2)}; as many by chance: ${reports.probability.toExponential(1)}.`,
    surgeLine(reports),
  ];
}

function shareLines({ beyondShare }: ReportExplanation): readonly string[] {
  if (beyondShare === 0) return [];
  return [
    `Not counted in the last hour: ${beyondShare} networks of a block that reports more than all others together, or of fewer than four blocks.`,
  ];
}

/** Those with enough reports to be published. */
function operatorLines({
  operators: { operators, unusual },
}: ReportExplanation): readonly string[] {
  const shares = operators.map(({ operator, hour, day, percent, usual }) => {
    const usually = usual === undefined ? "" : `, usually ${usual.percent}% (${usual.of})`;
    return `${operator} ${hour ?? "few"}, ${day ?? "few"}, ${percent}%${usually}`;
  });
  if (shares.length === 0) return [];
  const named = (unusual?.shares ?? []).map(({ operator }) => operator).join(", ");
  const more =
    unusual === undefined
      ? ""
      : ` More than usual: ${named}${unusual.isAlone ? ", which alone makes the surge" : ""}.`;
  return [`By operator, last hour, last 24 hours, share: ${shares.join("; ")}.${more}`];
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
