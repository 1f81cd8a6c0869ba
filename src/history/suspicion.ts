import type { Catalogue, Service } from "../model/catalogue.ts";
import type { RunMark, RunRecord, Track } from "../model/history.ts";
import {
  type EndpointResult,
  type FailureCode,
  isBlockEvidence,
  type Stage,
} from "../model/outcome.ts";
import { currentState } from "./classify.ts";
import { isFailingState } from "./track.ts";
import { isCriticalOf } from "./views.ts";

/** The group of all services whose servers are abroad. */
export const ABROAD = "abroad";

/**
 * Whether a failure can be that of the runner's way: all but evidence of blocking, which somebody meant, and an answer that came over
 * verified TLS, which nobody in between has written.
 */
export function isOfPath(result: EndpointResult | undefined): boolean {
  if (result?.outcome.kind !== "failed") return true;
  if ([result.outcome, ...result.attempts].some(isBlockEvidence)) return false;
  const { stage, code, trace } = result.outcome;
  const isAnswer = stage === "http" && trace.httpStatus !== undefined;
  const isOwn = isAnswer || OWN_ANSWERS.has(code);
  return trace.tlsVerified !== true || !isOwn;
}

const OWN_ANSWERS: ReadonlySet<FailureCode> = new Set([
  "http-server-error",
  "body-works",
  "body-unexpected",
]);

/**
 * Whether every try at an endpoint failed on a connection that stood. The way to its network is there, then: a route that is gone lets no
 * connection come about.
 */
export function isConnected(result: EndpointResult | undefined): boolean {
  if (result?.outcome.kind !== "failed") return false;
  return result.attempts.every((one) => one.kind === "failed" && PAST_CONNECT.has(one.stage));
}

const PAST_CONNECT: ReadonlySet<Stage> = new Set(["tls", "http", "body"]);

/** What the failing endpoints of a service share with others: their networks, a zone that is gone, that they are abroad. */
export function groupsOf(
  service: Service,
  failingUrls: readonly string[],
  run: Pick<RunRecord, "networks" | "connectivity">,
): readonly string[] {
  const critical = service.endpoints.filter((endpoint) => isCriticalOf(service, endpoint));
  const failing = critical.map(({ url }) => url).filter((url) => failingUrls.includes(url));
  return namesOf(service, failing, run);
}

/**
 * Whether the networks of the failing endpoints have fallen silent: others there answered before, and none does now. What failed before
 * is no sign, and where no other service is nothing can be told.
 */
export function isNetworkGone(
  { slug }: Service,
  failingUrls: readonly string[],
  { catalogue, run, runs, endpoints }: Surroundings,
): boolean {
  const gone = new Set(failingUrls.flatMap((url) => run.networks.get(url) ?? []));
  const others = catalogue.services
    .filter((service) => service.slug !== slug)
    .flatMap((service) => service.endpoints)
    .filter(({ url }) => gone.has(run.networks.get(url) ?? ""));
  const answered = others
    .map(({ url }) => endpoints.get(url) ?? "")
    .filter((track) => !isFailing(track.slice(0, -1), runs.slice(0, -1)));
  const known = answered.filter((track) => currentState(track, runs) !== undefined);
  return known.length > 0 && known.every((track) => isFailing(track, runs));
}

function isFailing(track: Track, runs: readonly RunMark[]): boolean {
  const state = currentState(track, runs);
  return state !== undefined && isFailingState(state);
}

interface Surroundings {
  readonly catalogue: Catalogue;
  readonly run: Pick<RunRecord, "networks">;
  readonly runs: readonly RunMark[];
  readonly endpoints: ReadonlyMap<string, Track>;
}

/** How many of the services each group has. */
export function groupSizes(
  services: readonly Service[],
  run: Pick<RunRecord, "networks" | "connectivity">,
): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const service of services) {
    const critical = service.endpoints.filter((endpoint) => isCriticalOf(service, endpoint));
    const urls = critical.map(({ url }) => url);
    for (const name of namesOf(service, urls, run)) sizes.set(name, (sizes.get(name) ?? 0) + 1);
  }
  return sizes;
}

function namesOf(
  { isAbroad }: Service,
  urls: readonly string[],
  { networks, connectivity }: Pick<RunRecord, "networks" | "connectivity">,
): readonly string[] {
  const zones = urls.map(zoneOf).filter((zone) => connectivity.failingZones.includes(zone));
  const carriers = urls.flatMap((url) => networks.get(url) ?? []);
  return [
    ...new Set([...zones.map((zone) => `.${zone}`), ...carriers, ...(isAbroad ? [ABROAD] : [])]),
  ];
}

function zoneOf(url: string): string {
  return new URL(url).hostname.split(".").at(-1) ?? "";
}
