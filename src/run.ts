import type { MonitorHistory } from "./departures.ts";
import { effectiveRunTime, fold } from "./history/fold.ts";
import {
  countVerdicts,
  isCongestedRun,
  look,
  runEvidence,
  serviceEvidence,
  type CheckTarget,
  type LookDependencies,
  type LookOptions,
  type Sighting,
} from "./look.ts";
import type { Catalogue, Service } from "./model/catalogue.ts";
import type { RunEvent } from "./model/event.ts";
import type { ServiceEvidence } from "./model/evidence.ts";
import type { CheckVerdict, Monitor } from "./model/monitor.ts";
import type { State } from "./model/state.ts";
import { unlessStopped } from "./model/stopping.ts";
import { DAY_MS } from "./model/time.ts";
import { openRelease, release, type Released, type ReleaseSetup, type Step } from "./release.ts";
import { loadState, type LoadedState, StateError } from "./state.ts";
import { wasHealthy } from "./uptime/was-healthy.ts";

/** Everything a run touches that is not a value: network, disk, clocks, chance. */
export type RunDependencies = Omit<LookDependencies, "catalogue"> & ReleaseSetup;

export interface RunOptions extends LookOptions {
  /** The time was given by hand (`--at`): a run at or before the last one is a replay and counts nothing. */
  readonly isReplay: boolean;
  /** Slugs to probe; empty: all. The others keep what is known of them. */
  readonly only: readonly string[];
}

export type RunResult =
  /** Stopped from outside before anything was folded. */
  { readonly kind: "stopped" } | Finished;

export interface Finished extends Released {
  /** `replayed`: nothing was probed, the documents were brought up to the time. `offline`: the run is invalid. */
  readonly kind: "valid" | "offline" | "replayed";
  readonly evidence: ReadonlyMap<string, ServiceEvidence>;
  /** How many monitors ended in each way; absent when none was checked. */
  readonly checks?: ReturnType<typeof countVerdicts>;
}

/**
 * One complete run: probe → fold → decide → build → publish. Throws `StateError` and `StoreError`; the network never makes
 * it throw.
 */
export async function run(given: RunDependencies, options: RunOptions): Promise<RunResult> {
  // One run looks at one catalogue. What it publishes follows from the newest all the same.
  const deps = { ...openRelease(given), catalogue: await given.readCatalogue(given.emit) };
  const startedMs = deps.now();
  // Nothing is in hand yet, so a store that does not answer must not delay a stop.
  const known = await unlessStopped(() => loadState(deps.stateStore, deps.emit), options.stop);
  if (known === "stopped") return tellStopped(deps);
  const { state } = known;
  refuseFutureState(state, options);
  const time = effectiveRunTime(state.history, options.startMs, options.isReplay);
  if (time.kind === "already-folded")
    return finish(deps, options, "replayed", replay(options), { elapsedMs: 0, known });
  const services = selectServices(deps.catalogue, options.only);
  const targets = await unlessStopped(() => findTargets(deps, options, state), options.stop);
  if (targets === "stopped") return tellStopped(deps);
  const seen = await look(deps, options, { services, targets }, state.history);
  if (options.stop.aborted) {
    await seen.checks;
    return tellStopped(deps);
  }
  const durationMs = Math.round(deps.now() - startedMs);
  if (seen.isOffline) {
    await seen.checks;
    deps.emit({ event: "run-offline", domesticFailing: seen.domesticFailing });
    const step = noteOffline(seen, options, durationMs);
    return finish(deps, options, "offline", step, { elapsedMs: durationMs, known });
  }
  const areChecksDue = targets.length > 0;
  const step = foldSighting(deps.catalogue, seen, options, services, durationMs, areChecksDue);
  // What is known of the services is published now: the last monitor may be minutes away.
  const first = await finish(deps, options, "valid", step, { elapsedMs: durationMs, known });
  const verdicts = await seen.checks;
  if (verdicts === undefined) return first;
  const elapsedMs = Math.round(deps.now() - startedMs);
  const second = await finish(deps, options, "valid", countChecks(options, verdicts), {
    elapsedMs,
    // The pages of services are there since the first.
    isSiteLater: true,
  });
  return { ...sumUp(first, second), checks: countVerdicts(verdicts) };
}

function tellStopped({ emit }: RunDependencies): RunResult {
  emit({ event: "run-stopped" });
  return { kind: "stopped" };
}

/** The monitors to check, each with what is known of it. */
async function findTargets(
  deps: ReturnType<typeof openRelease<RunDependencies>>,
  { only, startMs }: RunOptions,
  state: State,
): Promise<readonly CheckTarget[]> {
  // A run over chosen services is a closer look at those, and no turn of the monitors.
  const { monitors } = only.length === 0 ? await deps.readRegistry() : { monitors: [] };
  const history = await deps.monitoring.historyOf(state);
  return monitors.map((monitor) => toTarget(monitor, history, startMs));
}

