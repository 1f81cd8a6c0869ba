import type { Catalogue } from "../../model/service/catalogue.ts";
import type { History, RunMark, RunRecord, SampleString } from "../../model/service/history.ts";
import { isOwnFailure } from "../../model/outcome-rules.ts";
import { DAY_MS, SECOND_MS } from "../../model/time.ts";
import { foldServices } from "./fold-services.ts";
import {
  ABSENT,
  anchorKey,
  encodeResult,
  type ExtendSamples,
  standsForAnswer,
  WALL,
} from "./sample-codes.ts";

export const WINDOW_MS: number = 7 * DAY_MS;

/** Twice the runs of seven days, one in five minutes: a bound on memory in case the timer fires more often. */
export const MAX_RUNS = 4_032;

/**
 * The time at which a run made at `nowMs` is folded in. Runs are ordered by distinct times. A run that
 * overlaps, or whose clock was set back, is still valid: it gets the time one second after the last run.
 * A replay gives its time explicitly, so one that is not after the last run is already in the history.
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
 * The history with one valid run folded in; a run with the time of the last one adds its later results to it. Endpoints and
 * services that the run did not probe keep their records; those no longer in the catalogue are dropped. Throws RangeError if the
 * run is before the last one; `effectiveRunTime` gives a valid time.
 */
export function fold(history: History, run: RunRecord, catalogue: Catalogue): History {
  const lastMs = history.runs.at(-1)?.atMs;
  if (lastMs !== undefined && run.atMs < lastMs) {
    throw new RangeError(`run at ${run.atMs} ms is before the last run at ${lastMs} ms`);
  }
  const { runs, extend } = align(history, run, run.atMs === lastMs);
  const endpoints = foldEndpoints(history, run, catalogue, extend);
  const proven = foldProven(history, run, endpoints, catalogue);
  const folding = { before: history, run, catalogue, runs, endpoints, proven, extend };
  return { updatedAtMs: run.atMs, runs, proven, ...foldServices(folding) };
}

/** The runs with this one, which may complete the last of them, and how samples are aligned with them. */
function align(
  { runs: before }: History,
  { atMs, isCongested, connectivity }: RunRecord,
  isCompleting: boolean,
): { readonly runs: readonly RunMark[]; readonly extend: ExtendSamples } {
  const mark = { atMs, isCongested, connectivity: connectivity.state };
  const absent = ABSENT.repeat(before.length);
  if (isCompleting) {
    const extend: ExtendSamples = (samples = absent, char) =>
      char === undefined ? samples : samples.slice(0, -1) + char;
    return { runs: [...before.slice(0, -1), mark], extend };
  }
  const kept = before.filter((one) => one.atMs >= atMs - WINDOW_MS);
  const runs = [...kept, mark].slice(-MAX_RUNS);
  return {
    runs,
    extend: (samples = absent, char = ABSENT) => (samples + char).slice(-runs.length),
  };
}

function foldEndpoints(
  history: History,
  run: RunRecord,
  catalogue: Catalogue,
  extend: ExtendSamples,
): ReadonlyMap<string, SampleString> {
  const endpoints = new Map<string, SampleString>();
  for (const { url } of catalogue.services.flatMap((service) => service.endpoints)) {
    const result = run.results.get(url);
    endpoints.set(url, extend(history.endpoints.get(url), result && encodeResult(result)));
  }
  for (const { url } of catalogue.anchors) {
    const outcome = run.anchors.get(url);
    const char = outcome && encodeResult({ outcome, isFlaky: false, attempts: [outcome] });
    endpoints.set(anchorKey(url), extend(history.endpoints.get(anchorKey(url)), char));
  }
  return endpoints;
}

/**
 * An endpoint that answered once is proven for as long as the catalogue has it. A failure of its own is an answer as well, and so is what
 * answers the runner alone; a wall in its place proves nothing.
 */
function foldProven(
  { proven }: History,
  { results }: RunRecord,
  endpoints: ReadonlyMap<string, SampleString>,
  catalogue: Catalogue,
): ReadonlySet<string> {
  const urls = catalogue.services.flatMap((service) => service.endpoints.map(({ url }) => url));
  const isAnswering = (url: string): boolean => {
    const char = (endpoints.get(url) ?? "").slice(-1);
    if (standsForAnswer(char) && char !== WALL) return true;
    const outcome = results.get(url)?.outcome;
    if (outcome?.kind === "ok") return outcome.trace.wall === undefined;
    return outcome !== undefined && isOwnFailure(outcome);
  };
  return new Set(urls.filter((url) => proven.has(url) || isAnswering(url)));
}
