import { isSealingDue, sealArchive, spoolRun } from "./archive-step.ts";
import type { Conversation } from "./hear-vantages.ts";
import { countResults } from "./measure-monitors.ts";
import { type Measurement, resultsByUrl, type RunningMeasurement } from "./measurement.ts";
import {
  countChecks,
  type FoldDependencies,
  foldMeasurement,
  recordOffline,
  type RunOptions,
} from "./run-steps.ts";
import { publishGeneration } from "../publish/publish-generation.ts";
import type {
  GenerationDependencies,
  GenerationOptions,
  PublishedGeneration,
  StateUpdate,
} from "../publish/publish-setup.ts";
import type { CheckResult } from "../../model/monitor/monitor.ts";
import type { Service } from "../../model/service/catalogue.ts";
import type { Connectivity } from "../../model/service/connectivity.ts";
import type { ServiceEvidence } from "../../model/service/evidence.ts";
import type { LoadedState } from "../../state/state-file.ts";

export interface FinishedRun extends PublishedGeneration {
  /** `replayed`: nothing was probed, the documents were built as of the given time. `offline`: the run is invalid. */
  readonly kind: "valid" | "offline" | "replayed";
  readonly evidence: ReadonlyMap<string, ServiceEvidence>;
  /** The runner's own connectivity; absent when nothing was probed. */
  readonly connectivity?: Connectivity;
  /** How many monitors have each kind of check result; absent when none was checked. */
  readonly checks?: ReturnType<typeof countResults>;
}

/** A run that has started. */
export interface RunContext {
  readonly deps: GenerationDependencies & FoldDependencies;
  readonly options: RunOptions;
  /** The state as it was read at the start. */
  readonly known: LoadedState;
  /** Those that are probed. */
  readonly services: readonly Service[];
  readonly areChecksDue: boolean;
  readonly vantages: Conversation;
  /** Whole milliseconds since the start of the run. */
  readonly elapsedMs: () => number;
}

/** Publishes one generation of a run. Throws `StateError` and `StoreError`. */
export async function publishStep(
  deps: GenerationDependencies,
  { startMs, isReplay }: RunOptions,
  kind: FinishedRun["kind"],
  update: StateUpdate,
  elapsedMs: number,
  how: Pick<GenerationOptions, "known" | "isSiteLater"> = {},
): Promise<FinishedRun> {
  const reportsAtMs = startMs + (isReplay ? 0 : elapsedMs);
  const generation = await publishGeneration(deps, startMs, update, { ...how, reportsAtMs });
  return { ...generation, kind, evidence: generation.state.evidence };
}

/** Folds and publishes the results of a run as they come in. Throws `StateError` and `StoreError`. */
export async function publishMeasurement(context: RunContext, running: RunningMeasurement) {
  const early = await publishFirstPass(context, running);
  const services = await publishRemaining(context, running, early);
  if (services === "stopped") return services;
  if (services.kind === "valid") await publishArchive(context, services);
  const results = await running.checks;
  return results === undefined ? services : publishChecks(context, services, results);
}

/** The services that need no confirmation; undefined if there is nothing to publish before the others. */
async function publishFirstPass(
  { deps, options, known, services, vantages, elapsedMs }: RunContext,
  { firstPass }: RunningMeasurement,
) {
  const measurement = await firstPass;
  if (measurement === undefined || options.stop.aborted) return undefined;
  const news = await vantages.hear("first-pass");
  const durationMs = elapsedMs();
  const pending = services.filter((one) => !measurement.services.includes(one));
  const folded: { atMs?: number } = {};
  const update = foldMeasurement(deps, options, measurement, news, {
    durationMs,
    areMonitorsLater: true,
    pending: new Set(pending.map(({ slug }) => slug)),
    onFold: (atMs) => void (folded.atMs = atMs),
  });
  // Pages, badges and pictures are published once, with the remaining services, at most three minutes later.
  const later = { ...deps, arePicturesLater: true };
  const how = { known, isSiteLater: true };
  const finished = await publishStep(later, options, "valid", update, durationMs, how);
  return { measurement, finished, folded };
}

