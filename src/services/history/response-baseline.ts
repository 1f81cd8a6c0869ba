import type { Congestion, History, RunMark, SampleString } from "../../model/service/history.ts";
import type { Outcome } from "../../model/probe-outcome.ts";
import { sumOf } from "../../model/lists.ts";
import { indexOfLevel, LEVEL_CHARS, msOfIndex, msOfLevel } from "../../model/response-level.ts";
import { DAY_MS, HOUR_MS } from "../../model/time.ts";
import {
  anchorKey,
  countChars,
  decidedStates,
  FLAKY,
  isDecided,
  isFailingState,
  LET_IN,
  SLOW_MS,
  stateOf,
} from "./sample-codes.ts";

/** A baseline needs this many healthy samples: at one run in five minutes, most of a day. */
export const MIN_BASELINE_SAMPLES = 200;

/** A response slower than this is slow, whatever the baseline. */
const ALWAYS_SLOW_MS = 8_000;
const SLOW_RATIO = 4;
const SLOW_EXCESS_MS = 3_000;
const SLOW_RUNS = { needed: 3, of: 4 };
/** So much above the threshold one run is enough: two probes of it were that slow. */
const OUTRIGHT_RATIO = 1.25;
/** Hysteresis: a slow service stays slow down to this part of the threshold. */
const STILL_SLOW_RATIO = 0.9;
/** If all samples of a day but this share exceed the limit, the latency has become the usual one. */
const LASTING_SHARE = 0.1;

/** Measured: docs/services/simulation.md, "Flapping". */
const FLAKY_RUNS = { needed: 4, of: 6 };
/** Flapping ends after this many consecutive runs without a retry. */
const STEADY_RUNS = 2;

/** One day of runs: a share of fewer describes the last hours only. */
const MIN_CHRONIC_SAMPLES = 288;
const CHRONIC_RATIO = 0.95;

const CONGESTED_RATIO = 2;
const CONGESTED_LAG_MS = 100;

/** Limit of the rules about the last three or six runs: runs before a gap say nothing about the present. */
const RECENT_MS = HOUR_MS;

/**
 * Median response time of the runs in which the endpoint was healthy at the first attempt and the runner was not congested; undefined: no
 * such run. `samples` and `runs` are aligned; the runs from index `end` on do not count.
 */
export function responseStats(
  samples: SampleString,
  runs: readonly RunMark[],
  end: number = samples.length,
): ReturnType<typeof statsOf> {
  return statsOf(countLevels(samples, runs, 0, end));
}

/** Counts instead of sorting, because thousands of samples have only 64 different values. */
function countLevels(
  samples: SampleString,
  runs: readonly RunMark[],
  start: number,
  end: number,
): readonly number[] {
  const counts = countChars(samples, start, end, (index) => runs[index]?.isCongested === false);
  return LEVEL_CHARS.map((level) => counts.get(level) ?? 0);
}

function statsOf(counts: readonly number[]) {
  const sampleCount = sumOf(counts);
  if (sampleCount === 0) return { medianMs: undefined, sampleCount };
  const low = levelAtRank(counts, Math.floor((sampleCount - 1) / 2));
  const high = levelAtRank(counts, Math.floor(sampleCount / 2));
  return { medianMs: (msOfIndex(low) + msOfIndex(high)) / 2, sampleCount };
}

function levelAtRank(counts: readonly number[], rank: number): number {
  let seen = 0;
  return counts.findIndex((count) => (seen += count) > rank);
}

/**
 * Response time above which a healthy answer is slow, by the endpoint's own baseline: the largest of 4 s, four medians, and the median
 * plus 3 s, but at most 8 s. With fewer than 200 samples it is 8 s. Source: docs/probe/measurement.md, "Slow".
 */
export function slowThresholdMs(medianMs: number | undefined, sampleCount: number): number {
  if (medianMs === undefined || sampleCount < MIN_BASELINE_SAMPLES) return ALWAYS_SLOW_MS;
  const usual = Math.max(SLOW_MS, SLOW_RATIO * medianMs, medianMs + SLOW_EXCESS_MS);
  return Math.min(ALWAYS_SLOW_MS, usual);
}

/**
 * Whether an endpoint is slow as of the last run: above its threshold in 3 of the last 4 runs, or a quarter above it in the last. A run
 * counts if the endpoint answered at once, or late for nothing but a refusal of its owner, and if the run was not congested and is not
 * older than an hour. The baseline excludes the last run. A latency that has lasted for a day is the baseline.
 *
 * @param wasSlow the service was slow before this run: then nine tenths of the threshold are enough.
 */
export function isSlow(samples: SampleString, runs: readonly RunMark[], wasSlow: boolean): boolean {
  const ratio = wasSlow ? STILL_SLOW_RATIO : 1;
  const recent = lastRecent(samples, runs, SLOW_RUNS.of, (char, run) => {
    return !run.isCongested && (indexOfLevel(char) !== undefined || char === LET_IN);
  });
  const times = recent.map((char) => msOfLevel(char) ?? 0);
  const countOver = (thresholdMs: number): number =>
    times.filter((ms) => ms > ratio * thresholdMs).length;
  // No threshold is lower, and computing the exact one takes thousands of steps.
  if (countOver(SLOW_MS) === 0) return false;
  const thresholdMs = thresholdOf(samples, runs, samples.length - 1);
  const [lastMs = 0] = times;
  return countOver(thresholdMs) >= SLOW_RUNS.needed || lastMs > OUTRIGHT_RATIO * thresholdMs;
}

