import type {
  CheckClass,
  RunMark,
  SampleString,
  History,
  LeftOut,
  UnknownReason,
} from "../../model/service/history.ts";
import { FRESH_MS } from "../../model/time.ts";
import {
  type EndpointState,
  isDecided,
  isFailingState,
  stateOf,
  FLAKY,
  REFUSED,
  WALL,
} from "./sample-codes.ts";
import { accessOf, type Catalogue, type Service } from "../../model/service/catalogue.ts";
import { isChronic, isFlapping, isSlow, isTroubled, lastRecent } from "./response-baseline.ts";

/** The input of `classify` for one endpoint. */
export interface EndpointHistoryView {
  readonly isCritical: boolean;
  /** Undefined: nothing recent is known, so the endpoint does not count. */
  readonly state: EndpointState | undefined;
  /** Decided by the last run, not carried over from an earlier one. */
  readonly isDecidedNow: boolean;
  /** Of a critical endpoint. One of five machines behind a minor one loses requests for hours, without harm to the service. */
  readonly isFlapping: boolean;
  /** The last run needed a retry at a critical endpoint, and neither the runner nor its network was in trouble. */
  readonly isFlakyNow: boolean;
  readonly isSlow: boolean;
}

/**
 * State of an endpoint as of the last run. If that run skipped it, the decision of an earlier run holds for as
 * long as it is fresh; undefined after that.
 */
export function currentState(
  samples: SampleString,
  runs: readonly RunMark[],
): EndpointState | undefined {
  const [char = ""] = lastRecent(samples, runs, 1, isDecided, FRESH_MS);
  return stateOf(char);
}

/**
 * The check class of a service; undefined if this run decided no critical endpoint, because a decision carried over must not look new.
 * First match wins: down (a critical endpoint fails: `server-error` if all failing ones answer with a 5xx of their own, else `failing`),
 * `provider-denied` (all critical ones), `partial` (a minor endpoint fails, or a critical one flaps), `slow` (a critical one), `up`.
 * Source: docs/services/verdicts.md, "Check classes".
 */
export function classify(views: readonly EndpointHistoryView[]): CheckClass | undefined {
  const known = views.filter((view) => view.state !== undefined);
  const critical = known.filter((view) => view.isCritical);
  if (!critical.some((view) => view.isDecidedNow)) return undefined;
  const failing = critical.filter(isFailingView);
  if (failing.length > 0) {
    return failing.every((view) => view.state === "server-error") ? "server-error" : "failing";
  }
  if (critical.every((view) => view.state === "denied")) return "provider-denied";
  if (known.some((view) => isFailingView(view) || view.isFlapping)) return "partial";
  return critical.some((view) => view.isSlow) ? "slow" : "up";
}

export function isFailingView(view: EndpointHistoryView): boolean {
  return view.state !== undefined && isFailingState(view.state);
}

/** The part of the history that the state of an endpoint depends on. */
export type Measured = Pick<History, "runs" | "endpoints" | "proven">;

/**
 * The endpoints of a service as of the last run. What never answered is not known: a critical endpoint that never did, or in whose place
 * only a wall did, says nothing, and neither does the failure of a minor one. Where access is restricted, never to have answered is the
 * evidence, so a critical one counts, as it does where a block page answers. A minor endpoint that failed in 95 % of seven days does not
 * count. Source: docs/services/verdicts.md, "Endpoints that do not count".
 *
 * @param wasSlow the service was slow before this run.
 */
export function viewService(service: Service, measured: Measured, wasSlow: boolean) {
  const { runs } = measured;
  const isTroubledNow = runs.slice(-1).some(isTroubled);
  const all = service.endpoints.map((endpoint) => {
    const { url, isCritical } = endpoint;
    const samples = measured.endpoints.get(url) ?? "";
    const char = samples.slice(-1);
    const view: EndpointHistoryView = {
      isCritical,
      state: currentState(samples, runs),
      isDecidedNow: isDecided(char),
      isFlapping: isCritical && isFlapping(samples, runs),
      isFlakyNow: isCritical && char === FLAKY && !isTroubledNow,
      isSlow: isCritical && isSlow(samples, runs, wasSlow),
    };
    return { samples, url, ...view };
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
  // `views` are of the endpoints that count.
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
  const critical = criticalUrls(service).map((url) => {
    return { url, char: (history.endpoints.get(url) ?? "").slice(-1) };
  });
  if (critical.some(({ char }) => char === REFUSED)) return "refused";
  if (critical.some(({ char }) => char === WALL)) return "wall-only";
  const isNever = critical.every(({ url, char }) => !history.proven.has(url) && isDecided(char));
  return isNever ? "never-reached" : null;
}

/** The endpoints that do not count as of the last run, in catalogue order. */
export function findLeftOut({ services }: Catalogue, measured: Measured) {
  return services.flatMap((service) =>
    Array.from(viewService(service, measured, false).leftOut, ([url, why]) => {
      return { slug: service.slug, url, why };
    }),
  );
}

export function criticalUrls({ endpoints }: Service): readonly string[] {
  return endpoints.filter(({ isCritical }) => isCritical).map(({ url }) => url);
}
