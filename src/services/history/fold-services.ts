import type { Catalogue, Service } from "../../model/service/catalogue.ts";
import {
  CHECK_CLASSES,
  type CheckClass,
  type DayCounts,
  type HeldFailure,
  type History,
  type RunRecord,
  type ServiceHistory,
} from "../../model/service/history.ts";
import { addToMonths } from "./months.ts";
import { FRESH_MS, HISTORY_DAYS, toUtcDay } from "../../model/time.ts";
import { classify, isFailingView, type Measured, viewService } from "./views.ts";
import {
  type CauseAttribution,
  attributeSuspects,
  type Suspect,
  findSlowNetworks,
  slowNetworkOf,
} from "./common-cause.ts";
import { continueEpisode, isDown, foldOutages } from "./episodes.ts";
import {
  groupSizes,
  groupsOf,
  isConnected,
  isNetworkUnreachable,
  canBePathFault,
  canPass,
} from "./suspicion.ts";
import { ABSENT, charOfClass, type ExtendSamples, HELD, HELD_ALONE } from "./sample-codes.ts";

/** The days of the published history, which have ended, and the present one. */
const MAX_DAYS = HISTORY_DAYS + 1;

/** A run that is being folded in; `endpoints`, `proven` and `runs` include it already. */
export interface Folding extends Measured {
  readonly before: History;
  readonly run: RunRecord;
  readonly catalogue: Catalogue;
  readonly extend: ExtendSamples;
}

/** What a run found about a service. */
type Found = NonNullable<ReturnType<typeof findClass>>;

/**
 * Folds a run into the services. New failures are attributed together, then each is accepted or held. In the endpoints, failures that
 * are held decide nothing.
 */
export function foldServices(folding: Folding): Pick<History, "services" | "held" | "endpoints"> {
  const { catalogue } = folding;
  const found = new Map(
    catalogue.services.flatMap((service) => {
      const finding = findClass(service, folding);
      return finding === undefined ? [] : [[service.slug, finding] as const];
    }),
  );
  const suspects = suspectsIn(found, folding);
  const attributions =
    suspects.length === 0
      ? new Map()
      : attributeSuspects(suspects, circumstancesOf(found, folding));
  const { networks } = folding.run;
  const paces = [...found.values()].map(({ pace }) => pace);
  const slowNetworks = findSlowNetworks(paces, networks);
  const services = new Map<string, ServiceHistory>();
  const held = new Map<string, HeldFailure>();
  const endpoints = new Map(folding.endpoints);
  for (const service of catalogue.services) {
    const { slug } = service;
    const finding = found.get(slug);
    const attribution: CauseAttribution | undefined = attributions.get(slug);
    if (finding !== undefined && attribution?.kind === "held") {
      held.set(slug, holdFailure(finding, attribution, folding));
      const mark = attribution.cause === "lone" ? HELD_ALONE : HELD;
      for (const url of finding.failingUrls)
        endpoints.set(url, (endpoints.get(url) ?? "").slice(0, -1) + mark);
    }
    // A run that did not check a service leaves its held failure unchanged.
    const earlier = finding === undefined ? heldBefore(folding, slug) : undefined;
    if (earlier !== undefined) held.set(slug, earlier);
    const accepted = attribution?.kind === "held" ? withoutFailures(finding) : finding;
    const next = foldService(service, accepted, attribution, folding);
    if (next === undefined) continue;
    const isSlow = accepted !== undefined && next.checkClass === "slow";
    const slowNetwork = isSlow ? slowNetworkOf(accepted.pace, networks, slowNetworks) : null;
    services.set(slug, slowNetwork === null ? next : { ...next, sharedCause: slowNetwork });
  }
  return { services, held, endpoints };
}

