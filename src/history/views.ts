import type { Catalogue, Endpoint, Service } from "../model/catalogue.ts";
import type { RunMark, Track } from "../model/history.ts";
import { currentState, type EndpointView, isFailingView } from "./classify.ts";
import { isChronic, isFlapping, isSlow, isTroubled } from "./stats.ts";
import { isFlakyChar, stateOf } from "./track.ts";

/** What the endpoints of a service are seen by. */
export interface Measured {
  readonly runs: readonly RunMark[];
  readonly endpoints: ReadonlyMap<string, Track>;
  readonly proven: ReadonlySet<string>;
}

/** Why an endpoint does not count for its service. */
export type LeftOut = "unproven" | "chronic";

export interface ServiceView {
  /** Those that count. */
  readonly views: readonly (EndpointView & { readonly url: string })[];
  readonly leftOut: ReadonlyMap<string, LeftOut>;
}

/**
 * The endpoints of a service as of the last run. One that never answered does not count while another answers: its entry is wrong, more
 * likely than not. A minor one that has failed in 95 % of seven days is no news, so it is left out; a critical one never is.
 * Source: docs/verdicts.md, "Endpoints that do not count".
 *
 * @param wasSlow the service was slow before this run.
 */
export function viewService(service: Service, measured: Measured, wasSlow: boolean): ServiceView {
  const all = service.endpoints.map((endpoint) => {
    const track = measured.endpoints.get(endpoint.url) ?? "";
    const isCritical = isCriticalOf(service, endpoint);
    return { track, url: endpoint.url, ...viewEndpoint(track, isCritical, measured.runs, wasSlow) };
  });
  const isAnyHealthy = all.some(({ state }) => state === "healthy");
  const leftOut = new Map<string, LeftOut>();
  for (const view of all) {
    if (!isFailingView(view)) continue;
    if (isAnyHealthy && !measured.proven.has(view.url)) leftOut.set(view.url, "unproven");
    else if (!view.isCritical && isChronic(view.track)) leftOut.set(view.url, "chronic");
  }
  const left = all.filter(({ url }) => !leftOut.has(url));
  // Those that are left speak for the service where no critical one does.
  const isNoneCritical = !left.some(({ isCritical }) => isCritical);
  const views = isNoneCritical ? left.map((view) => ({ ...view, isCritical: true })) : left;
  return { views, leftOut };
}

/** An endpoint that does not count, and why. */
export interface LeftOutEndpoint {
  readonly slug: string;
  readonly url: string;
  readonly why: LeftOut;
}

/** The endpoints that do not count as of the last run, in the order of the catalogue. */
export function findLeftOut(
  { services }: Catalogue,
  measured: Measured,
): readonly LeftOutEndpoint[] {
  return services.flatMap((service) =>
    [...viewService(service, measured, false).leftOut].map(([url, why]) => {
      return { slug: service.slug, url, why };
    }),
  );
}

function viewEndpoint(
  track: Track,
  isCritical: boolean,
  runs: readonly RunMark[],
  wasSlow: boolean,
): EndpointView {
  return {
    isCritical,
    state: currentState(track, runs),
    isDecidedNow: stateOf(track.charAt(track.length - 1)) !== undefined,
    isFlapping: isFlapping(track, runs, isCritical),
    isFlakyNow: isFlakyChar(track.charAt(track.length - 1)) && !isTroubledNow(runs),
    isSlow: isCritical && isSlow(track, runs, wasSlow),
  };
}

function isTroubledNow(runs: readonly RunMark[]): boolean {
  const run = runs.at(-1);
  return run !== undefined && isTroubled(run);
}

/** Whether a service is unusable without the endpoint. Where none is marked, the first one stands in. */
export function isCriticalOf(service: Service, endpoint: Endpoint): boolean {
  if (service.endpoints.some((each) => each.isCritical)) return endpoint.isCritical;
  return endpoint === service.endpoints[0];
}
