import type { History, RunMark, Track } from "../model/history.ts";
import type { Outcome } from "../model/outcome.ts";
import { indexOfLevel, msOfIndex, msOfLevel } from "../model/response-level.ts";
import { DAY_MS, HOUR_MS } from "../model/time.ts";
import { anchorKey, isFailingState, isFlakyChar, stateOf } from "./track.ts";

/** Fewer healthy samples than this make no baseline: at one run in five minutes, most of a day. */
export const MIN_BASELINE_SAMPLES = 200;

/** A response slower than this is slow whatever is usual for the endpoint. */
const SLOW_ANYWAY_MS = 8_000;
/** A response faster than this is never slow. */
const NEVER_SLOW_MS = 2_000;
const SLOW_RATIO = 3;
const SLOW_EXCESS_MS = 1_500;
const SLOW_RUNS = { needed: 2, of: 3 };
/** What is slow stays slow until it is faster than this part of the threshold: else it comes and goes with each run. */
const STILL_SLOW_RATIO = 0.75;
/** A latency that nine in ten samples of a day exceed is the usual one by now. */
const LASTING_SHARE = 0.1;

/**
 * A side endpoint has to flap in one run more: one that loses a quarter of its requests (a canary, one bad machine of five) meets the
 * lower number every few hours, and is no trouble of the service. Measured: docs/verdict-simulation.md, "Flapping".
 */
const FLAKY_RUNS = { critical: 3, minor: 4, of: 6 };
/** After so many runs without a retry flapping is over, whatever was before. */
const STEADY_RUNS = 3;

/** One day of runs: below it a share says more about the last hours than about a habit. */
const MIN_CHRONIC_SAMPLES = 288;
const CHRONIC_RATIO = 0.95;

const CONGESTED_RATIO = 2;
const CONGESTED_LAG_MS = 100;

/** The rules of the last three or six runs look back no further: older runs, before a gap, say nothing about now. */
const RECENT_MS = HOUR_MS;

/** The baseline of one endpoint. */
export interface ResponseStats {
  /** Median of the healthy samples in milliseconds; undefined when there is none. */
  readonly medianMs: number | undefined;
  readonly samples: number;
}

/**
 * Median response time of the runs in which the endpoint was healthy at the first try and the runner itself
 * was not congested. `track` and `runs` are aligned; an `end` leaves the runs from that index on out.
 */
export function responseStats(
  track: Track,
  runs: readonly RunMark[],
  end: number = track.length,
): ResponseStats {
  return statsOf(countLevels(track, runs, 0, end));
}

/** Counting by level instead of sorting: a track has thousands of samples but 64 different values. */
function countLevels(
  track: Track,
  runs: readonly RunMark[],
  start: number,
  end: number,
): readonly number[] {
  const counts = Array.from({ length: 64 }, () => 0);
  for (let index = start; index < end; index += 1) {
    const level = indexOfLevel(track.charAt(index));
    if (level === undefined || runs[index]?.isCongested !== false) continue;
    counts[level] = (counts[level] ?? 0) + 1;
  }
  return counts;
}

function statsOf(counts: readonly number[]): ResponseStats {
  const samples = counts.reduce((sum, count) => sum + count, 0);
  if (samples === 0) return { medianMs: undefined, samples };
  const low = levelAtRank(counts, Math.floor((samples - 1) / 2));
  const high = levelAtRank(counts, Math.floor(samples / 2));
  return { medianMs: (msOfIndex(low) + msOfIndex(high)) / 2, samples };
}

function levelAtRank(counts: readonly number[], rank: number): number {
  let seen = 0;
  return counts.findIndex((count) => (seen += count) > rank);
}

/**
 * Response time in milliseconds above which a healthy answer is slow, given the endpoint's own baseline:
 * the largest of 2 s, three medians, and the median plus 1.5 s, but 8 s at most. With fewer than 200 samples
 * only the 8 s count. Source: docs/measurement.md, "Slow".
 */
export function slowThresholdMs(medianMs: number | undefined, samples: number): number {
  if (medianMs === undefined || samples < MIN_BASELINE_SAMPLES) return SLOW_ANYWAY_MS;
  const usual = Math.max(NEVER_SLOW_MS, SLOW_RATIO * medianMs, medianMs + SLOW_EXCESS_MS);
  return Math.min(SLOW_ANYWAY_MS, usual);
}

/**
 * Whether an endpoint is slow as of the last run: above its threshold in 2 of the last 3 runs that measured it,
 * none of them congested or older than an hour. The last run does not enter the baseline it is judged by. A latency that has
 * lasted for a day is the baseline.
 *
 * @param wasSlow its service was slow before this run: then three quarters of the threshold are enough.
 */
