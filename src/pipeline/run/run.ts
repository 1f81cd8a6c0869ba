import { measure } from "./measure.ts";
import { openConversation, type VantageExchange } from "./hear-vantages.ts";
import type { MeasureDependencies, MonitorTarget } from "./measurement.ts";
import { type FinishedRun, publishMeasurement, publishStep } from "./publish-measurement.ts";
import { refuseFutureState, replay, type RunOptions } from "./run-steps.ts";
import { loadMonitorHistory } from "../publish/monitor-generation.ts";
import { joinOwned } from "../publish/monitor-removals.ts";
import { findOwned } from "../publish/owner-generation.ts";
import { openPublishing } from "../publish/publish-generation.ts";
import type { GenerationDependencies, PublishSetup } from "../publish/publish-setup.ts";
import type { Emit } from "../../model/run-event.ts";
import type { State } from "../../model/state.ts";
import { unlessStopped } from "../../model/stopping.ts";
import { effectiveRunTime } from "../../services/history/fold.ts";
import { LIST_KEY } from "../../services/snapshot/api-documents.ts";
import { loadState } from "../../state/state-file.ts";
import { wasHealthy } from "../../monitors/uptime/availability.ts";

export type { RunOptions } from "./run-steps.ts";

/** Everything with an effect that a run uses: network, disk, clocks, randomness. */
export type RunDependencies = Omit<MeasureDependencies, "catalogue" | "onFirstPass"> &
  PublishSetup & {
    /** The vantages as they are configured now; undefined: there are none. Never throws; problems are logged. */
    readonly readExchange?: (emit: Emit) => Promise<VantageExchange | undefined>;
  };

export type RunResult =
  /** Stopped before all services were folded. */
  | { readonly kind: "stopped" }
  /** `isFirst`: nothing was published from this state before. */
  | (FinishedRun & { readonly isFirst: boolean });

/**
 * One complete run: probe → fold → decide → build → publish. It publishes up to four generations, each folded, decided and built from
 * the newest state (`publishGeneration`): the services that need no confirmation, the others, once a day the archive, and the monitors.
 * All are as of the time of the run. Throws `StateError` and `StoreError`; the network never makes it throw.
 */
export async function run(setup: RunDependencies, options: RunOptions): Promise<RunResult> {
  // A run probes one catalogue; each generation is built from the newest.
  const deps = { ...openPublishing(setup), catalogue: await setup.readCatalogue(setup.emit) };
  const stopped = (): RunResult => {
    deps.emit({ event: "run-stopped" });
    return { kind: "stopped" };
  };
  const startedMs = deps.now();
  const elapsedMs = (): number => Math.round(deps.now() - startedMs);
  const known = await loadForRun(deps, options);
  if (known === "stopped") return stopped();
  const { startMs, only } = options;
  const { history, publication } = known.state;
  const isFirst = publication.generation === 0;
  if (effectiveRunTime(history, startMs, options.isReplay).kind === "already-folded") {
    const replayed = await publishStep(deps, options, "replayed", replay(options), 0, { known });
    return { ...replayed, isFirst };
  }
  const services = deps.catalogue.services.filter(
    ({ slug }) => only.length === 0 || only.includes(slug),
  );
  const find = () => findMonitors(deps, options, known.state);
  const monitors = await unlessStopped(find, options.stop);
  if (monitors === "stopped") return stopped();

  const abandoned = new AbortController();
  const stop = AbortSignal.any([options.stop, abandoned.signal]);
  const exchange = await deps.readExchange?.(deps.emit);
  const vantages = openConversation(deps, exchange, known.state.vantages, services, startMs);
  const running = await measure(
    { ...deps, onFirstPass: vantages.ask },
    { ...options, stop },
    services,
    monitors,
    known.state,
  );
  try {
    const areChecksDue = monitors.length > 0;
    const context = { deps, options, known, services, areChecksDue, vantages, elapsedMs };
    const finished = await publishMeasurement(context, running);
    return finished === "stopped" ? stopped() : { ...finished, isFirst };
  } finally {
    // After an error nothing uses the results of the probes that still run.
    abandoned.abort("aborted");
    await Promise.all([running.remaining, running.checks]);
  }
}

/** Loads the state, and checks the clock and the public store before the probes. Throws `StateError`, `StoreError`. */
async function loadForRun(deps: GenerationDependencies, options: RunOptions) {
  // Nothing is running yet, so a store that does not answer must not delay a stop.
  const known = await unlessStopped(() => loadState(deps.stateStore), options.stop);
  if (known === "stopped") return known;
  deps.checkClock();
  refuseFutureState(known.state, options);
  const isNew = known.state.publication.store !== deps.publicStore.identity;
  // Its name may be misspelt. A read, because `find` does not say which is missing, the object or the bucket.
  const check = async () => (isNew ? deps.publicStore.read(LIST_KEY) : undefined);
  const checked = await unlessStopped(check, options.stop);
  return checked === "stopped" ? checked : known;
}

/** The monitors to check, each with what its record says. A run over selected services checks none. */
async function findMonitors(
  deps: GenerationDependencies,
  { only, startMs }: RunOptions,
  state: State,
): Promise<readonly MonitorTarget[]> {
  if (only.length > 0) return [];
  const owned = await findOwned(deps, state, startMs);
  const { monitors } = joinOwned(await deps.readRegistry(), owned, deps.memory);
  const { recordOf, clock } = await loadMonitorHistory(deps.stateStore, state, deps.memory);
  return monitors.map((monitor) => {
    const record = recordOf(monitor.id);
    const { state: condition, warning } = record ?? {};
    return {
      ...monitor,
      lastState: condition === "healthy" || condition === "failing" ? condition : "unknown",
      wasHealthy: wasHealthy(record, clock, startMs),
      ...(warning === undefined ? {} : { warning }),
    };
  });
}
