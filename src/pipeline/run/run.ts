import { measure } from "./measure.ts";
import type { Emit } from "../../model/run-event.ts";
import { openConversation, type VantageExchange } from "./hear-vantages.ts";
import type { MeasureDependencies } from "./measurement.ts";
import { openPublishing } from "../publish/publish-generation.ts";
import { publishMeasurement } from "../publish/publish-measurement.ts";
import type { PublishSetup } from "../publish/publish-setup.ts";
import { findMonitors, loadForRun, selectServices } from "./prepare-run.ts";
import { replay, type RunOptions } from "./run-steps.ts";
import { publishStep, type RunResult } from "./run-result.ts";
import { unlessStopped } from "../../model/stopping.ts";
import { effectiveRunTime } from "../../services/history/fold.ts";

export type { RunOptions } from "./run-steps.ts";
export type { RunResult } from "./run-result.ts";

/** Everything with an effect that a run uses: network, disk, clocks, randomness. */
export type RunDependencies = Omit<MeasureDependencies, "catalogue" | "onFirstPass"> &
  PublishSetup & {
    /** The vantages as they are configured now; undefined: there are none. Never throws; problems are logged. */
    readonly readExchange?: (emit: Emit) => Promise<VantageExchange | undefined>;
  };

/**
 * One complete run: probe → fold → decide → build → publish. It publishes up to three generations, each folded, decided and built
 * from the newest state (`publishGeneration`): the services that need no confirmation, the remaining services, and the monitors.
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
  const known = await loadForRun(deps, options);
  if (known === "stopped") return stopped();
  const { history, publication } = known.state;
  const isFirst = publication.generation === 0;
  if (effectiveRunTime(history, options.startMs, options.isReplay).kind === "already-folded")
    return {
      ...(await publishStep(deps, options, "replayed", replay(options), { elapsedMs: 0, known })),
      isFirst,
    };
  const services = selectServices(deps.catalogue, options.only);
  const monitors = await unlessStopped(
    () => findMonitors(deps, options, known.state),
    options.stop,
  );
  if (monitors === "stopped") return stopped();

  const abandoned = new AbortController();
  const { startMs } = options;
  const stop = AbortSignal.any([options.stop, abandoned.signal]);
  const exchange = await deps.readExchange?.(deps.emit);
  const vantages = openConversation(
    { ...deps, ...(exchange === undefined ? {} : { exchange }) },
    known.state.vantages,
    services,
    startMs,
  );
  const running = await measure(
    { ...deps, onFirstPass: vantages.ask },
    { ...options, stop },
    { services, monitors },
    known.state,
  );
  try {
    const elapsedMs = (): number => Math.round(deps.now() - startedMs);
    const areChecksDue = monitors.length > 0;
    const context = { deps, options, known, elapsedMs, areChecksDue, vantages };
    const finished = await publishMeasurement(context, running);
    return finished === "stopped" ? stopped() : { ...finished, isFirst };
  } finally {
    // After an error nothing uses the results of the probes that still run.
    abandoned.abort("aborted");
    await Promise.all([running.remaining, running.checks]);
  }
}
