import { isDeepStrictEqual } from "node:util";
import { effectiveRunTime, fold } from "../../services/history/fold.ts";
import { beginArchive } from "./archive-step.ts";
import {
  anchorAnswers,
  type MeasureDependencies,
  type Measurement,
  type MeasureOptions,
  networksOf,
  resultsByUrl,
  resultsOf,
  runEvidence,
} from "./measurement.ts";
import { standingView } from "../../probe/browser/second-opinion.ts";
import {
  applyClaims,
  applyVotes,
  judgeScopes,
  type Results,
  resultsIn,
} from "../publish/judge-scopes.ts";
import { mapValues } from "../../model/lists.ts";
import type { Catalogue } from "../../model/service/catalogue.ts";
import { lastState } from "../../services/history/sample-codes.ts";
import {
  citeAnswers,
  foldVantages,
  type RunnerView,
  type VantageNews,
} from "../../services/interference/fold-vantages.ts";
import { mayRefuse } from "../../services/history/suspicion.ts";
import type { RunEvent } from "../../model/run-event.ts";
import type { History } from "../../model/service/history.ts";
import type { CheckResult } from "../../model/monitor/monitor.ts";
import type { State } from "../../model/state.ts";
import { DAY_MS } from "../../model/time.ts";
import type { StateUpdate } from "../publish/publish-setup.ts";
import { StateError } from "../../state/state-file.ts";

export interface RunOptions extends MeasureOptions {
  /** The time was given by `--at`: a run at or before the last one is a replay and counts nothing. */
  readonly isReplay: boolean;
  /** Slugs to probe; empty: all. The results of the others stay. */
  readonly only: readonly string[];
}

/**
 * If the clock was set back by hours, runs follow the last one second by second. If it was set back by more than a day, freshness
 * and the windows of 24 hours and seven days would be meaningless, and an operator has to correct it. Throws `StateError`.
 */
export function refuseFutureState({ history }: State, { startMs, isReplay }: RunOptions): void {
  const aheadMs = (history.runs.at(-1)?.atMs ?? 0) - startMs;
  if (isReplay || aheadMs <= DAY_MS) return;
  const days = Math.floor(aheadMs / DAY_MS);
  throw new StateError(
    `the last run in the state is ${days} days ahead of this clock. Set the clock (NTP); if it is right, restore the state of before the clock was wrong.`,
  );
}

/** Rebuilds the documents as of a time that was folded before. */
export function replay({ startMs }: RunOptions): StateUpdate {
  const events = [{ event: "already-folded", atMs: startMs }] as const;
  return (state) => ({ state, nowMs: startMs, events });
}

/** Folds nothing. Before the first valid run the complete API is still published, dated to the first attempt. */
export function recordOffline(
  measurement: Measurement,
  { startMs }: RunOptions,
  durationMs: number,
): StateUpdate {
  return (state) => {
    const lastRun = runEvidence(measurement, state.history, startMs, durationMs);
    const history = { ...state.history, updatedAtMs: state.history.updatedAtMs ?? startMs };
    return { state: { ...state, lastRun, history }, nowMs: startMs };
  };
}

/** How the results of some services of a run are folded. */
export interface FoldOptions extends Pick<ReturnType<StateUpdate>, "areMonitorsLater" | "pending"> {
  readonly durationMs: number;
  /** Time at which other services of the same run were folded before. */
  readonly earlierAtMs?: number | undefined;
  /** Called in each attempt with the time of the fold; the last call is valid. */
  readonly onFold?: (atMs: number) => void;
}

export type FoldDependencies = Pick<MeasureDependencies, "catalogue" | "networkOf" | "line">;

