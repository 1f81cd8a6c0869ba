import type { Catalogue, Service } from "../model/catalogue.ts";
import {
  CHECK_CLASSES,
  type CheckClass,
  type DayCounts,
  type HeldFailure,
  type History,
  type RunMark,
  type RunRecord,
  type ServiceHistory,
  type Track,
} from "../model/history.ts";
import { FRESH_MS, toUtcDay } from "../model/time.ts";
import { classify, isFailingView } from "./classify.ts";
import { type Judgement, judgeSuspects, type Suspect } from "./common-cause.ts";
import { continueEpisode, isDown } from "./episode.ts";
import { groupSizes, groupsOf, isConnected, isNetworkGone, isOfPath } from "./suspicion.ts";
import { ABSENT, charOfClass, type ExtendTrack, HELD } from "./track.ts";
import { viewService } from "./views.ts";

/** Days of counts that are kept, for the 90-day chart. */
const MAX_DAYS = 90;

/** A run on its way into the history: tracks of endpoints hold it already. */
export interface Folding {
  readonly before: History;
  readonly run: RunRecord;
  readonly catalogue: Catalogue;
  readonly runs: readonly RunMark[];
  readonly endpoints: ReadonlyMap<string, Track>;
  readonly proven: ReadonlySet<string>;
  readonly extend: ExtendTrack;
}

export interface FoldedServices extends Pick<History, "services" | "held"> {
  /** The tracks, in which failures that are held decide nothing. */
  readonly spoken: ReadonlyMap<string, Track>;
}

/** What a run found of a service. */
interface Found {
  readonly service: Service;
  readonly checkClass: CheckClass;
  readonly isBlocked: boolean;
  readonly isClean: boolean;
  readonly failingUrls: readonly string[];
  /** The class without the endpoints that fail. */
  readonly classOfOthers: CheckClass | undefined;
}

/** The services with a run folded in: found, doubted together, believed or held one by one. */
export function foldServices(folding: Folding): FoldedServices {
  const { catalogue } = folding;
  const found = new Map(
    catalogue.services.flatMap((service) => {
      const finding = findClass(service, folding);
      return finding === undefined ? [] : [[service.slug, finding] as const];
    }),
  );
  const suspects = suspectsIn(found, folding);
  const judgements: ReadonlyMap<string, Judgement> =
    suspects.length === 0 ? new Map() : judgeSuspects(suspects, circumstancesOf(found, folding));
  const services = new Map<string, ServiceHistory>();
  const held = new Map<string, HeldFailure>();
  const spoken = new Map(folding.endpoints);
  for (const service of catalogue.services) {
    const { slug } = service;
    const finding = found.get(slug);
    const judgement = judgements.get(slug);
    if (finding !== undefined && judgement?.kind === "held") {
      held.set(slug, holdFailure(finding, judgement, folding));
      for (const url of finding.failingUrls) silence(spoken, url);
    } else if (finding === undefined) keepHeld(held, slug, folding);
    const believed = judgement?.kind === "held" ? withoutDoubts(finding) : finding;
    const next = foldService(service, believed, judgement, folding);
    if (next !== undefined) services.set(slug, next);
  }
  return { services, held, spoken };
}

function findClass(service: Service, folding: Folding): Found | undefined {
  if (!service.endpoints.some(({ url }) => folding.run.results.has(url))) return undefined;
  const wasSlow = folding.before.services.get(service.slug)?.checkClass === "slow";
  const { views } = viewService(service, folding, wasSlow);
  const checkClass = classify(views);
  if (checkClass === undefined) return undefined;
  const failing = views.filter(isFailingView);
  return {
    service,
    checkClass,
    isBlocked: failing.some(({ isCritical, state }) => isCritical && state === "blocked"),
    isClean: failing.length === 0 && !views.some(({ isFlakyNow }) => isFlakyNow),
    failingUrls: failing.map(({ url }) => url),
    classOfOthers:
      failing.length === 0 ? checkClass : classify(views.filter((view) => !isFailingView(view))),
  };
}

/** The services of which a failure begins, or has begun and is not believed yet. */
function suspectsIn(found: ReadonlyMap<string, Found>, folding: Folding): readonly Suspect[] {
  const { before, run } = folding;
  return [...found.values()].flatMap((finding): readonly Suspect[] => {
    const { service, checkClass, failingUrls } = finding;
    const previous = before.services.get(service.slug)?.checkClass;
    const begins = isDown(checkClass)
      ? previous === undefined || !isDown(previous)
      : checkClass === "partial" && failingUrls.length > 0 && previous !== "partial";
    // What was never seen has no way to begin; only a way in trouble makes it doubtful.
    if (!begins || (previous === undefined && run.connectivity.state === "fine")) return [];
    return [
      {
        slug: service.slug,
        isDown: isDown(checkClass),
        isOfPath: failingUrls.every((url) => isOfPath(run.results.get(url))),
        isConnected: failingUrls.every((url) => isConnected(run.results.get(url))),
        isAbroad: service.isAbroad,
        groups: groupsOf(service, failingUrls, run),
        held: heldBefore(folding, service.slug),
        isNetworkGone: isNetworkGone(service, failingUrls, folding),
      },
    ];
  });
}

