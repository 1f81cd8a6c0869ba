import { accessOf, type Catalogue, type Endpoint, type Service } from "../../model/catalogue.ts";
import type { RunMark, SampleString, UnknownReason } from "../../model/history.ts";
import { currentState, type EndpointHistoryView, isFailingView } from "./classify.ts";
import { isChronic, isFlapping, isSlow, isTroubled } from "./response-baseline.ts";
import { isFlakyChar, isRefusedChar, isWallChar, stateOf } from "./sample-codes.ts";

/** The part of the history that the state of an endpoint depends on. */
export interface Measured {
  readonly runs: readonly RunMark[];
  readonly endpoints: ReadonlyMap<string, SampleString>;
  readonly proven: ReadonlySet<string>;
}

/** Why an endpoint does not count for its service. Source: docs/services/verdicts.md, "Endpoints that do not count". */
export const LEFT_OUT = ["unproven", "chronic"] as const;
export type LeftOut = (typeof LEFT_OUT)[number];

export interface ServiceHistoryView {
  /** The endpoints that count. */
  readonly views: readonly (EndpointHistoryView & { readonly url: string })[];
  readonly leftOut: ReadonlyMap<string, LeftOut>;
}

/**
 * The endpoints of a service as of the last run. What never answered is not known: a critical endpoint that never did, or in whose
 * place only a wall did, says nothing, and neither does the failure of a minor one. Where access is restricted, never to have
 * answered is the evidence, so a critical one counts, as it does where a block page answers. A minor endpoint that failed in 95 % of seven days does not count.
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
  const isRestricted = accessOf(service) === "restricted";
  const leftOut = new Map<string, LeftOut>();
  for (const view of all) {
    const { url, isCritical, samples } = view;
    const isFailing = isFailingView(view);
    const isExpected = isCritical && isFailing && (isRestricted || view.state === "blocked");
    if (!measured.proven.has(url) && !isExpected && (isCritical || isFailing))
      leftOut.set(url, "unproven");
    else if (!isCritical && isFailing && isChronic(samples)) leftOut.set(url, "chronic");
  }
  return { views: all.filter(({ url }) => !leftOut.has(url)), leftOut };
}

/**
 * Why the last run decided nothing about a service, by its critical endpoints; null: it did, or it did not probe it.
 * Source: docs/services/verdicts.md, "Endpoints that do not count".
 */
export function whyUnknown(service: Service, measured: Measured): UnknownReason | null {
  const { views } = viewService(service, measured, false);
  if (views.some((view) => view.isCritical && view.isDecidedNow)) return null;
  const critical = service.endpoints
    .filter((endpoint) => isCriticalOf(service, endpoint))
    .map(({ url }) => ({ url, char: (measured.endpoints.get(url) ?? "").slice(-1) }));
  if (critical.some(({ char }) => isRefusedChar(char))) return "refused";
  if (critical.some(({ char }) => isWallChar(char))) return "wall-only";
  const isNever = critical.every(
    ({ url, char }) => !measured.proven.has(url) && stateOf(char) !== undefined,
  );
  return isNever ? "never-reached" : null;
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
    isFlapping: isCritical && isFlapping(samples, runs),
    isFlakyNow:
      isCritical && isFlakyChar(samples.charAt(samples.length - 1)) && !isTroubledNow(runs),
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
