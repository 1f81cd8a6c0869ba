import type { CheckClass, RunMark, Track } from "../model/history.ts";
import { FRESH_MS } from "../model/time.ts";
import { type EndpointState, isFailingState, stateOf } from "./track.ts";

/** One endpoint as the classification of its service sees it. */
export interface EndpointView {
  readonly isCritical: boolean;
  /** Undefined: nothing recent is known, so it does not count. */
  readonly state: EndpointState | undefined;
  /** Decided by the last run itself, not carried over from one before. */
  readonly isDecidedNow: boolean;
  readonly isFlapping: boolean;
  /** This very run needed more than one try, and its own way was not in trouble. */
  readonly isFlakyNow: boolean;
  readonly isSlow: boolean;
}

/**
 * State of an endpoint as of the last run. One that this run skipped keeps what an earlier run decided
 * for as long as that is fresh; after that it is unknown.
 */
export function currentState(track: Track, runs: readonly RunMark[]): EndpointState | undefined {
  const nowMs = runs.at(-1)?.atMs ?? 0;
  for (let index = track.length - 1; index >= 0; index -= 1) {
    const run = runs[index];
    if (run === undefined || nowMs - run.atMs > FRESH_MS) return undefined;
    const state = stateOf(track.charAt(index));
    if (state !== undefined) return state;
  }
  return undefined;
}

/**
 * The check class of a service; undefined when this run says nothing about it: it decided no critical endpoint, and
 * what is carried over must not make an old finding look new. First match wins: down (a critical endpoint fails: server-error when
 * each that does answers with a 5xx of its own, else failing), provider-denied (every critical one denied), partial (any failing
 * or flapping), slow (a critical one), up. Source: docs/verdicts.md, "Check classes".
 */
export function classify(views: readonly EndpointView[]): CheckClass | undefined {
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

/** Whether an endpoint fails, as far as it is known. */
export function isFailingView(view: EndpointView): boolean {
  return view.state !== undefined && isFailingState(view.state);
}
