import type { Endpoint, Service } from "../../model/service/catalogue.ts";
import type { Connectivity } from "../../model/service/connectivity.ts";
import type { BlockingClaim } from "../../model/service/history.ts";
import type {
  EndpointScope,
  LocalFinding,
  Scope,
  ServiceScope,
  VoteResult,
} from "../../model/service/interference.ts";
import { isCodeOfInterference } from "../../model/failures.ts";
import {
  isAuthenticatedServerError,
  isBlockEvidence,
  mayBeBlocking,
} from "../../model/outcome-rules.ts";
import type { EndpointResult } from "../../model/probe-outcome.ts";
import { concludeExperiment, decideScope, ENOUGH, type ScopeSignals } from "./decide-scope.ts";
import { isUnicast } from "./distances.ts";
import {
  isOnAccessLine,
  type VantageSources,
  type VantageView,
  viewEndpoint,
} from "./endpoint-views.ts";

/** What the scope of the services is judged by. */
export interface JudgeSources extends VantageSources {
  /** The runner's last result of an endpoint; undefined: none, or an old one. */
  readonly resultOf: (url: string) => EndpointResult | undefined;
  /** Claims that were made earlier in the outage of a service. */
  readonly claimsOf: (slug: string) => readonly BlockingClaim[];
  /** The last runs in a row that found an endpoint failing. */
  readonly failingRunsOf: (url: string) => number;
  readonly connectivity: Connectivity["state"];
}

/** The scope of one service and of its endpoints: that of its critical ones, as far as they agree. Pure. */
export function judgeService(service: Service, sources: JudgeSources): ServiceScope {
  const claimed = new Set(sources.claimsOf(service.slug).map(({ url }) => url));
  const endpoints = service.endpoints.map((endpoint) =>
    judgeEndpoint(endpoint, service, claimed.has(endpoint.url), sources),
  );
  const critical = endpoints.filter((_, index) => service.endpoints[index]?.isCritical === true);
  return { scope: joinScopes(critical), endpoints };
}

/** A claim decides, because it gives the verdict. Otherwise endpoints that fail in different places are `mixed`. */
function joinScopes(endpoints: readonly EndpointScope[]): Scope {
  const claimed = endpoints.find(({ isClaimed }) => isClaimed);
  if (claimed !== undefined) return claimed.scope;
  const scopes = [...new Set(endpoints.map(({ scope }) => scope))];
  const places = scopes.filter((scope) => scope !== "none" && scope !== "unknown");
  if (places.length > 1) return "mixed";
  return places[0] ?? (scopes.includes("unknown") ? "unknown" : "none");
}

function judgeEndpoint(
  endpoint: Endpoint,
  { isAbroad }: Service,
  wasClaimed: boolean,
  sources: JudgeSources,
): EndpointScope {
  const { url } = endpoint;
  const result = sources.resultOf(url);
  const views = viewEndpoint(endpoint, sources);
  const finding = findLocally(result);
  const controls = views
    .filter(({ vantage, isAboutFailure }) => vantage.kind === "control" && isAboutFailure)
    .map((view) => ({ ...view, isUnicast: seesOneServer(view, result) }));
  const cutInMoscow = views.filter((view) => view.isCutByName && isCutThere(view));
  const isAboutBody = result?.outcome.kind === "failed" && result.outcome.stage === "body";
  const signals: ScopeSignals = {
    finding,
    isInterference: result !== undefined && mayBeBlocking(result.outcome),
    mayBeWall: !isAbroad || endpoint.refuses?.includes("hosting") === true,
    votes: result === undefined ? "agreed" : votesOn(result, views),
    isForeignPathUp: sources.connectivity === "fine" || sources.connectivity === "lossy",
    ...countNetworks(controls, isAboutBody),
    cutBy: concludeExperiment(result?.experiment ?? []),
    cutElsewhere: networksOf(cutInMoscow).size,
    cutAtHome: networksOf(cutInMoscow.filter(({ vantage }) => isOnAccessLine(vantage))).size,
    wasClaimed,
  };
  const { working, failing, cutBy, votes, cutAtHome, cutElsewhere } = signals;
  const decision = decideScope(signals);
  const scope = { url, finding, ...decision, working, failing, cutBy, votes };
  if (!decision.isClaimed) return scope;
  const unicast = new Set(controls.map((control) => control.isUnicast));
  const isHome = decision.scope === "access";
  return {
    ...scope,
    basis: {
      by: isHome ? "home" : "name",
      networks: isHome ? cutAtHome : 1 + cutElsewhere,
      runs: sources.failingRunsOf(url),
      isUnicast: unicast.has(false) ? false : unicast.has(true) ? true : null,
    },
  };
}

/**
 * Whether a control and the runner connected to one server; undefined: the times do not tell. Of the runner's attempts the quickest
 * counts: a busy machine makes a connection seem longer, never shorter.
 */
