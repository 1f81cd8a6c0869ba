import type { Line } from "../../model/service/choices.ts";
import type { Catalogue } from "../../model/service/catalogue.ts";
import type { ServiceEvidence } from "../../model/service/evidence.ts";
import type { BlockingClaim, History } from "../../model/service/history.ts";
import type { ServiceScope } from "../../model/service/interference.ts";
import { mapValues } from "../../model/lists.ts";
import type { EndpointResult } from "../../model/probe-outcome.ts";
import type { State } from "../../model/state.ts";
import { FRESH_MS } from "../../model/time.ts";
import { isDown } from "../../services/history/episodes.ts";
import { isContradicted } from "../../probe/browser/second-opinion.ts";
import { failingRuns } from "../../services/history/sample-codes.ts";
import {
  failuresOnAccessLines,
  type VantageView,
  viewEndpoint,
} from "../../services/interference/endpoint-views.ts";
import { mayRefuse, settleRefusal } from "../../services/history/suspicion.ts";
import {
  failsAtHome,
  judgeService,
  type JudgeSources,
  votesOn,
} from "../../services/interference/judge-services.ts";

/** Results by URL. */
export type Results = ReadonlyMap<string, EndpointResult>;

/** The last results of services, by URL. */
export function resultsIn(services: Iterable<ServiceEvidence>): Results {
  const all = [...services].flatMap(({ endpoints }) => endpoints);
  return new Map(all.map(({ url, result }) => [url, result]));
}

/**
 * The last results that are fresh enough for verdicts at a time, by URL. None if the runner was offline in its last run: what it found
 * before says nothing of where a service fails now. Source: docs/services/scope.md, row 2.
 */
export function freshResults(
  { evidence, lastRun }: Pick<State, "evidence" | "lastRun">,
  nowMs: number,
): Results {
  if (lastRun?.validity === "offline") return new Map();
  return resultsIn([...evidence.values()].filter(({ runAtMs }) => nowMs - runAtMs <= FRESH_MS));
}

/** The scope of each service at a time, by the last results in a state, by slug. Pure. */
export function judgeScopes(
  catalogue: Pick<Catalogue, "services">,
  state: State,
  atMs: number,
): ReadonlyMap<string, ServiceScope> {
  const { history, vantages, lastRun } = state;
  const results = freshResults(state, atMs);
  const sources: JudgeSources = {
    known: vantages,
    nowMs: history.updatedAtMs ?? 0,
    resultOf: (url) => results.get(url),
    claimsOf: (slug) => history.services.get(slug)?.claims ?? [],
    failingRunsOf: (url) => failingRuns(history.endpoints.get(url) ?? ""),
    connectivity: lastRun?.connectivity.state ?? "fine",
  };
  return new Map(catalogue.services.map((one) => [one.slug, judgeService(one, sources)]));
}

/**
 * Results of a run after the vote of the places in Moscow: an endpoint that most of them find otherwise counts as they found it, and
 * one whose owner may refuse this runner as places on lines of subscribers found it.
 */
export function applyVotes(
  results: Results,
  { vantages, history }: Pick<State, "vantages" | "history">,
  { services }: Pick<Catalogue, "services">,
  line: Line,
  nowMs: number,
): Results {
  const endpoints = services.flatMap((service) => service.endpoints);
  const known = new Map(endpoints.map((endpoint) => [endpoint.url, endpoint]));
  return mapValues(results, (result, url) => {
    const endpoint = known.get(url);
    if (endpoint === undefined) return decideResult(result, []);
    const views = viewEndpoint(endpoint, { known: vantages, nowMs });
    const samples = history.endpoints.get(url) ?? "";
    return mayRefuse(endpoint, samples, line)
      ? settleRefusal(result, samples, failuresOnAccessLines(views))
      : decideResult(result, views);
  });
}

/** What counts of a result: people use browsers, and lines of subscribers; after those most of the places decide. */
function decideResult(result: EndpointResult, views: readonly VantageView[]): EndpointResult {
  const isFailing = result.outcome.kind === "failed";
  if (isContradicted(result, result.browser))
    return { ...result, outvotedBy: isFailing ? "healthy" : "failing", decidedBy: "browser" };
  if (failsAtHome(result, views)) return { ...result, outvotedBy: "failing", decidedBy: "home" };
  if (votesOn(result, views) !== "outvoted") return result;
  return { ...result, outvotedBy: isFailing ? "healthy" : "failing" };
}

/**
 * The history with the claims of these scopes: of critical endpoints of services that are down. A claim keeps its beginning, and stays
 * while nothing is known of its endpoint.
 */
export function applyClaims(
  history: History,
  { services }: Pick<Catalogue, "services">,
  scopes: ReadonlyMap<string, ServiceScope>,
  atMs: number,
): History {
  const next = new Map(history.services);
  for (const { slug, endpoints } of services) {
    const record = next.get(slug);
    if (record === undefined) continue;
    const critical = new Set(endpoints.filter((one) => one.isCritical).map(({ url }) => url));
    const claims = (isDown(record.checkClass) ? (scopes.get(slug)?.endpoints ?? []) : []).flatMap(
      ({ url, isClaimed, finding }): readonly BlockingClaim[] => {
        const earlier = record.claims.find((claim) => claim.url === url);
        if (!critical.has(url)) return [];
        if (finding === "unknown") return earlier === undefined ? [] : [earlier];
        return isClaimed ? [earlier ?? { url, sinceMs: atMs }] : [];
      },
    );
    next.set(slug, { ...record, claims });
  }
  return { ...history, services: next };
}