function findClass(service: Service, folding: Folding) {
  if (!service.endpoints.some(({ url }) => folding.run.results.has(url))) return undefined;
  const wasSlow = folding.before.services.get(service.slug)?.checkClass === "slow";
  const { views } = viewService(service, folding, wasSlow);
  const checkClass = classify(views);
  if (checkClass === undefined) return undefined;
  const failing = views.filter(isFailingView);
  const measured = views.filter(({ isCritical, isDecidedNow }) => isCritical && isDecidedNow);
  return {
    service,
    checkClass,
    isBlocked: failing.some(({ isCritical, state }) => isCritical && state === "blocked"),
    isClean: failing.length === 0 && !views.some(({ isFlakyNow }) => isFlakyNow),
    failingUrls: failing.map(({ url }) => url),
    /** Number of endpoints that count. */
    counted: views.length,
    /** One endpoint fails, and another one was found healthy by this run. */
    isLone: failing.length === 1 && views.some((view) => view.isDecidedNow && !isFailingView(view)),
    /** The class without the failing endpoints. */
    classOfOthers:
      failing.length === 0 ? checkClass : classify(views.filter((view) => !isFailingView(view))),
    pace: {
      measured: measured.map(({ url }) => url),
      slow: measured.filter(({ isSlow }) => isSlow).map(({ url }) => url),
    },
  };
}

/** The services whose failure begins in this run, or is held since an earlier one. */
function suspectsIn(found: ReadonlyMap<string, Found>, folding: Folding): readonly Suspect[] {
  const { before, run } = folding;
  return [...found.values()].flatMap((finding): readonly Suspect[] => {
    const { service, checkClass, failingUrls } = finding;
    const previous = before.services.get(service.slug)?.checkClass;
    const begins = isDown(checkClass)
      ? previous === undefined || !isDown(previous)
      : checkClass === "partial" && failingUrls.length > 0 && previous !== "partial";
    // A service without history has no beginning. Its failure is suspect only if the runner's network is in trouble.
    if (!begins || (previous === undefined && run.connectivity.state === "fine")) return [];
    return [
      {
        slug: service.slug,
        isDown: isDown(checkClass),
        canBePathFault: failingUrls.every((url) => canBePathFault(run.results.get(url))),
        isConnected: failingUrls.every((url) => isConnected(run.results.get(url))),
        isAbroad: service.isAbroad,
        groups: groupsOf(service, run, failingUrls),
        held: heldBefore(folding, service.slug),
        isLone: finding.isLone && failingUrls.every((url) => canPass(run.results.get(url))),
        isNetworkUnreachable: isNetworkUnreachable(service, failingUrls, folding),
      },
    ];
  });
}

/** The held failure of a service if a run of the last 15 minutes found it; an older one is unrelated. */
function heldBefore({ before, run }: Folding, slug: string): HeldFailure | undefined {
  const held = before.held.get(slug);
  return held !== undefined && run.atMs - held.lastAtMs <= FRESH_MS ? held : undefined;
}

function circumstancesOf(found: ReadonlyMap<string, Found>, folding: Folding) {
  const { before, run, catalogue } = folding;
  const lastMs = before.runs.findLast(({ atMs }) => atMs < run.atMs)?.atMs ?? run.atMs;
  const healthy = [...before.services.values()].filter(({ checkClass }) => !isDown(checkClass));
  return {
    connectivity: run.connectivity.state,
    isCongested: run.isCongested,
    healthyServices: healthy.length,
    elapsedMs: run.atMs - lastMs,
    groupSizes: groupSizes(
      catalogue.services.filter((service) => canBegin(service, found, folding)),
      run,
    ),
  };
}

/**
 * Services that are down, or of which nothing is known, cannot become suspects, so they do not count in the size of a group; nor do
 * those whose held failure this run has not probed yet.
 */
function canBegin({ slug }: Service, found: ReadonlyMap<string, Found>, folding: Folding): boolean {
  const known = folding.before.services.get(slug);
  if (known === undefined ? folding.run.connectivity.state === "fine" : isDown(known.checkClass))
    return false;
  return found.has(slug) || heldBefore(folding, slug) === undefined;
}

