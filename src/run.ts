import { commit, type Advance, type CommitDependencies } from "./commit.ts";
import { conclude, type ReadReports } from "./conclude.ts";
import { effectiveRunTime, fold } from "./history/fold.ts";
import {
  isCongestedRun,
  look,
  runEvidence,
  serviceEvidence,
  type LookDependencies,
  type LookOptions,
  type Sighting,
} from "./look.ts";
import type { Catalogue, Service } from "./model/catalogue.ts";
import type { RunEvent } from "./model/event.ts";
import type { ServiceEvidence } from "./model/evidence.ts";
import type { Reports } from "./model/reports.ts";
import type { Snapshot } from "./model/snapshot.ts";
import { EMPTY_STATE, type State } from "./model/state.ts";
import type { RequestCounts } from "./model/store.ts";
import { DAY_MS } from "./model/time.ts";
import type { PublishResult } from "./publish/publish.ts";
import { buildDocuments } from "./snapshot/documents.ts";
import { loadState, StateError } from "./state.ts";
import { type CountedStore, countRequests } from "./store/count.ts";

/** Everything a run touches that is not a value: network, disk, clocks, chance. */
export interface RunDependencies extends LookDependencies, CommitDependencies {
  readonly readReports: ReadReports;
}

export interface RunOptions extends LookOptions {
  /** The time was given by hand (`--at`): a run at or before the last one is a replay and counts nothing. */
  readonly isReplay: boolean;
  /** Slugs to probe; empty: all. The others keep what is known of them. */
  readonly only: readonly string[];
}

/** What the stores were asked for in the whole run. */
export interface Requests {
  readonly public: RequestCounts;
  readonly state: RequestCounts;
}

interface CountedStores {
  readonly publicStore: CountedStore;
  readonly stateStore: CountedStore;
}

export type RunResult =
  /** Stopped from outside before anything was folded. */
  | { readonly kind: "stopped" }
  | {
      /** `replayed`: nothing was probed, the documents were brought up to the time. `offline`: the run is invalid. */
      readonly kind: "valid" | "offline" | "replayed";
      readonly snapshot: Snapshot;
      readonly state: State;
      readonly evidence: ReadonlyMap<string, ServiceEvidence>;
      readonly published: PublishResult;
      readonly requests: Requests;
    };

/**
 * One complete run: probe → fold → decide → build → publish. Throws `StateError` and `StoreError`; the network never makes
 * it throw.
 */
export async function run(given: RunDependencies, options: RunOptions): Promise<RunResult> {
  const publicStore = countRequests(given.publicStore);
  const stateStore = countRequests(given.stateStore);
  const deps = { ...given, publicStore, stateStore };
  const startedMs = deps.now();
  const { state } = await loadState(deps.stateStore, deps.emit);
  refuseFutureState(state, options);
  const time = effectiveRunTime(state.history, options.startMs, options.isReplay);
  if (time.kind === "already-folded") return release(deps, options, "replayed", replay(options));
  const services = selectServices(deps.catalogue, options.only);
  const seen = await look(deps, options, services, state.history);
  if (options.stop.aborted) {
    deps.emit({ event: "run-stopped" });
    return { kind: "stopped" };
  }
  const durationMs = Math.round(deps.now() - startedMs);
  if (seen.isOffline) {
    deps.emit({ event: "run-offline", domesticFailing: seen.domesticFailing });
    const step = noteOffline(seen, options, durationMs);
    return release(deps, options, "offline", step);
  }
  const step = foldSighting(deps.catalogue, seen, options, services, durationMs);
  return release(deps, options, "valid", step);
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

/** What a run makes of the newest state: the next one, the time as of which it speaks, and what there is to tell. */
type Step = (state: State) => {
  readonly state: State;
  readonly nowMs: number;
  readonly events: readonly RunEvent[];
};

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
    return { state: { ...state, lastRun, history, evidence }, nowMs: atMs, events };
  };
}

/** Wins a generation with the step and publishes it. */
async function release(
  deps: RunDependencies & CountedStores,
  options: RunOptions,
  kind: "valid" | "offline" | "replayed",
  step: Step,
): Promise<RunResult> {
  const startedMs = deps.now();
  const reports = await deps.readReports(options.startMs);
  // Every try computes these anew; those of the generation that was won are the last.
  let concluded = concludeStep(deps.catalogue, step(EMPTY_STATE), reports);
  const published = await commit(
    deps,
    (state) => (concluded = concludeStep(deps.catalogue, step(state), reports)),
    (state) => (concluded = concludeStep(deps.catalogue, bringUp(state, options), reports)),
  );
  for (const event of concluded.events) deps.emit(event);
  const { written, unchanged, removed, heldBack } = published;
  if (heldBack > 0) deps.emit({ event: "removals-held-back", count: heldBack });
  const requests = { public: deps.publicStore.requests(), state: deps.stateStore.requests() };
  deps.emit({
    event: "published",
    written,
    unchanged,
    removed,
    durationMs: Math.round(deps.now() - startedMs),
    requests,
  });
  const { snapshot, state } = concluded;
  return { kind, snapshot, state, evidence: state.evidence, published, requests };
}

/** Documents that follow from a state which others have advanced since: nothing is folded into it a second time. */
function bringUp(state: State, { startMs }: RunOptions): ReturnType<Step> {
  return { state, nowMs: startMs, events: [] };
}

/** A replay of an older time, or a clock that was set back, must not bring back what was true then. */
function latestOf({ history, lastRun }: State, nowMs: number): number {
  return Math.max(nowMs, history.updatedAtMs ?? nowMs, lastRun?.startedAtMs ?? nowMs);
}

function concludeStep(
  catalogue: Catalogue,
  { state, nowMs, events }: ReturnType<Step>,
  reports: Reports,
): Advance & { readonly snapshot: Snapshot; readonly events: readonly RunEvent[] } {
  const { history } = state;
  const asOfMs = latestOf(state, nowMs);
  const snapshot = conclude(catalogue, history, reports, history.updatedAtMs ?? asOfMs, asOfMs);
  const next = { ...state, evidence: pruneEvidence(state, catalogue) };
  return { state: next, nowMs: asOfMs, events, snapshot, documents: buildDocuments(snapshot) };
}

/** Evidence of services that left the catalogue is of no use to anybody. */
function pruneEvidence(state: State, catalogue: Catalogue): State["evidence"] {
  const slugs = new Set(catalogue.services.map(({ slug }) => slug));
  return new Map([...state.evidence].filter(([slug]) => slugs.has(slug)));
}
