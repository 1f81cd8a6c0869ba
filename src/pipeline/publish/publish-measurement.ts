import { countResults } from "../run/measure-monitors.ts";
import type { Conversation } from "../run/hear-vantages.ts";
import type { Measurement, RunningMeasurement } from "../run/measurement.ts";
import type { GenerationDependencies, StateUpdate } from "./publish-setup.ts";
import { selectServices } from "../run/prepare-run.ts";
import { isSealingDue, sealArchive, spoolRun } from "../run/archive-step.ts";
import { addPublished, type FinishedRun, publishStep } from "../run/run-result.ts";
import { countChecks, type FoldDependencies, foldMeasurement } from "../run/run-steps.ts";
import { recordOffline, type RunOptions } from "../run/run-steps.ts";
import type { CheckResult } from "../../model/monitor/monitor.ts";
import type { LoadedState } from "../../state/state-file.ts";

/** A run that has started to measure. */
export interface RunContext {
  readonly deps: GenerationDependencies & FoldDependencies;
  readonly options: RunOptions;
  /** The state as it was read at the start. */
  readonly known: LoadedState;
  readonly areChecksDue: boolean;
  readonly vantages: Conversation;
  /** Whole milliseconds since the start of the run. */
  readonly elapsedMs: () => number;
}

/** Folds and publishes the results of a run as they come in. Throws `StateError` and `StoreError`. */
export async function publishMeasurement(
  context: RunContext,
  running: RunningMeasurement,
): Promise<FinishedRun | "stopped"> {
  const early = await publishFirstPass(context, running);
  const services = await publishRemaining(context, running, early);
  if (services === "stopped") return services;
  if (services.kind === "valid") await publishArchive(context, services);
  const results = await running.checks;
  return results === undefined ? services : publishChecks(context, services, results);
}

interface EarlyPublish {
  readonly measurement: Measurement;
  readonly finished: FinishedRun;
  /** Time at which the first pass was folded. */
  readonly foldedAtMs: number | undefined;
}

/** The services that need no confirmation; undefined if there is nothing to publish before the others. */
async function publishFirstPass(
  { deps, options, known, vantages, elapsedMs }: RunContext,
  { firstPass }: RunningMeasurement,
): Promise<EarlyPublish | undefined> {
  const measurement = await firstPass;
  if (measurement === undefined || options.stop.aborted) return undefined;
  const news = await vantages.hear("first-pass");
  const durationMs = elapsedMs();
  let foldedAtMs: number | undefined;
  const update = foldMeasurement(deps, options, {
    measurement,
    news,
    durationMs,
    areMonitorsLater: true,
    pending: pendingOf(selectServices(deps.catalogue, options.only), measurement),
    onFold: (atMs) => void (foldedAtMs = atMs),
  });
  // Pages, badges and pictures are published once, with the remaining services, at most three minutes later.
  const finished = await publishStep(
    { ...deps, arePicturesLater: true },
    options,
    "valid",
    update,
    { elapsedMs: durationMs, known, isSiteLater: true },
  );
  return { measurement, finished, foldedAtMs };
}

function pendingOf(
  services: Measurement["services"],
  { services: complete }: Measurement,
): ReadonlySet<string> {
  return new Set(services.filter((one) => !complete.includes(one)).map(({ slug }) => slug));
}

/** All other services. They do not wait for the monitors, which may take minutes more. */
async function publishRemaining(
  context: RunContext,
  running: RunningMeasurement,
  early: EarlyPublish | undefined,
): Promise<FinishedRun | "stopped"> {
  const { deps, options, known, areChecksDue, vantages } = context;
  const measurement = await running.remaining;
  if (options.stop.aborted) {
    if (early !== undefined) await keepEarly(context, early);
    await running.checks;
    return "stopped";
  }
  const { connectivity } = measurement;
  const durationMs = context.elapsedMs();
  const step = { elapsedMs: durationMs, ...(early === undefined ? { known } : {}) };
  if (connectivity.state === "offline") {
    await running.checks;
    deps.emit({ event: "run-offline", unreachable: connectivity.unreachable });
    // What was published before the connection was lost stays valid, and so does the run.
    if (early !== undefined) {
      await keepEarly(context, early);
      return { ...early.finished, connectivity };
    }
    const update = recordOffline(measurement, options, durationMs);
    return { ...(await publishStep(deps, options, "offline", update, step)), connectivity };
  }
  // What counts is kept first: a crash in between leaves a run in the archive that the history does not have, and never the reverse.
  await keepChecks(context, deps.catalogue.services, measurement.measured);
  const update = foldMeasurement(deps, options, {
    measurement,
    news: await vantages.hear(isAnyFailing(measurement) ? "failing-end" : "quiet-end"),
    durationMs,
    areMonitorsLater: areChecksDue,
    earlierAtMs: early?.foldedAtMs,
  });
  const finished = await publishStep(deps, options, "valid", update, step);
  return {
    ...(early === undefined ? finished : addPublished(early.finished, finished)),
    connectivity,
  };
}

/** The services of the first pass are folded, although the run did not come to its end. */
function keepEarly(context: RunContext, { measurement }: EarlyPublish): Promise<void> {
  return keepChecks(context, measurement.services, measurement.results);
}

/** A part of the services (`--only`) would take the slot of a run with all of them. */
async function keepChecks(
  { deps, options, known }: RunContext,
  services: Measurement["services"],
  measured: Measurement["measured"],
): Promise<void> {
  if (options.only.length > 0 || deps.isMonitorsOnly === true) return;
  await spoolRun(deps, services, measured, known.state, options.startMs);
}

/** Once a day, in a generation of its own, so that no verdict waits for it. The website follows with the next run. */
async function publishArchive(
  { deps, options, elapsedMs }: RunContext,
  { state }: FinishedRun,
): Promise<void> {
  const { startMs } = options;
  if (deps.isMonitorsOnly === true || !isSealingDue(state, startMs)) return;
  const sealing = await sealArchive(deps, state, startMs, deps.keepArchiveDays);
  if (sealing === undefined) return;
  const update: StateUpdate = (newest) => ({
    state: { ...newest, archive: sealing.apply(newest.archive) },
    nowMs: startMs,
    events: [],
  });
  await publishStep(deps, options, "valid", update, { elapsedMs: elapsedMs(), isSiteLater: true });
  await sealing.clear();
}

function isAnyFailing({ results }: Measurement): boolean {
  return [...results.values()].some(({ outcome }) => outcome.kind === "failed");
}

async function publishChecks(
  { deps, options, elapsedMs }: RunContext,
  services: FinishedRun,
  results: ReadonlyMap<string, CheckResult>,
): Promise<FinishedRun> {
  const monitors = await publishStep(deps, options, "valid", countChecks(options, results), {
    elapsedMs: elapsedMs(),
    // The pages of the services were published with the services.
    isSiteLater: true,
  });
  return { ...addPublished(services, monitors), checks: countResults(results) };
}
