import { accessOf, type Catalogue, type Endpoint, type Service } from "../model/catalogue.ts";
import {
  CHECK_CLASSES,
  type CheckClass,
  type DayCounts,
  type History,
  type RunMark,
  type RunRecord,
  type ServiceHistory,
  type Track,
} from "../model/history.ts";
import { DAY_MS, SECOND_MS, toUtcDay } from "../model/time.ts";
import { classify, currentState, type EndpointView } from "./classify.ts";
import { continueEpisode } from "./episode.ts";
import { isChronic, isFlapping, isSlow } from "./stats.ts";
import { ABSENT, anchorKey, charOfClass, encodeAnchor, encodeResult, stateOf } from "./track.ts";

/** How far back the history of runs reaches. */
export const WINDOW_MS: number = 7 * DAY_MS;

/** Twice what seven days hold at one run in five minutes: a bound, whatever the timer does. */
export const MAX_RUNS = 4_032;

/** Days of counts that are kept, for the 90-day chart. */
const MAX_DAYS = 90;

/**
 * The time at which a run made at `nowMs` is folded in. Runs are ordered and no two share a time, but an
 * overlapping run or a clock that was set back is still a measurement: it goes one second after the last.
 * A replay names its time on purpose, so one that is not after the last run is already in the history.
 */
export function effectiveRunTime(
  history: History,
  nowMs: number,
  isReplay: boolean,
): { readonly kind: "new"; readonly atMs: number } | { readonly kind: "already-folded" } {
  const lastMs = history.runs.at(-1)?.atMs;
  if (lastMs === undefined || nowMs > lastMs) return { kind: "new", atMs: nowMs };
  return isReplay ? { kind: "already-folded" } : { kind: "new", atMs: lastMs + SECOND_MS };
}

/**
 * The history with one valid run folded in. What the run did not look at keeps its record; what the
 * catalogue no longer names is dropped. Throws RangeError when the run is not after the last one:
 * `effectiveRunTime` gives a time that is.
 */
export function fold(history: History, run: RunRecord, catalogue: Catalogue): History {
  const last = history.runs.at(-1);
  if (last !== undefined && run.atMs <= last.atMs) {
    throw new RangeError(`run at ${run.atMs} ms is not after the last run at ${last.atMs} ms`);
  }
  const runs = appendRun(history.runs, run);
  const extend = (track: Track | undefined, char: string): Track => {
    return ((track ?? ABSENT.repeat(history.runs.length)) + char).slice(-runs.length);
  };
  const endpoints = foldEndpoints(history, run, catalogue, extend);
  const services = new Map<string, ServiceHistory>();
  for (const service of catalogue.services) {
    const previous = history.services.get(service.slug);
    const found = findClass(service, { runs, endpoints, results: run.results });
    const checked = found === undefined ? previous : foldFinding(previous, found, run.atMs);
    if (checked === undefined) continue;
    const char = found === undefined ? ABSENT : charOfClass(found.checkClass);
    services.set(service.slug, { ...checked, strip: extend(previous?.strip, char) });
  }
  return { updatedAtMs: run.atMs, runs, endpoints, services };
}

function appendRun(runs: readonly RunMark[], run: RunRecord): readonly RunMark[] {
  const { atMs, isCongested } = run;
  const kept = runs.filter((mark) => mark.atMs >= atMs - WINDOW_MS);
  return [...kept, { atMs, isCongested }].slice(-MAX_RUNS);
}

type Extend = (track: Track | undefined, char: string) => Track;

function foldEndpoints(
  history: History,
  run: RunRecord,
  catalogue: Catalogue,
  extend: Extend,
): ReadonlyMap<string, Track> {
  const endpoints = new Map<string, Track>();
  for (const { url } of catalogue.services.flatMap((service) => service.endpoints)) {
    const result = run.results.get(url);
    const char = result === undefined ? ABSENT : encodeResult(result);
    endpoints.set(url, extend(history.endpoints.get(url), char));
  }
  for (const { url } of catalogue.anchors) {
    const outcome = run.anchors.get(url);
    const char = outcome === undefined ? ABSENT : encodeAnchor(outcome);
    endpoints.set(anchorKey(url), extend(history.endpoints.get(anchorKey(url)), char));
  }
  return endpoints;
}

interface Found {
  readonly checkClass: CheckClass;
  readonly isBlocked: boolean;
}

interface Measured {
  readonly runs: readonly RunMark[];
  readonly endpoints: ReadonlyMap<string, Track>;
  readonly results: RunRecord["results"];
}

function findClass(service: Service, measured: Measured): Found | undefined {
  if (!service.endpoints.some(({ url }) => measured.results.has(url))) return undefined;
  const views = viewEndpoints(service, measured);
  const checkClass = classify(views);
  if (checkClass === undefined) return undefined;
  const isBlocked = views.some((view) => view.isCritical && view.state === "blocked");
  return { checkClass, isBlocked };
}

/**
 * The endpoints that count. Where access is limited anyway, a minor endpoint that always fails is part of that
 * limit and no news, so it is left out; a critical one never is, and so never all.
 */
function viewEndpoints(service: Service, measured: Measured): readonly EndpointView[] {
  const isLimited = accessOf(service) !== "none";
  return service.endpoints.flatMap((endpoint) => {
    const track = measured.endpoints.get(endpoint.url) ?? "";
    const isCritical = isCriticalOf(service, endpoint);
    if (isLimited && !isCritical && isChronic(track)) return [];
    return [viewEndpoint(track, isCritical, measured.runs)];
  });
}

function viewEndpoint(track: Track, isCritical: boolean, runs: readonly RunMark[]): EndpointView {
  return {
    isCritical,
    state: currentState(track, runs),
    isDecidedNow: stateOf(track.charAt(track.length - 1)) !== undefined,
    isFlapping: isFlapping(track, runs),
    isSlow: isCritical && isSlow(track, runs),
  };
}

/** A catalogue without a critical endpoint would make every class vacuous: the first one stands in. */
function isCriticalOf(service: Service, endpoint: Endpoint): boolean {
  if (service.endpoints.some((each) => each.isCritical)) return endpoint.isCritical;
  return endpoint === service.endpoints[0];
}

function foldFinding(
  previous: ServiceHistory | undefined,
  found: Found,
  atMs: number,
): Omit<ServiceHistory, "strip"> {
  return {
    ...continueEpisode(previous, { atMs, checkClass: found.checkClass }),
    isBlocked: found.isBlocked,
    checkedAtMs: atMs,
    days: countDay(previous?.days ?? [], toUtcDay(atMs), found.checkClass),
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
