import type { Catalogue } from "../model/catalogue.ts";
import type { History, RunMark, RunRecord, Track } from "../model/history.ts";
import { DAY_MS, SECOND_MS } from "../model/time.ts";
import { foldServices } from "./fold-services.ts";
import {
  ABSENT,
  anchorKey,
  encodeAnchor,
  encodeResult,
  type ExtendTrack,
  isFailingState,
  stateOf,
} from "./track.ts";

/** How far back the history of runs reaches. */
export const WINDOW_MS: number = 7 * DAY_MS;

/** Twice what seven days hold at one run in five minutes: a bound, whatever the timer does. */
export const MAX_RUNS = 4_032;

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
 * The history with one valid run folded in, or, where the last run has the time of this one, with more of that run: what it looked at
 * later. What the run did not look at keeps its record; what the catalogue no longer names is dropped. Throws RangeError when the run
 * is before the last one: `effectiveRunTime` gives a time that is not.
 */
export function fold(history: History, run: RunRecord, catalogue: Catalogue): History {
  const lastMs = history.runs.at(-1)?.atMs;
  if (lastMs !== undefined && run.atMs < lastMs) {
    throw new RangeError(`run at ${run.atMs} ms is before the last run at ${lastMs} ms`);
  }
  const step = run.atMs === lastMs ? completeRun(history, run) : appendRun(history, run);
  const endpoints = foldEndpoints(history, run, catalogue, step.extend);
  const proven = foldProven(history, endpoints, catalogue);
  const { services, held, spoken } = foldServices({
    before: history,
    run,
    catalogue,
    runs: step.runs,
    endpoints,
    proven,
    extend: step.extend,
  });
  return { updatedAtMs: run.atMs, runs: step.runs, endpoints: spoken, proven, services, held };
}

interface FoldStep {
  readonly runs: readonly RunMark[];
  readonly extend: ExtendTrack;
}

function appendRun(history: History, run: RunRecord): FoldStep {
  const kept = history.runs.filter((mark) => mark.atMs >= run.atMs - WINDOW_MS);
  const runs = [...kept, markOf(run)].slice(-MAX_RUNS);
  const absent = ABSENT.repeat(history.runs.length);
  return {
    runs,
    extend: (track = absent, char = ABSENT) => (track + char).slice(-runs.length),
  };
}

function completeRun(history: History, run: RunRecord): FoldStep {
  const absent = ABSENT.repeat(history.runs.length);
  return {
    runs: [...history.runs.slice(0, -1), markOf(run)],
    extend: (track = absent, char) => (char === undefined ? track : track.slice(0, -1) + char),
  };
}

function markOf({ atMs, isCongested, connectivity }: RunRecord): RunMark {
  return { atMs, isCongested, connectivity: connectivity.state };
}

function foldEndpoints(
  history: History,
  run: RunRecord,
  catalogue: Catalogue,
  extend: ExtendTrack,
): ReadonlyMap<string, Track> {
  const endpoints = new Map<string, Track>();
  for (const { url } of catalogue.services.flatMap((service) => service.endpoints)) {
    const result = run.results.get(url);
    const char = result === undefined ? undefined : encodeResult(result);
    endpoints.set(url, extend(history.endpoints.get(url), char));
  }
  for (const { url } of catalogue.anchors) {
    const outcome = run.anchors.get(url);
    const char = outcome === undefined ? undefined : encodeAnchor(outcome);
    endpoints.set(anchorKey(url), extend(history.endpoints.get(anchorKey(url)), char));
  }
  return endpoints;
}

/** An endpoint that answered once is proven for as long as the catalogue names it. */
function foldProven(
  { proven }: History,
  endpoints: ReadonlyMap<string, Track>,
  catalogue: Catalogue,
): ReadonlySet<string> {
  const urls = catalogue.services.flatMap((service) => service.endpoints.map(({ url }) => url));
  return new Set(urls.filter((url) => proven.has(url) || answersNow(endpoints.get(url) ?? "")));
}

function answersNow(track: Track): boolean {
  const state = stateOf(track.charAt(track.length - 1));
  return state !== undefined && !isFailingState(state);
}
