import type { LastState } from "../model/service/history.ts";
import { SECOND_MS } from "../model/time.ts";
import type { ExperimentStep } from "../model/service/interference.ts";
import { isUnanswered, mayBeInterference } from "../model/outcome-rules.ts";
import type { EndpointResult, FailedOutcome, Outcome } from "../model/probe-outcome.ts";

export interface Baseline {
  readonly lastState: LastState;
  /** Failure of the last run. Absent: there was none. */
  readonly failure?: FailedOutcome;
  readonly isLongFailing?: boolean;
  /** Silence may be a refusal of data centres, so a failing endpoint that is silent is asked again, without an experiment. */
  readonly isSilenceVague?: boolean;
  /** A healthy probe slower than this is measured once more, and the faster of the two counts. */
  readonly slowMs: number;
}

export interface ConfirmDependencies {
  /** One probe; `attempt` counts from 0 within the run. */
  readonly probe: (attempt: number) => Promise<Outcome>;
  /** Resolves after the delay, or at once if the run is ending or the signal is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly now: () => number;
  /** Offsets from the end of the first probe, milliseconds, ascending. Empty: the first probe decides. */
  readonly delaysMs: readonly number[];
  /** One more attempt for failures that the others leave in doubt. Absent: none. */
  readonly doubt?: Doubt | undefined;
  /** Compares a failure with other connections. Absent: no experiments. */
  readonly experiment?: ((failure: FailedOutcome) => Experiment) | undefined;
  readonly onWait: (attempt: number, waitMs: number) => void;
}

/** The last confirmation, made only if a failure is still uncertain. */
export interface Doubt {
  /** Offset from the end of the first probe, milliseconds; later than all others. */
  readonly delayMs: number;
  /** Whether no other endpoint of its service fails. Called when all other attempts have failed. */
  readonly isAlone: () => boolean;
}

/** A box may hold an address for a minute once it has cut a name there, so in each run the neutral names come first. */
const HEAD_START_MS = 3 * SECOND_MS;

/**
 * Confirms changes, not states. A healthy or unknown endpoint fails only if every probe at the delays fails; a failure in doubt gets one more
 * attempt, one that is suspect since the last run only one. A failing endpoint needs a second success, and a third one after a day of
 * failure. The same state needs no second probe. Experiments run beside probes and waits. Source: docs/probe/measurement.md, "Confirmation".
 */
export async function measureEndpoint(
  baseline: Baseline,
  deps: ConfirmDependencies,
): Promise<EndpointResult> {
  const isFailing = baseline.lastState === "failing";
  const isVague = baseline.isSilenceVague === true;
  const experiment = isFailing && !isVague ? startExperiment(baseline.failure, deps) : undefined;
  if (experiment !== undefined) await giveHeadStart(experiment, deps);
  const first = await deps.probe(0);
  const confirmation = { ...deps, baseline, endMs: deps.now(), attempts: [first] };
  if (first.kind === "skipped") return settled(first);
  if (first.kind === "failed") {
    if (isFailing && !(isVague && isUnanswered(first)))
      return withExperiment(settled(first), experiment, deps);
    return noteRefusal(await confirmFailure(first, shortened(confirmation)), baseline);
  }
  if (isFailing) return confirmRecovery(first, confirmation);
  if (first.kind === "denied" || first.trace.timings.totalMs <= baseline.slowMs)
    return settled(first);
  return measureAgain(first, deps);
}

async function giveHeadStart(experiment: Experiment, deps: ConfirmDependencies): Promise<void> {
  const isOver = new AbortController();
  await Promise.race([experiment, deps.sleep(HEAD_START_MS, isOver.signal)]);
  isOver.abort("aborted");
}

interface Confirmation extends ConfirmDependencies {
  readonly baseline: Baseline;
  /** End of the first attempt. */
  readonly endMs: number;
  /** All so far, in order; each further one is added. */
  readonly attempts: Outcome[];
}

function settled(outcome: Outcome): EndpointResult {
  return { outcome, isFlaky: false, attempts: [outcome] };
}

type Experiment = Promise<readonly ExperimentStep[]>;

function startExperiment(
  outcome: Outcome | undefined,
  { experiment }: ConfirmDependencies,
): Experiment | undefined {
  if (outcome === undefined || !mayBeInterference(outcome)) return undefined;
  return experiment?.(outcome);
}

/** @param started the experiment that was made meanwhile; another one if that was about nothing. */
async function withExperiment(
  result: EndpointResult,
  started: Experiment | undefined,
  deps: ConfirmDependencies,
): Promise<EndpointResult> {
  if (!mayBeInterference(result.outcome)) return result;
  const steps = await (started ?? startExperiment(result.outcome, deps));
  return steps === undefined ? result : { ...result, experiment: steps };
}

