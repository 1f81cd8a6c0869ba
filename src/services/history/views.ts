import {
  accessOf,
  type Catalogue,
  type Endpoint,
  type Service,
} from "../../model/service/catalogue.ts";
import type {
  History,
  LeftOut,
  RunMark,
  SampleString,
  UnknownReason,
} from "../../model/service/history.ts";
import { FRESH_MS } from "../../model/time.ts";
import { currentState, type EndpointHistoryView, isFailingView } from "./classify.ts";
import { isChronic, isFlapping, isSlow, isTroubled } from "./response-baseline.ts";
import { isFlakyChar, isRefusedChar, isWallChar, stateOf } from "./sample-codes.ts";

/** The part of the history that the state of an endpoint depends on. */
export interface Measured {
  readonly runs: readonly RunMark[];
  readonly endpoints: ReadonlyMap<string, SampleString>;
  readonly proven: ReadonlySet<string>;
}

export interface ServiceHistoryView {
  /** The endpoints that count. */
  readonly views: readonly (EndpointHistoryView & { readonly url: string })[];
  readonly leftOut: ReadonlyMap<string, LeftOut>;
}

/**
 * The endpoints of a service as of the last run. What never answered is not known: a critical endpoint that never did, or in whose
 * place only a wall did, says nothing, and neither does the failure of a minor one. Where access is restricted, never to have
 * answered is the evidence, so a critical one counts, as it does where a block page answers. A minor endpoint that failed in 95 % of
 * seven days does not count.
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
 * Why nothing is known of a service as of the last run, by its critical endpoints; null: something is, or the run did not probe it.
 * Source: docs/services/verdicts.md, "Endpoints that do not count".
 */
export function whyUnknown(service: Service, history: History): UnknownReason | null {
  const checkedAtMs = history.services.get(service.slug)?.checkedAtMs;
  if (checkedAtMs !== undefined && (history.updatedAtMs ?? 0) - checkedAtMs <= FRESH_MS)
    return null;
  const critical = service.endpoints
    .filter((endpoint) => isCriticalOf(service, endpoint))
    .map(({ url }) => ({ url, char: (history.endpoints.get(url) ?? "").slice(-1) }));
  if (critical.some(({ char }) => isRefusedChar(char))) return "refused";
  if (critical.some(({ char }) => isWallChar(char))) return "wall-only";
  const isNever = critical.every(
    ({ url, char }) => !history.proven.has(url) && stateOf(char) !== undefined,
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
