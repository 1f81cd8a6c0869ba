import type { MonitorHistory } from "./departures.ts";
import { effectiveRunTime } from "./history/fold.ts";
import { type CheckTarget, countVerdicts } from "./look-monitors.ts";
import { look, type Look, type LookDependencies } from "./look.ts";
import type { Catalogue, Service } from "./model/catalogue.ts";
import type { Connectivity } from "./model/connectivity.ts";
import type { ServiceEvidence } from "./model/evidence.ts";
import type { Monitor } from "./model/monitor.ts";
import type { State } from "./model/state.ts";
import { unlessStopped } from "./model/stopping.ts";
import { openRelease, release, type Released, type ReleaseSetup, type Step } from "./release.ts";
import {
  countChecks,
  foldPart,
  noteOffline,
  refuseFutureState,
  replay,
  type RunOptions,
} from "./run-steps.ts";
import { LIST_KEY } from "./snapshot/documents.ts";
import { loadState, type LoadedState } from "./state.ts";
import { wasHealthy } from "./uptime/was-healthy.ts";

export type { RunOptions } from "./run-steps.ts";

/** Everything a run touches that is not a value: network, disk, clocks, chance. */
export type RunDependencies = Omit<LookDependencies, "catalogue"> & ReleaseSetup;

export type RunResult =
  /** Stopped from outside before everything was folded. */
  { readonly kind: "stopped" } | Finished;

export interface Finished extends Released {
  /** `replayed`: nothing was probed, the documents were brought up to the time. `offline`: the run is invalid. */
  readonly kind: "valid" | "offline" | "replayed";
  readonly evidence: ReadonlyMap<string, ServiceEvidence>;
  /** What the run found of the runner's own way; absent when nothing was probed. */
  readonly connectivity?: Connectivity;
  /** How many monitors ended in each way; absent when none was checked. */
  readonly checks?: ReturnType<typeof countVerdicts>;
}

type Opened = ReturnType<typeof openRelease<RunDependencies>> & { readonly catalogue: Catalogue };

/**
 * One complete run: probe → fold → decide → build → publish. Services with nothing to confirm are folded and published as soon as each
 * endpoint was probed once, the others when their confirmations end, both as of the time of the run. Throws `StateError` and
 * `StoreError`; the network never makes it throw.
 */
export async function run(given: RunDependencies, options: RunOptions): Promise<RunResult> {
  // One run looks at one catalogue. What it publishes follows from the newest all the same.
  const deps = { ...openRelease(given), catalogue: await given.readCatalogue(given.emit) };
  const startedMs = deps.now();
  // Nothing is in hand yet, so a store that does not answer must not delay a stop.
  const known = await unlessStopped(() => loadState(deps.stateStore, deps.emit), options.stop);
  if (known === "stopped") return tellStopped(deps);
  deps.checkClock();
  const { state } = known;
  refuseFutureState(state, options);
  const place = await unlessStopped(() => lookAtNewPlace(deps, state), options.stop);
  if (place === "stopped") return tellStopped(deps);
  const time = effectiveRunTime(state.history, options.startMs, options.isReplay);
  if (time.kind === "already-folded")
    return finish(deps, options, "replayed", replay(options), { elapsedMs: 0, known });
  const services = selectServices(deps.catalogue, options.only);
  const targets = await unlessStopped(() => findTargets(deps, options, state), options.stop);
  if (targets === "stopped") return tellStopped(deps);
  const leaving = new AbortController();
  const stop = AbortSignal.any([options.stop, leaving.signal]);
  const seen = await look(deps, { ...options, stop }, { services, targets }, state.history);
  const watch = { startedMs, known, areChecksDue: targets.length > 0 };
  try {
    return await publishSeen(deps, options, seen, watch);
  } finally {
    // After an error nobody waits for what is still being looked at.
    leaving.abort("aborted");
    await Promise.all([seen.rest, seen.checks]);
  }
}

/** A place that was never published to may be misspelt: that is to be known before four minutes of probes. Throws `StoreError`. */
async function lookAtNewPlace({ publicStore }: Opened, { publication }: State): Promise<void> {
  // A read, because the answer to a look for the tag does not say what is missing, the object or the bucket.
  if (publication.store !== publicStore.identity) await publicStore.read(LIST_KEY);
}

interface Watch {
  /** On the clock of the dependencies. */
  readonly startedMs: number;
  readonly known: LoadedState;
  readonly areChecksDue: boolean;
}

/** Publishes what is seen when it is seen. */
async function publishSeen(
  deps: Opened,
  options: RunOptions,
  seen: Look,
  watch: Watch,
): Promise<RunResult> {
  const { stop } = options;
  const settled = await seen.settled;
  const elapsed = (): number => Math.round(deps.now() - watch.startedMs);
  let early: Finished | undefined;
  let earlierAtMs: number | undefined;
  if (settled !== undefined && !stop.aborted) {
    const part = { seen: settled, durationMs: elapsed(), areMonitorsLater: true };
    const onFold = (atMs: number): void => void (earlierAtMs = atMs);
    const step = foldPart(deps, options, { ...part, onFold });
    // Pages, badges and pictures come once, with the rest: it is at most three minutes away.
    const isSiteLater = true;
    const when = { elapsedMs: part.durationMs, known: watch.known, isSiteLater };
    early = await finish({ ...deps, arePicturesLater: true }, options, "valid", step, when);
  }
  const first = await publishRest(deps, options, seen, { ...watch, early, earlierAtMs });
  if (first === "stopped") return tellStopped(deps);
  const verdicts = await seen.checks;
  if (verdicts === undefined) return first;
  const last = await finish(deps, options, "valid", countChecks(options, verdicts), {
    elapsedMs: elapsed(),
    // The pages of services are there since the first.
    isSiteLater: true,
  });
  return { ...sumUp(first, last), checks: countVerdicts(verdicts) };
}

async function publishRest(
  deps: Opened,
  options: RunOptions,
  look: Look,
  watch: Watch & {
    readonly early: Finished | undefined;
    readonly earlierAtMs: number | undefined;
  },
): Promise<Finished | "stopped"> {
  const seen = await look.rest;
  if (options.stop.aborted) {
    await look.checks;
    return "stopped";
  }
  const { early, earlierAtMs, known, areChecksDue } = watch;
  const { connectivity } = seen;
  const durationMs = Math.round(deps.now() - watch.startedMs);
  const when = { elapsedMs: durationMs, ...(early === undefined ? { known } : {}) };
  if (connectivity.state === "offline") {
    await look.checks;
    deps.emit({ event: "run-offline", unreachable: connectivity.unreachable });
    // What was published before the way broke off stands, and so does the run.
    if (early !== undefined) return { ...early, connectivity };
    const step = noteOffline(seen, options, durationMs);
    return { ...(await finish(deps, options, "offline", step, when)), connectivity };
  }
  const part = { seen, durationMs, areMonitorsLater: areChecksDue, earlierAtMs };
  // What is known of the services is published now: the last monitor may be minutes away.
  const step = foldPart(deps, options, part);
  const finished = await finish(deps, options, "valid", step, when);
  return { ...(early === undefined ? finished : sumUp(early, finished)), connectivity };
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

/** Two publishes of a run, as one. */
function sumUp(first: Finished, second: Finished): Finished {
  const [one, two] = [first.published, second.published];
  return {
    ...first,
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

function selectServices(catalogue: Catalogue, only: readonly string[]): readonly Service[] {
  return only.length === 0
    ? catalogue.services
    : catalogue.services.filter(({ slug }) => only.includes(slug));
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