/** The documents follow from the state as it is by now; what is published of monitors, from the checks as well. */
function countChecks({ startMs }: RunOptions, verdicts: ReadonlyMap<string, CheckVerdict>): Step {
  return (state) => ({
    state,
    nowMs: startMs,
    events: [],
    checked: { atMs: startMs, verdicts },
  });
}

/** Both publishes of a run, as one. */
function sumUp(first: Finished, second: Finished): Finished {
  const [one, two] = [first.published, second.published];
  return {
    ...second,
    published: {
      ...two,
      written: one.written + two.written,
      // What the first has written is unchanged for the second.
      unchanged: Math.max(0, two.unchanged - one.written),
      removed: one.removed + two.removed,
      heldBack: Math.max(one.heldBack, two.heldBack),
    },
  };
}

function toTarget(
  monitor: Monitor,
  { recordOf, clock }: MonitorHistory,
  nowMs: number,
): CheckTarget {
  const record = recordOf(monitor.id);
  const { state, warning } = record ?? {};
  return {
    ...monitor,
    lastState: state === "healthy" || state === "failing" ? state : "unknown",
    wasHealthy: wasHealthy(record, clock, nowMs),
    ...(warning === undefined ? {} : { warning }),
  };
}

/**
 * A clock that was stepped back by hours is survived: runs follow the last one second by second. By days, nothing that is
 * measured in time (freshness, 24 hours, seven days) would mean anything, and somebody has to look.
 */
function refuseFutureState({ history }: State, { startMs, isReplay }: RunOptions): void {
  const aheadMs = (history.runs.at(-1)?.atMs ?? 0) - startMs;
  if (isReplay || aheadMs <= DAY_MS) return;
  const days = Math.floor(aheadMs / DAY_MS);
  throw new StateError(
    `the last run in the state is ${days} days ahead of this clock. Set the clock (NTP); if it is right, restore the state of before the clock was wrong.`,
  );
}

function selectServices(catalogue: Catalogue, only: readonly string[]): readonly Service[] {
  return only.length === 0
    ? catalogue.services
    : catalogue.services.filter(({ slug }) => only.includes(slug));
}

function replay({ startMs }: RunOptions): Step {
  return (state) => ({
    state,
    nowMs: startMs,
    events: [{ event: "already-folded", atMs: startMs }],
  });
}

/** Nothing is folded. Before the first valid run a reader still gets the complete API, dated to the first attempt. */
function noteOffline(seen: Sighting, { startMs }: RunOptions, durationMs: number): Step {
  return (state) => {
    const lastRun = runEvidence(seen, startMs, durationMs, isCongestedRun(state.history, seen));
    const history = { ...state.history, updatedAtMs: state.history.updatedAtMs ?? startMs };
    return { state: { ...state, lastRun, history }, nowMs: startMs, events: [] };
  };
}

function foldSighting(
  catalogue: Catalogue,
  seen: Sighting,
  options: RunOptions,
  services: readonly Service[],
  durationMs: number,
  areChecksDue: boolean,
): Step {
  return (state) => {
    // Probing takes minutes: another run may have folded meanwhile, so the time is found anew.
    const time = effectiveRunTime(state.history, options.startMs, options.isReplay);
    if (time.kind === "already-folded") return replay(options)(state);
    const { atMs } = time;
    const isCongested = isCongestedRun(state.history, seen);
    const anchors = new Map(seen.before.map(({ anchor, outcome }) => [anchor.url, outcome]));
    const record = { atMs, isCongested, results: seen.results, anchors };
    const evidence = new Map(state.evidence);
    for (const service of services)
      evidence.set(service.slug, serviceEvidence(service, seen, atMs));
    const lastRun = runEvidence(seen, options.startMs, durationMs, isCongested);
    const history = fold(state.history, record, catalogue);
    const behindMs = atMs - options.startMs;
    const events: readonly RunEvent[] = behindMs > 0 ? [{ event: "clock-behind", behindMs }] : [];
    const next = { ...state, lastRun, history, evidence };
    return { state: next, nowMs: atMs, events, areMonitorsLater: areChecksDue };
  };
}

async function finish(
  deps: ReturnType<typeof openRelease<RunDependencies>>,
  { startMs, isReplay }: RunOptions,
  kind: "valid" | "offline" | "replayed",
  step: Step,
  when: {
    readonly elapsedMs: number;
    readonly known?: LoadedState;
    readonly isSiteLater?: boolean;
  },
): Promise<Finished> {
  const { elapsedMs, known, isSiteLater = false } = when;
  const released = await release(deps, startMs, step, {
    reportsAtMs: startMs + (isReplay ? 0 : elapsedMs),
    isSiteLater,
    ...(known === undefined ? {} : { known }),
  });
  return { ...released, kind, evidence: released.state.evidence };
}
