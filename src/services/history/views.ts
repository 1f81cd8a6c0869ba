import type { Catalogue, Endpoint, Service } from "../../model/catalogue.ts";
import type { RunMark, SampleString } from "../../model/history.ts";
import { currentState, type EndpointHistoryView, isFailingView } from "./classify.ts";
import { isChronic, isFlapping, isSlow, isTroubled } from "./response-baseline.ts";
import { isFlakyChar, stateOf } from "./sample-codes.ts";

/** The part of the history that the state of an endpoint depends on. */
export interface Measured {
  readonly runs: readonly RunMark[];
  readonly endpoints: ReadonlyMap<string, SampleString>;
  readonly proven: ReadonlySet<string>;
}

/** Why an endpoint does not count for its service. Source: docs/services/verdicts.md, "Endpoints that do not count". */
export type LeftOut = "unproven" | "chronic";

export interface ServiceHistoryView {
  /** The endpoints that count. */
  readonly views: readonly (EndpointHistoryView & { readonly url: string })[];
  readonly leftOut: ReadonlyMap<string, LeftOut>;
}

/**
 * The endpoints of a service as of the last run. An endpoint that never answered does not count while another one answers, because
 * its entry is probably wrong. A minor endpoint that failed in 95 % of seven days does not count; a critical one always does.
 * Source: docs/services/verdicts.md, "Endpoints that do not count".
 *
 * @param wasSlow the service was slow before this run.
 */
export function viewService(
  service: Service,
  measured: Measured,
  wasSlow: boolean,
): ServiceHistoryView {
  const all = service.endpoints.map((endpoint) => {
    const samples = measured.endpoints.get(endpoint.url) ?? "";
    const isCritical = isCriticalOf(service, endpoint);
    return {
      samples,
      url: endpoint.url,
      ...viewEndpoint(samples, isCritical, measured.runs, wasSlow),
    };
  });
  const isAnyHealthy = all.some(({ state }) => state === "healthy");
  const leftOut = new Map<string, LeftOut>();
  for (const view of all) {
    if (!isFailingView(view)) continue;
    if (isAnyHealthy && !measured.proven.has(view.url)) leftOut.set(view.url, "unproven");
    else if (!view.isCritical && isChronic(view.samples)) leftOut.set(view.url, "chronic");
  }
  const left = all.filter(({ url }) => !leftOut.has(url));
  // If no critical endpoint is left, all that are left count as critical.
  const isNoneCritical = !left.some(({ isCritical }) => isCritical);
  const views = isNoneCritical ? left.map((view) => ({ ...view, isCritical: true })) : left;
  return { views, leftOut };
}

export interface LeftOutEndpoint {
  readonly slug: string;
  readonly url: string;
  readonly why: LeftOut;
}

/** The endpoints that do not count as of the last run, in catalogue order. */
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
  samples: SampleString,
  isCritical: boolean,
  runs: readonly RunMark[],
  wasSlow: boolean,
): EndpointHistoryView {
  return {
    isCritical,
    state: currentState(samples, runs),
    isDecidedNow: stateOf(samples.charAt(samples.length - 1)) !== undefined,
    isFlapping: isFlapping(samples, runs, isCritical),
    isFlakyNow: isFlakyChar(samples.charAt(samples.length - 1)) && !isTroubledNow(runs),
    isSlow: isCritical && isSlow(samples, runs, wasSlow),
  };
}

function isTroubledNow(runs: readonly RunMark[]): boolean {
  const run = runs.at(-1);
  return run !== undefined && isTroubled(run);
}

/** Whether a service is unusable without the endpoint. If none is marked as critical, the first one is. */
export function isCriticalOf(service: Service, endpoint: Endpoint): boolean {
  if (service.endpoints.some((each) => each.isCritical)) return endpoint.isCritical;
  return endpoint === service.endpoints[0];
}