function thresholdOf(samples: SampleString, runs: readonly RunMark[], end: number): number {
  const { medianMs, sampleCount } = responseStats(samples, runs, end);
  const thresholdMs = slowThresholdMs(medianMs, sampleCount);
  const lastDay = countLevels(samples, runs, startOfDayBefore(runs, end), end);
  const day = statsOf(lastDay);
  if (day.sampleCount < MIN_BASELINE_SAMPLES) return thresholdMs;
  const fastMs = msOfIndex(levelAtRank(lastDay, Math.floor(day.sampleCount * LASTING_SHARE)));
  const isLasting = fastMs > thresholdMs * STILL_SLOW_RATIO;
  return isLasting ? slowThresholdMs(day.medianMs, day.sampleCount) : thresholdMs;
}

function startOfDayBefore(runs: readonly RunMark[], end: number): number {
  const endMs = runs[end]?.atMs ?? 0;
  let start = end;
  while (start > 0 && endMs - (runs[start - 1]?.atMs ?? 0) <= DAY_MS) start -= 1;
  return start;
}

/**
 * Whether an endpoint was healthy only after retries in 4 of the last 6 runs that decided about it, none older than an hour, and in
 * at least one of the last two. Retries in a run with trouble of the runner or its network do not count.
 */
export function isFlapping(samples: SampleString, runs: readonly RunMark[]): boolean {
  const recent = lastRecent(samples, runs, FLAKY_RUNS.of, (char, run) => {
    return isDecided(char) && !(char === FLAKY && isTroubled(run));
  });
  const isSteady = !recent.slice(0, STEADY_RUNS).includes(FLAKY);
  return !isSteady && recent.filter((char) => char === FLAKY).length >= FLAKY_RUNS.needed;
}

/** How many of the runs of the last day were congested: in those, retries and slow answers say nothing. */
export function countCongested(runs: readonly RunMark[]): Congestion {
  const nowMs = runs.at(-1)?.atMs ?? 0;
  const day = runs.filter(({ atMs }) => nowMs - atMs < DAY_MS);
  return { congested: day.filter(({ isCongested: is }) => is).length, of: day.length };
}

/** Whether an endpoint has failed in all runs of a day that decided about it. */
export function isLongFailing(samples: SampleString, runs: readonly RunMark[]): boolean {
  const nowMs = runs.at(-1)?.atMs ?? 0;
  for (let index = samples.length - 1; index >= 0; index -= 1) {
    const state = stateOf(samples.charAt(index));
    if (state === undefined) continue;
    if (!isFailingState(state)) return false;
    if (nowMs - (runs[index]?.atMs ?? 0) >= DAY_MS) return true;
  }
  return false;
}

/** Whether the runner or its network was in trouble, so that single failures say nothing about a service. */
export function isTroubled(run: RunMark): boolean {
  return run.isCongested || run.connectivity !== "fine";
}

/** The last samples that count, the newest first: at most `count` of them, of runs at most `maxAgeMs` older than the last run. */
export function lastRecent(
  samples: SampleString,
  runs: readonly RunMark[],
  count: number,
  counts: (char: string, run: RunMark) => boolean,
  maxAgeMs: number = RECENT_MS,
): readonly string[] {
  const newestMs = runs.at(-1)?.atMs ?? 0;
  const found: string[] = [];
  for (let index = samples.length - 1; index >= 0 && found.length < count; index -= 1) {
    const run = runs[index];
    if (run === undefined || newestMs - run.atMs > maxAgeMs) break;
    if (counts(samples.charAt(index), run)) found.push(samples.charAt(index));
  }
  return found;
}

/** Share of the decided samples that failed, 0–1, and the number of decided samples; the share of none is 0. */
export function failingShare(samples: SampleString) {
  const states = decidedStates(samples);
  const failing = states.filter(isFailingState).length;
  return { ratio: states.length === 0 ? 0 : failing / states.length, decided: states.length };
}

/** Whether an endpoint failed in at least 95 % of at least 288 decided runs. */
export function isChronic(samples: SampleString): boolean {
  const { ratio, decided } = failingShare(samples);
  return decided >= MIN_CHRONIC_SAMPLES && ratio >= CHRONIC_RATIO;
}

/**
 * Whether the runner or its uplink is slow: the median ratio of the anchors' response times to their own seven-day medians is 2 or more,
 * or the event loop lagged by 100 ms or more. An anchor without a baseline has no ratio; without any ratio only the lag decides.
 * `anchors` is by URL. After a lasting change of the uplink, congested runs do not enter the baseline, so the old one expires.
 */
export function isCongested(
  history: History,
  anchors: ReadonlyMap<string, Outcome>,
  eventLoopLagMs: number,
): boolean {
  if (eventLoopLagMs >= CONGESTED_LAG_MS) return true;
  const ratios = Array.from(anchors).flatMap(([url, outcome]) => {
    if (outcome.kind !== "ok") return [];
    const samples = history.endpoints.get(anchorKey(url)) ?? "";
    const { medianMs, sampleCount } = responseStats(samples, history.runs);
    if (medianMs === undefined || sampleCount < MIN_BASELINE_SAMPLES) return [];
    return outcome.trace.timings.totalMs / medianMs;
  });
  return ratios.length > 0 && medianOf(ratios) >= CONGESTED_RATIO;
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}