/** A failure that was held a short while before: an older one has nothing to do with this. */
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

/** What is down speaks neither for nor against a group that begins to fail; nor does what is held and was not looked at yet. */
function canBegin({ slug }: Service, found: ReadonlyMap<string, Found>, folding: Folding): boolean {
  const known = folding.before.services.get(slug);
  if (known !== undefined && isDown(known.checkClass)) return false;
  return found.has(slug) || heldBefore(folding, slug) === undefined;
}

function holdFailure(
  { service, checkClass }: Found,
  { cause, failingTogether }: Extract<Judgement, { kind: "held" }>,
  folding: Folding,
): HeldFailure {
  const { before, run } = folding;
  const earlier = heldBefore(folding, service.slug);
  const checkedAtMs = before.services.get(service.slug)?.checkedAtMs;
  const begun = earlier ?? {
    sinceMs: run.atMs,
    isSinceExact: checkedAtMs !== undefined && run.atMs - checkedAtMs <= FRESH_MS,
    runs: 0,
  };
  const { sinceMs, isSinceExact, runs } = begun;
  const now = { lastAtMs: run.atMs, runs: runs + 1, failingTogether };
  return { cause, checkClass, sinceMs, isSinceExact, ...now };
}

/** What a run says of a service whose failure is held: nothing, unless it is of a side endpoint, for then the others have answered. */
function withoutDoubts(found: Found | undefined): Found | undefined {
  if (found === undefined || isDown(found.checkClass)) return undefined;
  const { classOfOthers } = found;
  return classOfOthers === undefined ? undefined : { ...found, checkClass: classOfOthers };
}

/** A run that did not look at a service says nothing of what is held of it. */
function keepHeld(held: Map<string, HeldFailure>, slug: string, folding: Folding): void {
  const earlier = heldBefore(folding, slug);
  if (earlier !== undefined) held.set(slug, earlier);
}

/** The endpoint is asked again as one that was healthy: with all its confirmations. */
function silence(tracks: Map<string, Track>, url: string): void {
  const track = tracks.get(url) ?? "";
  tracks.set(url, track.slice(0, -1) + HELD);
}

function foldService(
  service: Service,
  found: Found | undefined,
  judgement: Judgement | undefined,
  folding: Folding,
): ServiceHistory | undefined {
  const { before, run, extend } = folding;
  const { slug } = service;
  const previous = before.services.get(slug);
  if (found === undefined) {
    if (previous === undefined) return undefined;
    // A run that is completed keeps what its first part said of a service; one that looked in vain says nothing.
    const wasLookedAt = service.endpoints.some(({ url }) => run.results.has(url));
    return { ...previous, strip: extend(previous.strip, wasLookedAt ? ABSENT : undefined) };
  }
  const { checkClass, isBlocked, isClean } = found;
  const begun = judgement?.kind === "believed" ? heldBefore(folding, slug) : undefined;
  const episode = continueEpisode(previous, {
    atMs: run.atMs,
    checkClass,
    isClean,
    ...(begun === undefined ? {} : { begun }),
  });
  const isSameOutage =
    previous !== undefined && isDown(previous.checkClass) && isDown(episode.checkClass);
  const shared = judgement?.kind === "believed" ? judgement.sharedCause : null;
  return {
    ...episode,
    isBlocked: isBlocked || (isSameOutage && previous.isBlocked),
    sharedCause: isSameOutage ? previous.sharedCause : shared,
    checkedAtMs: run.atMs,
    strip: extend(previous?.strip, charOfClass(episode.checkClass)),
    days: countDay(previous?.days ?? [], toUtcDay(run.atMs), episode.checkClass),
  };
}

function countDay(
  days: readonly DayCounts[],
  day: number,
  checkClass: CheckClass,
): readonly DayCounts[] {
  const today = days.at(-1)?.day === day ? days.at(-1) : undefined;
  const counts = CHECK_CLASSES.map((each, index) => {
    return (today?.counts[index] ?? 0) + (each === checkClass ? 1 : 0);
  });
  const earlier = days.filter((each) => each.day < day && each.day > day - MAX_DAYS);
  return [...earlier, { day, counts }];
}