export function isSlow(track: Track, runs: readonly RunMark[], wasSlow: boolean): boolean {
  const ratio = wasSlow ? STILL_SLOW_RATIO : 1;
  const recent = lastRecent(track, runs, SLOW_RUNS.of, (char, run) => {
    return !run.isCongested && indexOfLevel(char) !== undefined;
  });
  const countOver = (thresholdMs: number): number =>
    recent.filter((char) => (msOfLevel(char) ?? 0) > ratio * thresholdMs).length;
  // No threshold is lower, and to find the right one takes thousands of steps.
  if (countOver(NEVER_SLOW_MS) < SLOW_RUNS.needed) return false;
  return countOver(thresholdOf(track, runs, track.length - 1)) >= SLOW_RUNS.needed;
}

function thresholdOf(track: Track, runs: readonly RunMark[], end: number): number {
  const { medianMs, samples } = responseStats(track, runs, end);
  const thresholdMs = slowThresholdMs(medianMs, samples);
  const lastDay = countLevels(track, runs, startOfDayBefore(runs, end), end);
  const day = statsOf(lastDay);
  if (day.samples < MIN_BASELINE_SAMPLES) return thresholdMs;
  const fastMs = msOfIndex(levelAtRank(lastDay, Math.floor(day.samples * LASTING_SHARE)));
  const isLasting = fastMs > thresholdMs * STILL_SLOW_RATIO;
  return isLasting ? slowThresholdMs(day.medianMs, day.samples) : thresholdMs;
}

function startOfDayBefore(runs: readonly RunMark[], end: number): number {
  const endMs = runs[end]?.atMs ?? 0;
  let start = end;
  while (start > 0 && endMs - (runs[start - 1]?.atMs ?? 0) <= DAY_MS) start -= 1;
  return start;
}

/**
 * Whether an endpoint was healthy only after retries in 3 of the last 6 runs that decided about it, a side endpoint in 4, none older than
 * an hour, and the last three not all without one. A retry in a run whose own way was in trouble counts for nothing.
 */
export function isFlapping(track: Track, runs: readonly RunMark[], isCritical: boolean): boolean {
  const recent = lastRecent(track, runs, FLAKY_RUNS.of, (char, run) => {
    return stateOf(char) !== undefined && !(isFlakyChar(char) && isTroubled(run));
  });
  const isSteady =
    recent.length >= STEADY_RUNS && !recent.slice(0, STEADY_RUNS).some((char) => isFlakyChar(char));
  const needed = isCritical ? FLAKY_RUNS.critical : FLAKY_RUNS.minor;
  return !isSteady && recent.filter(isFlakyChar).length >= needed;
}

/** Whether the runner's own way was in trouble, so that a failure here and there says nothing of a service. */
export function isTroubled(run: RunMark): boolean {
  return run.isCongested || run.connectivity !== "fine";
}

function lastRecent(
  track: Track,
  runs: readonly RunMark[],
  count: number,
  counts: (char: string, run: RunMark) => boolean,
): readonly string[] {
  const newestMs = runs.at(-1)?.atMs ?? 0;
  const found: string[] = [];
  for (let index = track.length - 1; index >= 0 && found.length < count; index -= 1) {
    const run = runs[index];
    if (run === undefined || newestMs - run.atMs > RECENT_MS) break;
    if (counts(track.charAt(index), run)) found.push(track.charAt(index));
  }
  return found;
}

/** Share of the decided samples of a track that failed, 0–1, and their number; the share of none is 0. */
export function failingShare(track: Track): { readonly ratio: number; readonly decided: number } {
  let failing = 0;
  let decided = 0;
  for (const char of track) {
    const state = stateOf(char);
    if (state === undefined) continue;
    decided += 1;
    if (isFailingState(state)) failing += 1;
  }
  return { ratio: decided === 0 ? 0 : failing / decided, decided };
}

/** Whether an endpoint has failed in at least 95 % of a window with at least a day of decided runs. */
export function isChronic(track: Track): boolean {
  const { ratio, decided } = failingShare(track);
  return decided >= MIN_CHRONIC_SAMPLES && ratio >= CHRONIC_RATIO;
}

/**
 * Whether the runner or its uplink is slow itself: the median of the anchors' response times, each in relation
 * to its own seven-day median, is 2 or more, or the event loop lagged by 100 ms or more. An anchor without a
 * baseline has no ratio; with no ratio at all only the lag decides. `anchors` is by URL. A lasting change of
 * the uplink heals itself: congested runs leave the baseline alone until it has expired.
 */
export function isCongested(
  history: History,
  anchors: ReadonlyMap<string, Outcome>,
  eventLoopLagMs: number,
): boolean {
  if (eventLoopLagMs >= CONGESTED_LAG_MS) return true;
  const ratios = [...anchors].flatMap(([url, outcome]) => ratioOf(history, url, outcome));
  return ratios.length > 0 && medianOf(ratios) >= CONGESTED_RATIO;
}

function ratioOf(history: History, url: string, outcome: Outcome): readonly number[] {
  if (outcome.kind !== "ok") return [];
  const track = history.endpoints.get(anchorKey(url)) ?? "";
  const { medianMs, samples } = responseStats(track, history.runs);
  if (medianMs === undefined || samples < MIN_BASELINE_SAMPLES) return [];
  return [outcome.trace.timings.totalMs / medianMs];
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const low = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  const high = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return (low + high) / 2;
}