/** All other services. They do not wait for the monitors, which may take minutes more. */
async function publishRemaining(
  context: RunContext,
  running: RunningMeasurement,
  early: Awaited<ReturnType<typeof publishFirstPass>>,
): Promise<FinishedRun | "stopped"> {
  const { deps, options, known, areChecksDue, vantages } = context;
  const measurement = await running.remaining;
  const { connectivity } = measurement;
  const durationMs = context.elapsedMs();
  const how = early === undefined ? { known } : {};
  // The services of the first pass are folded, even if the run does not come to its end.
  const keepEarly = async (): Promise<void> =>
    early && keepChecks(context, early.measurement, early.measurement.services);
  if (options.stop.aborted) {
    await keepEarly();
    await running.checks;
    return "stopped";
  }
  if (connectivity.state === "offline") {
    await running.checks;
    deps.emit({ event: "run-offline", unreachable: connectivity.unreachable });
    // What was published before the connection was lost stays valid, and so does the run.
    await keepEarly();
    if (early !== undefined) return { ...early.finished, connectivity };
    const update = recordOffline(measurement, options, durationMs);
    const finished = await publishStep(deps, options, "offline", update, durationMs, how);
    return { ...finished, connectivity };
  }
  // What counts is kept first: a crash in between leaves a run in the archive that the history does not have, and never the reverse.
  await keepChecks(context, measurement, deps.catalogue.services);
  const news = await vantages.hear(isAnyFailing(measurement) ? "failing-end" : "quiet-end");
  const update = foldMeasurement(deps, options, measurement, news, {
    durationMs,
    areMonitorsLater: areChecksDue,
    earlierAtMs: early?.folded.atMs,
  });
  const finished = await publishStep(deps, options, "valid", update, durationMs, how);
  return { ...addPublished(early?.finished, finished), connectivity };
}

/** @param services those that are folded. A part of them (`--only`) would take the slot of a run with all. */
async function keepChecks(
  { deps, options, known }: RunContext,
  { measured }: Measurement,
  services: readonly Service[],
): Promise<void> {
  if (options.only.length > 0 || deps.isMonitorsOnly === true) return;
  await spoolRun(deps, services, measured, known.state, options.startMs);
}

function isAnyFailing(measurement: Measurement): boolean {
  return [...resultsByUrl(measurement).values()].some(({ outcome }) => outcome.kind === "failed");
}

/** Once a day, in a generation of its own, so that no verdict waits for it. The website follows with the next run. */
async function publishArchive({ deps, options, elapsedMs }: RunContext, { state }: FinishedRun) {
  const { startMs } = options;
  if (deps.isMonitorsOnly === true || !isSealingDue(state, startMs)) return;
  const sealing = await sealArchive(deps, state, startMs);
  if (sealing === undefined) return;
  const update: StateUpdate = (newest) => {
    return { state: { ...newest, archive: sealing.apply(newest.archive) }, nowMs: startMs };
  };
  await publishStep(deps, options, "valid", update, elapsedMs(), { isSiteLater: true });
  await sealing.clear();
}

async function publishChecks(
  { deps, options, elapsedMs }: RunContext,
  services: FinishedRun,
  results: ReadonlyMap<string, CheckResult>,
): Promise<FinishedRun> {
  // A directory is audited once in a run, with the services, while monitors are checked.
  const light = deps.auditsAll === true ? deps : { ...deps, mustVerify: false };
  const update = countChecks(options, results);
  // The pages of the services were published with the services.
  const how = { isSiteLater: true };
  const monitors = await publishStep(light, options, "valid", update, elapsedMs(), how);
  return { ...addPublished(services, monitors), checks: countResults(results) };
}

/** The result of a run that published twice: the second generation, with the objects of both counted. */
function addPublished(first: FinishedRun | undefined, second: FinishedRun): FinishedRun {
  if (first === undefined) return second;
  const [one, two] = [first.published, second.published];
  return {
    ...first,
    ...second,
    published: {
      ...two,
      written: one.written + two.written,
      // The second publish counts the objects that the first one wrote as unchanged.
      unchanged: Math.max(0, two.unchanged - one.written),
      removed: one.removed + two.removed,
      withheldRemovals: Math.max(one.withheldRemovals, two.withheldRemovals),
    },
  };
}
