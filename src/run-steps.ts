import { effectiveRunTime, fold } from "./history/fold.ts";
import {
  anchorAnswers,
  isCongestedRun,
  networksSeen,
  runEvidence,
  serviceEvidence,
} from "./look-evidence.ts";
import type { LookDependencies, LookOptions, Sighting } from "./look.ts";
import type { RunEvent } from "./model/event.ts";
import type { History } from "./model/history.ts";
import type { CheckVerdict } from "./model/monitor.ts";
import type { State } from "./model/state.ts";
import { DAY_MS } from "./model/time.ts";
import type { Step } from "./release.ts";
import { StateError } from "./state.ts";

export interface RunOptions extends LookOptions {
  /** The time was given by hand (`--at`): a run at or before the last one is a replay and counts nothing. */
  readonly isReplay: boolean;
  /** Slugs to probe; empty: all. The others keep what is known of them. */
  readonly only: readonly string[];
}

/**
 * A clock that was stepped back by hours is survived: runs follow the last one second by second. By days, nothing that is
 * measured in time (freshness, 24 hours, seven days) would mean anything, and somebody has to look. Throws `StateError`.
 */
export function refuseFutureState({ history }: State, { startMs, isReplay }: RunOptions): void {
  const aheadMs = (history.runs.at(-1)?.atMs ?? 0) - startMs;
  if (isReplay || aheadMs <= DAY_MS) return;
  const days = Math.floor(aheadMs / DAY_MS);
  throw new StateError(
    `the last run in the state is ${days} days ahead of this clock. Set the clock (NTP); if it is right, restore the state of before the clock was wrong.`,
  );
}

/** The documents as of a time that is counted already. */
export function replay({ startMs }: RunOptions): Step {
  return (state) => ({
    state,
    nowMs: startMs,
    events: [{ event: "already-folded", atMs: startMs }],
  });
}

/** Nothing is folded. Before the first valid run a reader still gets the complete API, dated to the first attempt. */
export function noteOffline(seen: Sighting, { startMs }: RunOptions, durationMs: number): Step {
  return (state) => {
    const lastRun = runEvidence(seen, startMs, durationMs, isCongestedRun(state.history, seen));
    const history = { ...state.history, updatedAtMs: state.history.updatedAtMs ?? startMs };
    return { state: { ...state, lastRun, history }, nowMs: startMs, events: [] };
  };
}

/** What was seen of some services, as a part of one run. */
export interface Part {
  readonly seen: Sighting;
  readonly durationMs: number;
  /** What is published of monitors waits for the next part. */
  readonly areMonitorsLater: boolean;
  /** Time at which an earlier part of the same run was folded. */
  readonly earlierAtMs?: number | undefined;
  /** Told the time at which this part is folded, in each try; the last one holds. */
  readonly onFold?: (atMs: number) => void;
}

type FoldDependencies = Pick<LookDependencies, "catalogue" | "networkOf">;

/** Folds a part of the run into the newest state. */
export function foldPart(
  { catalogue, networkOf }: FoldDependencies,
  options: RunOptions,
  part: Part,
): Step {
  const { seen, durationMs, areMonitorsLater, earlierAtMs, onFold } = part;
  return (state) => {
    const time = timeOf(state, options, earlierAtMs);
    if (time.kind === "already-folded") return replay(options)(state);
    const { atMs } = time;
    onFold?.(atMs);
    const isCongested = isCongestedRun(state.history, seen);
    const { connectivity, results, services } = seen;
    const anchors = anchorAnswers(seen);
    const networks = networksSeen(seen, networkOf);
    const record = { atMs, isCongested, connectivity, results, anchors, networks };
    const evidence = new Map(state.evidence);
    for (const service of services)
      evidence.set(service.slug, serviceEvidence(service, seen, atMs));
    const lastRun = runEvidence(seen, options.startMs, durationMs, isCongested);
    const history = fold(state.history, record, catalogue);
    const next = { ...state, lastRun, history, evidence };
    const events = [
      ...(earlierAtMs === undefined ? tellOfClock(atMs - options.startMs) : []),
      ...tellOfHeld(history, atMs),
    ];
    return { state: next, nowMs: atMs, events, areMonitorsLater };
  };
}

/**
 * Probing takes minutes: another run may have folded meanwhile, so the time is found anew. The rest of a run completes it at its own time
 * while it is the last one, as no two runs share a time; else it goes in as a run of its own after the other.
 */
function timeOf(
  { history }: State,
  { startMs, isReplay }: RunOptions,
  earlierAtMs: number | undefined,
): ReturnType<typeof effectiveRunTime> {
  if (earlierAtMs !== undefined && history.runs.at(-1)?.atMs === earlierAtMs)
    return { kind: "new", atMs: earlierAtMs };
  return effectiveRunTime(history, startMs, isReplay);
}

/** Of failures that this very run holds. */
function tellOfHeld({ held }: History, atMs: number): readonly RunEvent[] {
  const now = [...held].filter(([, { lastAtMs }]) => lastAtMs === atMs);
  if (now.length === 0) return [];
  const causes = [...new Set(now.map(([, { cause }]) => cause))];
  return [{ event: "failures-held", slugs: now.map(([slug]) => slug), causes }];
}

function tellOfClock(behindMs: number): readonly RunEvent[] {
  return behindMs > 0 ? [{ event: "clock-behind", behindMs }] : [];
}

/** The documents follow from the state as it is by now; what is published of monitors, from the checks as well. */
export function countChecks(
  { startMs }: RunOptions,
  verdicts: ReadonlyMap<string, CheckVerdict>,
): Step {
  return (state) => ({
    state,
    nowMs: startMs,
    events: [],
    checked: { atMs: startMs, verdicts },
  });
}