function holdFailure(
  { service, checkClass }: Found,
  { cause, failingTogether }: Extract<CauseAttribution, { kind: "held" }>,
  folding: Folding,
): HeldFailure {
  const { before, run } = folding;
  const earlier = heldBefore(folding, service.slug);
  const checkedAtMs = before.services.get(service.slug)?.checkedAtMs;
  const isExact = checkedAtMs !== undefined && run.atMs - checkedAtMs <= FRESH_MS;
  return {
    cause,
    checkClass,
    sinceMs: earlier?.sinceMs ?? run.atMs,
    isSinceExact: earlier?.isSinceExact ?? isExact,
    lastAtMs: run.atMs,
    runs: (earlier?.runs ?? 0) + 1,
    failingTogether,
  };
}

/** The finding without a held failure: nothing if a critical endpoint fails, otherwise the class of the other endpoints. */
function withoutFailures(found: Found | undefined): Found | undefined {
  if (found === undefined || isDown(found.checkClass)) return undefined;
  const { classOfOthers } = found;
  return classOfOthers === undefined ? undefined : { ...found, checkClass: classOfOthers };
}

function foldService(
  service: Service,
  found: Found | undefined,
  attribution: CauseAttribution | undefined,
  folding: Folding,
): ServiceHistory | undefined {
  const { before, run, extend } = folding;
  const { slug } = service;
  const previous = before.services.get(slug);
  if (found === undefined) {
    if (previous === undefined) return undefined;
    // The second part of a run keeps what its first part found about services that it did not probe.
    const wasProbed = service.endpoints.some(({ url }) => run.results.has(url));
    return { ...previous, strip: extend(previous.strip, wasProbed ? ABSENT : undefined) };
  }
  const { checkClass, isBlocked, isClean, failingUrls, counted } = found;
  const begun = attribution?.kind === "accepted" ? heldBefore(folding, slug) : undefined;
  const episode = continueEpisode(previous, { atMs: run.atMs, checkClass, isClean, begun });
  const isSameOutage =
    previous !== undefined && isDown(previous.checkClass) && isDown(episode.checkClass);
  const shared = attribution?.kind === "accepted" ? attribution.sharedCause : null;
  return {
    ...episode,
    isBlocked: isBlocked || (isSameOutage && previous.isBlocked),
    claims: isSameOutage ? previous.claims : [],
    sharedCause: isSameOutage ? previous.sharedCause : shared,
    outages: foldOutages(previous?.outages ?? [], episode, {
      atMs: run.atMs,
      checkedAtMs: previous?.checkedAtMs,
      failing: failingUrls.flatMap((url) => run.results.get(url) ?? []),
      counted,
    }),
    checkedAtMs: run.atMs,
    strip: extend(previous?.strip, charOfClass(episode.checkClass)),
    ...countDay(previous, toUtcDay(run.atMs), episode.checkClass),
  };
}

/** The days with one more check of this one. Those that are too old for them join their months. */
function countDay(
  previous: Pick<ServiceHistory, "days" | "months"> | undefined,
  day: number,
  checkClass: CheckClass,
): Pick<ServiceHistory, "days" | "months"> {
  const { days = [], months } = previous ?? {};
  const today = days.at(-1)?.day === day ? days.at(-1) : undefined;
  const counts = CHECK_CLASSES.map((each, index) => {
    return (today?.counts[index] ?? 0) + (each === checkClass ? 1 : 0);
  });
  const isKept = (each: DayCounts): boolean => each.day > day - MAX_DAYS;
  const earlier = days.filter((each) => each.day < day && isKept(each));
  const old = days.filter((each) => !isKept(each));
  const joined = old.length === 0 ? months : addToMonths(months ?? [], old);
  return { days: [...earlier, { day, counts }], ...(joined !== undefined && { months: joined }) };
}
