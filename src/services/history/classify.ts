import type { CheckClass, RunMark, SampleString } from "../../model/service/history.ts";
import { FRESH_MS } from "../../model/time.ts";
import { type EndpointState, isFailingState, stateOf } from "./sample-codes.ts";

/** The input of `classify` for one endpoint. */
export interface EndpointHistoryView {
  readonly isCritical: boolean;
  /** Undefined: nothing recent is known, so the endpoint does not count. */
  readonly state: EndpointState | undefined;
  /** Decided by the last run, not carried over from an earlier one. */
  readonly isDecidedNow: boolean;
  /** Of a critical endpoint. One of five machines behind a minor one loses requests for hours, without harm to the service. */
  readonly isFlapping: boolean;
  /** The last run needed a retry at a critical endpoint, and neither the runner nor its network was in trouble. */
  readonly isFlakyNow: boolean;
  readonly isSlow: boolean;
}

/**
 * State of an endpoint as of the last run. If that run skipped it, the decision of an earlier run holds for as
 * long as it is fresh; undefined after that.
 */
export function currentState(
  samples: SampleString,
  runs: readonly RunMark[],
): EndpointState | undefined {
  const nowMs = runs.at(-1)?.atMs ?? 0;
  for (let index = samples.length - 1; index >= 0; index -= 1) {
    const run = runs[index];
    if (run === undefined || nowMs - run.atMs > FRESH_MS) return undefined;
    const state = stateOf(samples.charAt(index));
    if (state !== undefined) return state;
  }
  return undefined;
}

/**
 * The check class of a service; undefined if this run decided no critical endpoint, because a decision carried over must not look
 * new. First match wins: down (a critical endpoint fails: `server-error` if all failing ones answer with a 5xx of their own, else
 * `failing`), `provider-denied` (all critical ones), `partial` (a minor endpoint fails, or a critical one flaps), `slow` (a critical
 * one), `up`.
 * Source: docs/services/verdicts.md, "Check classes".
 */
export function classify(views: readonly EndpointHistoryView[]): CheckClass | undefined {
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

export function isFailingView(view: EndpointHistoryView): boolean {
  return view.state !== undefined && isFailingState(view.state);
}