/** Folds these results, and what the vantages have said, into the newest state. */
export function foldMeasurement(
  { catalogue, networkOf, line }: FoldDependencies,
  options: RunOptions,
  measurement: Measurement,
  news: VantageNews,
  { durationMs, areMonitorsLater, earlierAtMs, onFold, pending }: FoldOptions,
): StateUpdate {
  return (state) => {
    const time = foldTimeOf(state, options, earlierAtMs);
    if (time.kind === "already-folded") return replay(options)(state);
    const { atMs } = time;
    onFold?.(atMs);
    const lastRun = runEvidence(measurement, state.history, options.startMs, durationMs);
    const measured = resultsByUrl(measurement);
    const view = viewOfRunner(state.history, catalogue, line, measured);
    const vantages = foldVantages(state.vantages, news, view, atMs);
    const earlier = resultsIn(state.evidence.values());
    const seen = withStandingViews(measured, earlier, atMs);
    const results = applyVotes(seen, { ...state, vantages }, catalogue, line, atMs);
    const { connectivity, services } = measurement;
    const anchors = anchorAnswers(measurement);
    const networks = networksOf(measurement, networkOf);
    const { isCongested } = lastRun;
    const record = { atMs, isCongested, connectivity, results, anchors, networks };
    const evidence = new Map(state.evidence);
    for (const { slug, endpoints } of services)
      evidence.set(slug, { runAtMs: atMs, endpoints: resultsOf(endpoints, results) });
    const history = fold(state.history, record, catalogue);
    const archive = beginArchive(state, options.startMs);
    const folded = { ...state, lastRun, history, evidence, vantages, archive };
    const next = judge(state, folded, news, catalogue);
    const behindMs = atMs - options.startMs;
    const events = [
      ...(earlierAtMs === undefined && behindMs > 0
        ? [{ event: "clock-behind", behindMs } as const]
        : []),
      ...heldEvents(history, atMs),
    ];
    return { state: next, nowMs: atMs, events, areMonitorsLater, ...(pending && { pending }) };
  };
}

/** The results, with the opinions of browsers that still stand where none was asked. */
function withStandingViews(results: Results, earlier: Results, atMs: number): Results {
  return mapValues(results, (result, url) => {
    const browser = result.browser ?? standingView(result, earlier.get(url), atMs);
    return browser === undefined ? result : { ...result, browser };
  });
}

/** Silence of owners that may refuse the runner says nothing, so it must not keep a place at home from proving itself. */
function viewOfRunner(
  { endpoints: samples }: History,
  { services }: Catalogue,
  line: MeasureDependencies["line"],
  measured: Results,
): RunnerView {
  const endpoints = services.flatMap((service) => service.endpoints);
  const listed = new Set(endpoints.map(({ url }) => url));
  const refusing = new Set(
    endpoints
      .filter((endpoint) => mayRefuse(endpoint, samples.get(endpoint.url) ?? "", line))
      .map(({ url }) => url),
  );
  return {
    counts: (url) => refusing.has(url) || lastState(samples.get(url) ?? "") === "healthy",
    statuses: healthyStatuses(measured),
    isListed: (url) => listed.has(url),
  };
}

/** What healthy endpoints answered themselves, by URL. */
function healthyStatuses(results: Results): RunnerView["statuses"] {
  return new Map(
    [...results].flatMap(([url, { outcome }]) => {
      if (outcome.kind !== "ok" || outcome.trace.wall !== undefined) return [];
      const { httpStatus } = outcome.trace;
      return httpStatus === undefined ? [] : [[url, httpStatus] as const];
    }),
  );
}

/** The scopes after a fold, and the claims and cited answers that follow from them. */
function judge(before: State, folded: State, { answers }: VantageNews, catalogue: Catalogue) {
  const atMs = folded.history.updatedAtMs ?? 0;
  const scopes = judgeScopes(catalogue, folded, atMs);
  const history = applyClaims(folded.history, catalogue, scopes, atMs);
  if (answers.length === 0) return { ...folded, history };
  const earlier = judgeScopes(catalogue, before, before.history.updatedAtMs ?? 0);
  const isChanged = !isDeepStrictEqual(scopes, earlier);
  return { ...folded, history, vantages: citeAnswers(folded.vantages, answers, isChanged, atMs) };
}

/**
 * Another run may have been folded during the minutes of probing, so the time is computed again. The remaining services of a run
 * are folded at the same time as its first ones while that is the last run in the history; otherwise they become a run of their
 * own.
 */
function foldTimeOf(
  { history }: State,
  { startMs, isReplay }: RunOptions,
  earlierAtMs: number | undefined,
): ReturnType<typeof effectiveRunTime> {
  if (earlierAtMs !== undefined && history.runs.at(-1)?.atMs === earlierAtMs)
    return { kind: "new", atMs: earlierAtMs };
  return effectiveRunTime(history, startMs, isReplay);
}

function heldEvents({ held }: History, atMs: number): readonly RunEvent[] {
  const now = [...held].filter(([, { lastAtMs }]) => lastAtMs === atMs);
  if (now.length === 0) return [];
  const causes = [...new Set(now.map(([, { cause }]) => cause))];
  return [{ event: "failures-held", slugs: now.map(([slug]) => slug), causes }];
}

/** Counts the checks of a run; the services stay as they are in the newest state. */
export function countChecks(
  { startMs: atMs }: RunOptions,
  results: ReadonlyMap<string, CheckResult>,
): StateUpdate {
  return (state) => ({ state, nowMs: atMs, checked: { atMs, results } });
}
