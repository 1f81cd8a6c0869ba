import { type Line } from "../../model/service/choices.ts";
import type { Catalogue, Service, Endpoint } from "../../model/service/catalogue.ts";
import type { History, RunMark, RunRecord, SampleString } from "../../model/service/history.ts";
import type { FailureCode, Stage } from "../../model/failures.ts";
import { zoneOf } from "../../model/host-name.ts";
import { isUnanswered } from "../../model/outcome-rules.ts";
import type { EndpointResult } from "../../model/probe-outcome.ts";
import { countEach } from "../../model/lists.ts";
import { criticalUrls, currentState } from "./views.ts";
import {
  countFirstAnswers,
  isDecided,
  isEvidenced,
  isFailingState,
  lastState,
} from "./sample-codes.ts";

/** The group of all services whose servers are abroad. */
const ABROAD = "abroad";

/**
 * Whether a fault of the runner's network path can explain a failure. It cannot explain evidence of blocking, which is deliberate,
 * nor an answer over verified TLS, which no third party can have written.
 */
export function canBePathFault(result: EndpointResult | undefined): boolean {
  if (result?.outcome.kind !== "failed") return true;
  if (isEvidenced(result)) return false;
  const { stage, code, trace } = result.outcome;
  const isAnswer = stage === "http" && trace.httpStatus !== undefined;
  return trace.tlsVerified !== true || !(isAnswer || OWN_ANSWERS.has(code));
}

const OWN_ANSWERS: ReadonlySet<FailureCode> = new Set([
  "http-server-error",
  "body-works",
  "body-unexpected",
]);

/** Whether a failure can be over in minutes by itself. A certificate, a page of works and a block page stay until their owner acts. */
export function canPass(result: EndpointResult | undefined): boolean {
  if (result?.outcome.kind !== "failed") return true;
  const { code } = result.outcome;
  return !isEvidenced(result) && code !== "body-works" && !code.startsWith("cert-");
}

/** Whether every attempt at an endpoint failed after TCP had connected, which proves a route to its network. */
export function isConnected(result: EndpointResult | undefined): boolean {
  if (result?.outcome.kind !== "failed") return false;
  return result.attempts.every((one) => one.kind === "failed" && PAST_CONNECT.has(one.stage));
}

const PAST_CONNECT: ReadonlySet<Stage> = new Set(["tls", "http", "body"]);

type Path = Pick<RunRecord, "networks" | "connectivity">;

/**
 * What the critical endpoints of a service share with others: networks, DNS zones that fail, a location abroad.
 *
 * @param failingUrls leaves out its other endpoints.
 */
export function groupsOf(
  service: Service,
  { networks, connectivity }: Path,
  failingUrls?: readonly string[],
): readonly string[] {
  const urls = criticalUrls(service).filter((url) => failingUrls?.includes(url) ?? true);
  const zones = urls
    .flatMap((url) => zoneOf(url) ?? [])
    .filter((zone) => connectivity.failingZones.includes(zone));
  const shared = urls.flatMap((url) => networks.get(url) ?? []);
  const abroad = service.isAbroad ? [ABROAD] : [];
  return [...new Set([...zones.map((zone) => `.${zone}`), ...shared, ...abroad])];
}

interface Surroundings extends Pick<History, "runs" | "endpoints"> {
  readonly catalogue: Catalogue;
  readonly run: Pick<RunRecord, "networks">;
}

/**
 * Whether the networks of the failing endpoints are unreachable: all endpoints of other services there fail. Those that failed
 * before this run do not count; if there are no others, the answer is no.
 */
export function isNetworkUnreachable(
  { slug }: Service,
  failingUrls: readonly string[],
  { catalogue, run, runs, endpoints }: Surroundings,
): boolean {
  const networks = new Set(failingUrls.flatMap((url) => run.networks.get(url) ?? []));
  const others = catalogue.services
    .filter((service) => service.slug !== slug)
    .flatMap((service) => service.endpoints)
    .filter(({ url }) => networks.has(run.networks.get(url) ?? ""));
  const answered = others
    .map(({ url }) => endpoints.get(url) ?? "")
    .filter((samples) => !isFailing(samples.slice(0, -1), runs.slice(0, -1)));
  // An earlier answer says nothing of the route now, and neither does the silence of an owner that may refuse this runner.
  const known = answered.filter((samples) => isDecided(samples.slice(-1)));
  return known.length > 0 && known.every((samples) => isFailing(samples, runs));
}

function isFailing(samples: SampleString, runs: readonly RunMark[]): boolean {
  const state = currentState(samples, runs);
  return state !== undefined && isFailingState(state);
}

/** Number of services by name of the group. */
export function groupSizes(services: readonly Service[], path: Path): ReadonlyMap<string, number> {
  return countEach(services.flatMap((service) => groupsOf(service, path)));
}

/** Runs that an endpoint needs before silence means anything where its owner refuses data centres. */
const MIN_RUNS = 200;

/** Share of them in which it has to have answered at the first attempt. Source: docs/services/verdicts.md, "Owners that refuse data centres". */
const MIN_RATIO = 0.95;

/** So many answers that tell of a failure that can pass make one, if other attempts met silence. */
const MIN_ANSWERS = 3;

/** Whether this runner is let in by the owner of an endpoint: it has usually answered at once. */
export function isLetIn(samples: SampleString): boolean {
  const { first, late } = countFirstAnswers(samples);
  return first + late >= MIN_RUNS && first >= MIN_RATIO * (first + late);
}

/** Whether silence of an endpoint towards this runner may be its owner's refusal of data centres. */
export function mayRefuse(
  { refuses = [] }: Pick<Endpoint, "refuses">,
  samples: SampleString,
  line: Line,
): boolean {
  return line === "hosting" && refuses.includes("hosting") && !isLetIn(samples);
}

/**
 * The result of an endpoint whose owner may refuse this runner. What the server said counts in any case; without a word of it, the places
 * in Moscow on lines of subscribers decide, and without those nothing is decided.
 *
 * @param samples of the endpoint before this run.
 * @param elsewhere whether it failed at each place in Moscow on the line of a subscriber that was asked about this failure.
 */
export function settleRefusal(
  { mayBeRefused: _noted, ...result }: EndpointResult,
  samples: SampleString,
  elsewhere: readonly boolean[],
): EndpointResult {
  const { outcome, attempts } = result;
  if (outcome.kind === "skipped" || !attempts.some(isUnanswered)) return result;
  const answers = attempts.filter((one) => one.kind === "failed" && !isUnanswered(one));
  const answer = answers.at(-1);
  if (answer === undefined && (outcome.kind !== "failed" || elsewhere.length === 0))
    return { ...result, mayBeRefused: true };
  if (outcome.kind !== "failed") return result;
  if (answer !== undefined) {
    const told = { ...result, outcome: answer };
    const isEnough = answers.length >= MIN_ANSWERS || lastState(samples) === "failing";
    return isEnough || !canPass(told) ? told : { ...told, mayBeRefused: true };
  }
  const fails = elsewhere.filter((isFailing) => isFailing).length;
  return fails * 2 > elsewhere.length ? result : { ...result, outvotedBy: "healthy" };
}
