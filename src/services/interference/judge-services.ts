import type { Catalogue, Endpoint, Service } from "../../model/service/catalogue.ts";
import type { Connectivity } from "../../model/service/connectivity.ts";
import type { BlockingClaim } from "../../model/service/history.ts";
import type {
  EndpointScope,
  LocalFinding,
  Scope,
  ServiceScope,
  VoteResult,
} from "../../model/service/interference.ts";
import {
  type EndpointResult,
  isAuthenticatedServerError,
  isBlockEvidence,
  mayBeBlocking,
} from "../../model/probe-outcome.ts";
import { concludeExperiment, decideScope, type ScopeSignals } from "./decide-scope.ts";
import {
  isFailingAt,
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
  readonly connectivity: Connectivity["state"];
}

/** The scope of each service and of its endpoints, by slug. Pure. */
export function judgeServices(
  { services }: Pick<Catalogue, "services">,
  sources: JudgeSources,
): ReadonlyMap<string, ServiceScope> {
  return new Map(services.map((service) => [service.slug, judgeService(service, sources)]));
}

/** The scope of one service: that of its critical endpoints, as far as they agree. */
export function judgeService(service: Service, sources: JudgeSources): ServiceScope {
  const claimed = new Set(sources.claimsOf(service.slug).map(({ url }) => url));
  const endpoints = service.endpoints.map((endpoint) =>
    judgeEndpoint(endpoint, service, claimed.has(endpoint.url), sources),
  );
  const critical = endpoints.filter((_, index) => service.endpoints[index]?.isCritical === true);
  return { scope: joinScopes(critical.length === 0 ? endpoints : critical), endpoints };
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
  const controls = views.filter(
    ({ vantage, isAboutFailure }) => vantage.kind === "control" && isAboutFailure,
  );
  const signals: ScopeSignals = {
    finding,
    isInterference: result !== undefined && mayBeBlocking(result.outcome),
    mayBeWall: !isAbroad || endpoint.refuses?.includes("hosting") === true,
    votes: result === undefined ? "agreed" : votesOn(result, views),
    isForeignPathUp: sources.connectivity === "fine" || sources.connectivity === "lossy",
    ...countNetworks(controls),
    cutBy: concludeExperiment(result?.experiment ?? []),
    wasClaimed,
  };
  const { working, failing, cutBy, votes } = signals;
  return { url, finding, ...decideScope(signals), working, failing, cutBy, votes };
}

/** What the runner found. The majority of the voters in Moscow may have found something else. */
function findLocally(result: EndpointResult | undefined): LocalFinding {
  if (result === undefined || result.outcome.kind === "skipped") return "unknown";
  const { outcome, attempts, outvotedBy } = result;
  if (outcome.kind === "ok") return outvotedBy === "failing" ? "failing" : "healthy";
  if (outcome.kind === "denied") return "denied";
  if ([outcome, ...attempts].some(isBlockEvidence)) return "block-evidence";
  return isAuthenticatedServerError(outcome) ? "server-error" : "failing";
}

/** Counts networks, because two controls of one network share its faults. One that works anywhere in it works. */
function countNetworks(controls: readonly VantageView[]) {
  const answered = controls.filter(({ result }) => result.code === "ok");
  const working = networksOf(answered);
  const same = networksOf(answered.filter(({ isSameServer }) => isSameServer));
  const failing = networksOf(
    controls.filter((one) => one.isCalibrated && one.isConnected && isFailingAt(one.result)),
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

/** How the runner's result stands beside the other places in Moscow. */
export function votesOn(result: EndpointResult, views: readonly VantageView[]) {
  const { outcome } = result;
  if (outcome.kind === "skipped") return "agreed";
  const isFailingHere = outcome.kind === "failed";
  const others = views.flatMap(({ vantage, ...view }) => {
    const isFailing = isFailingAt(view.result);
    if (vantage.kind !== "moscow" || !view.isConnected || isFailing === undefined) return [];
    // A failure counts where the endpoint usually works; an answer has to be about this failure.
    const isBelieved = isFailing ? view.isCalibrated : !isFailingHere || view.isAboutFailure;
    return isBelieved ? [isFailing] : [];
  });
  return countVotes(isFailingHere, others);
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