function seesOneServer(
  { vantage, result }: VantageView,
  local: EndpointResult | undefined,
): boolean | undefined {
  if (local === undefined || local.outcome.kind === "skipped") return undefined;
  const { address } = local.outcome.trace;
  const times = local.attempts.flatMap((one) =>
    one.kind === "skipped" || one.trace.address !== address ? [] : (one.trace.timings.tcpMs ?? []),
  );
  const quickestMs = times.length === 0 ? undefined : Math.min(...times);
  return isUnicast(vantage.country, quickestMs, result.seen?.connectMs);
}

/** Whether it fails at a place in a way that a box can cause. */
function isCutThere({ result, says, isConnected }: VantageView): boolean {
  const { code } = result;
  if (!isConnected || says !== "fails") return false;
  // The answer of a program does not make a box unlikely that looks for browsers.
  return code === "ok" || (code !== "denied" && code !== "skipped" && isCodeOfInterference(code));
}

/** What was found here. Subscribers, a browser, or the majority of the voters in Moscow may have found something else than the runner. */
function findLocally(result: EndpointResult | undefined): LocalFinding {
  if (result === undefined || result.outcome.kind === "skipped") return "unknown";
  const { outcome, attempts, outvotedBy, decidedBy, mayBeRefused } = result;
  if (outcome.kind === "failed" && mayBeRefused === true) return "unknown";
  if (decidedBy === "home") return "failing-at-home";
  if (decidedBy === "browser") return outvotedBy === "failing" ? "browser-fails" : "browser-works";
  if (outcome.kind === "ok") return outvotedBy === "failing" ? "failing" : "healthy";
  if (outcome.kind === "denied") return "denied";
  if ([outcome, ...attempts].some(isBlockEvidence)) return "block-evidence";
  return isAuthenticatedServerError(outcome) ? "server-error" : "failing";
}

type Control = VantageView & { readonly isUnicast: boolean | undefined };

/**
 * Counts networks, because two controls of one network share its faults. One that works anywhere in it works.
 *
 * @param isAboutBody the body ended early for the runner, so a short answer says nothing.
 */
function countNetworks(controls: readonly Control[], isAboutBody: boolean) {
  const answered = controls.filter(
    ({ says, result }) => says === "works" && (!isAboutBody || result.seen?.large === true),
  );
  const working = networksOf(answered);
  const same = networksOf(answered.filter((one) => one.isSameServer && one.isUnicast !== false));
  const failing = networksOf(
    controls.filter((one) => one.isCalibrated && one.isConnected && one.says === "fails"),
  );
  return {
    working: working.size,
    workingAtSameAddress: same.size,
    isAddressBroken: controls.some(({ result }) => result.sameAddress === "fails"),
    failing: [...failing].filter((asn) => !working.has(asn)).length,
  };
}

function networksOf(views: readonly VantageView[]): ReadonlySet<number> {
  return new Set(views.map(({ vantage }) => vantage.asn));
}

/** How the runner's result stands beside the other places in Moscow. One that never proved anything has no vote, but may have settled a refusal. */
export function votesOn(result: EndpointResult, views: readonly VantageView[]) {
  const { outcome, outvotedBy, decidedBy } = result;
  if (outcome.kind === "skipped") return "agreed";
  if (outvotedBy !== undefined && decidedBy === undefined) return "outvoted";
  const isFailingHere = outcome.kind === "failed";
  const others = views.flatMap(({ vantage, says, ...view }) => {
    if (vantage.kind !== "moscow" || !view.isConnected || says === "nothing") return [];
    const isFailing = says === "fails";
    // An answer has to be about this failure.
    const isBelieved = view.isCalibrated && (isFailing || !isFailingHere || view.isAboutFailure);
    return isBelieved ? [isFailing] : [];
  });
  return countVotes(isFailingHere, others);
}

/**
 * Whether an endpoint that answers the runner does not open at home: it fails in two networks of subscribers, and either each of them shows
 * by itself that it is cut, by name or for browsers, or they have outvoted the runner.
 */
export function failsAtHome(result: EndpointResult, views: readonly VantageView[]): boolean {
  if (result.outcome.kind !== "ok") return false;
  const home = views.filter((view) => isOnAccessLine(view.vantage) && isCutThere(view));
  const cut = home.filter((view) => view.isCutByName || view.isShutToBrowsers);
  if (networksOf(cut).size >= ENOUGH) return true;
  const failing = home.filter(({ isCalibrated }) => isCalibrated);
  return networksOf(failing).size >= ENOUGH && votesOn(result, views) === "outvoted";
}

/**
 * How the runner's result stands among the voters in Moscow, the runner included. A majority decides. A tie, as of two that disagree,
 * leaves the runner its result: it is not known which of them is the exception.
 *
 * @param others whether the endpoint failed at each other voter that can be believed.
 */
export function countVotes(isFailingHere: boolean, others: readonly boolean[]): VoteResult {
  const against = others.filter((isFailing) => isFailing !== isFailingHere).length;
  const voters = others.length + 1;
  if (against * 2 > voters) return "outvoted";
  return against * 2 === voters ? "alone" : "agreed";
}
