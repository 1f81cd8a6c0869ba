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
import type { ServiceEvidence } from "./model/evidence.ts";
import type { RunRecord } from "./model/history.ts";
import type { Snapshot } from "./model/snapshot.ts";
import type { State } from "./model/state.ts";
import type { PublishResult } from "./publish/publish.ts";
import { release, type ReleaseDependencies } from "./release.ts";
import { loadState } from "./state.ts";

/** Everything a run touches that is not a value: network, disk, clocks. */
export interface RunDependencies extends LookDependencies, ReleaseDependencies {}

export interface RunOptions extends LookOptions {
  /** The time was given by hand (`--at`): a run at or before the last one is a replay and counts nothing. */
  readonly isReplay: boolean;
  /** Slugs to probe; empty: all. The others keep what is known of them. */
  readonly only: readonly string[];
}

export type RunResult =
  /** Stopped from outside before anything was folded. */
  | { readonly kind: "stopped" }
  | {
      /** `replayed`: nothing was probed, the documents were brought up to the time. `offline`: the run is invalid. */
      readonly kind: "valid" | "offline" | "replayed";
      readonly snapshot: Snapshot;
      readonly evidence: ReadonlyMap<string, ServiceEvidence>;
      readonly published: PublishResult;
    };

/** One complete run: probe → fold → decide → build → publish. Throws `StateError` and `StoreError`; the network never makes it throw. */
export async function run(deps: RunDependencies, options: RunOptions): Promise<RunResult> {
  const startedMs = deps.now();
  const services = selectServices(deps.catalogue, options.only);
  const before = await loadState(deps.stateStore, deps.emit);
  if (
    effectiveRunTime(before.history, options.startMs, options.isReplay).kind === "already-folded"
  ) {
    deps.emit({ event: "already-folded", atMs: options.startMs });
    return finish(deps, before, "replayed", options.startMs);
  }
  const seen = await look(deps, options, services, before.history);
  if (options.stop.aborted) {
    deps.emit({ event: "run-stopped" });
    return { kind: "stopped" };
  }
  // Probing takes minutes: another run may have folded meanwhile, and its result must not be lost.
  const state = await loadState(deps.stateStore, () => undefined);
  const durationMs = Math.round(deps.now() - startedMs);
  const lastRun = runEvidence(
    seen,
    options.startMs,
    durationMs,
    isCongestedRun(state.history, seen),
  );
  if (seen.isOffline) return concludeOffline(deps, options, { ...state, lastRun }, seen);
  return concludeValid(deps, options, { ...state, lastRun }, seen, services);
}

function selectServices(catalogue: Catalogue, only: readonly string[]): readonly Service[] {
  return only.length === 0
    ? catalogue.services
    : catalogue.services.filter(({ slug }) => only.includes(slug));
}

function concludeOffline(
  deps: RunDependencies,
  options: RunOptions,
  state: State,
  seen: Sighting,
): Promise<RunResult> {
  deps.emit({ event: "run-offline", domesticFailing: seen.domesticFailing });
  // Before the first valid run a reader still gets the complete API, dated to the first attempt.
  const updatedAtMs = state.history.updatedAtMs ?? options.startMs;
  const next = { ...state, history: { ...state.history, updatedAtMs } };
  return finish(deps, next, "offline", options.startMs);
}

function concludeValid(
  deps: RunDependencies,
  options: RunOptions,
  state: State,
  seen: Sighting,
  services: readonly Service[],
): Promise<RunResult> {
  const time = effectiveRunTime(state.history, options.startMs, options.isReplay);
  if (time.kind === "already-folded") {
    deps.emit({ event: "already-folded", atMs: options.startMs });
    return finish(deps, state, "replayed", options.startMs);
  }
  if (time.atMs > options.startMs)
    deps.emit({ event: "clock-behind", behindMs: time.atMs - options.startMs });
  const record: RunRecord = {
    atMs: time.atMs,
    isCongested: state.lastRun?.isCongested ?? false,
    results: seen.results,
    anchors: new Map(seen.before.map(({ anchor, outcome }) => [anchor.url, outcome])),
  };
  const evidence = new Map(state.evidence);
  for (const service of services)
    evidence.set(service.slug, serviceEvidence(service, seen, time.atMs));
  const next = { ...state, history: fold(state.history, record, deps.catalogue), evidence };
  return finish(deps, next, "valid", time.atMs);
}

async function finish(
  deps: RunDependencies,
  state: State,
  kind: "valid" | "offline" | "replayed",
  nowMs: number,
): Promise<RunResult> {
  const released = await release(deps, state, nowMs, kind !== "replayed");
  return { kind, ...released, evidence: released.state.evidence };
}