async function confirmFailure(first: Outcome, confirmation: Confirmation): Promise<EndpointResult> {
  const { attempts, delaysMs, doubt, endMs } = confirmation;
  const { isSilenceVague = false } = confirmation.baseline;
  if (isSilenceVague && isUnanswered(first)) {
    const last = (await askUntilAnswer(refusedTimes(endMs, delaysMs), confirmation)) ?? first;
    if (last.kind !== "failed" || isUnanswered(last)) return concluded(attempts, last);
  }
  let experiment: Experiment | undefined;
  for (let index = 0; index <= delaysMs.length; index += 1) {
    const delayMs = delaysMs[index] ?? (isDoubtful(attempts, doubt) ? doubt?.delayMs : undefined);
    if (delayMs === undefined) break;
    if (index === delaysMs.length - 1) experiment = startExperiment(attempts.at(-1), confirmation);
    const times = Array.from({ length: isSilenceVague ? VAGUE_TRIES : 1 }, () => endMs + delayMs);
    const next = await askUntilAnswer(times, confirmation);
    if (next !== undefined && next.kind !== "failed") return concluded(attempts, next);
  }
  return withExperiment(concluded(attempts, attempts.at(-1) ?? first), experiment, confirmation);
}

/** The last run has made all confirmations of a suspect. */
function shortened(confirmation: Confirmation): Confirmation {
  if (confirmation.baseline.lastState !== "suspect") return confirmation;
  const { doubt: _, ...rest } = confirmation;
  return { ...rest, delaysMs: rest.delaysMs.slice(0, 1) };
}

/** Silence of an owner that may refuse the runner says nothing about the way to it either. */
function noteRefusal(result: EndpointResult, { isSilenceVague }: Baseline): EndpointResult {
  const isNoted = isSilenceVague === true && result.attempts.some(isUnanswered);
  return isNoted ? { ...result, mayBeRefused: true } : result;
}

/** The result of a change that was confirmed, or not, by its last attempt. */
function concluded(attempts: readonly Outcome[], last: Outcome): EndpointResult {
  if (last.kind === "skipped")
    return { outcome: { kind: "skipped", reason: "unconfirmed" }, isFlaky: false, attempts };
  return { outcome: last, isFlaky: last.kind !== "failed", attempts };
}

/** Attempts at each confirmation, and further ones after silence, where an owner may drop two connections of three. */
const VAGUE_TRIES = 5;

/** A tenth of the first delay apart, because each connection has its own chance to be let in. Without confirmations none. */
function refusedTimes(endMs: number, [delayMs]: readonly number[]): readonly number[] {
  if (delayMs === undefined) return [];
  return Array.from({ length: VAGUE_TRIES }, (_, index) => endMs + ((index + 1) * delayMs) / 10);
}

/** Asks at each time until the server says something, and adds each attempt. Undefined: there was no time to ask at. */
async function askUntilAnswer(
  times: readonly number[],
  confirmation: Confirmation,
): Promise<Outcome | undefined> {
  let last: Outcome | undefined;
  for (const atMs of times) {
    last = await probeAt(atMs, confirmation);
    if (!isUnanswered(last)) break;
  }
  return last;
}

/**
 * A permanent fault fails in one stage; several stages within two minutes look like an unstable route. If no attempt got a packet back, the
 * route may be gone for some minutes, and other endpoints on it are no further evidence.
 */
function isDoubtful(attempts: readonly Outcome[], doubt: Doubt | undefined): boolean {
  if (doubt === undefined) return false;
  const stages = new Set(attempts.flatMap((one) => (one.kind === "failed" ? [one.stage] : [])));
  return stages.size > 1 || attempts.every(mayLackRoute) || doubt.isAlone();
}

/** Whether a probe ended as if the route were gone: nothing answered. A refusal comes from the host itself. */
export function mayLackRoute(outcome: Outcome): boolean {
  if (outcome.kind !== "failed") return false;
  return outcome.code === "tcp-timeout" || outcome.code === "tcp-unreachable";
}

/** A filter that leaks lets single connections through: it would end an outage of months for minutes. */
async function confirmRecovery(
  first: Outcome,
  confirmation: Confirmation,
): Promise<EndpointResult> {
  const { attempts, delaysMs, baseline, endMs } = confirmation;
  let last = first;
  for (const delayMs of delaysMs.slice(0, baseline.isLongFailing === true ? 2 : 1)) {
    last = await probeAt(endMs + delayMs, confirmation);
    if (last.kind === "skipped" || last.kind === "failed") break;
  }
  return { ...concluded(attempts, last), isFlaky: false };
}

async function measureAgain(
  first: Extract<Outcome, { kind: "ok" }>,
  deps: ConfirmDependencies,
): Promise<EndpointResult> {
  const second = await deps.probe(1);
  const { totalMs } = first.trace.timings;
  const isFaster = second.kind === "ok" && second.trace.timings.totalMs < totalMs;
  // A second probe may only improve a healthy first one: the next run will find a failure.
  return { outcome: isFaster ? second : first, isFlaky: false, attempts: [first, second] };
}

async function probeAt(atMs: number, confirmation: Confirmation): Promise<Outcome> {
  const { attempts, now, onWait, sleep, probe } = confirmation;
  const waitMs = Math.max(0, atMs - now());
  onWait(attempts.length, waitMs);
  await sleep(waitMs);
  const outcome = await probe(attempts.length);
  attempts.push(outcome);
  return outcome;
}
