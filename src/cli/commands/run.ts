import type { Log } from "../../setup/log.ts";
import type { Catalogue } from "../../model/service/catalogue.ts";
import type { Emit, EngineCounts } from "../../model/run-event.ts";
import type { State } from "../../model/state.ts";
import { NEXT_STEPS, type RunView, renderRun } from "../output/run-table.ts";
import { run } from "../../pipeline/run/run.ts";
import { countCongested } from "../../services/history/response-baseline.ts";
import { findLeftOut } from "../../services/history/views.ts";
import { sendHeartbeat } from "../../setup/heartbeat.ts";
import type { ExitCode } from "../../setup/exit-codes.ts";
import type { Io, PublishFlags } from "../../setup/io.ts";
import { prepareRun, type RunFlags, type RunSetup } from "../../setup/run-setup.ts";
import type { RunTime } from "../output/run-metrics.ts";
import { writeOutput } from "../../setup/files/output-file.ts";
import { refresh } from "../../pipeline/publish/refresh.ts";
import { readPublishSettings } from "../../setup/publish-settings.ts";
import { collectProblems, ifGiven, parseAt, parseLogMode } from "../../setup/parse-options.ts";

/** Failures that are held, and endpoints that do not count. */
export function doubtsOf({ history }: State, catalogue: Catalogue) {
  return {
    held: [...history.held.keys()],
    leftOut: findLeftOut(catalogue, history),
    congestion: countCongested(history.runs),
  };
}

/** `run`: one complete run. Prints the services that are not ok, and a line of counts. */
export async function runCommand(flags: RunFlags, io: Io, log: Log): Promise<ExitCode> {
  const setup = await prepareRun(flags, io);
  for (const warning of setup.warnings) log.warn(warning);
  return runOnce(setup, setup.atMs ?? io.wallMs(), io, log);
}

/** Makes one run and prints its result. Throws what `run` throws. */
export async function runOnce(
  setup: RunSetup,
  startMs: number,
  io: Io,
  log: Log,
): Promise<ExitCode> {
  const startedMs = setup.deps.now();
  let engine: EngineCounts | undefined;
  const emit: Emit = (event) => {
    if (event.event === "engine-done") engine = event;
    log.emit(event);
  };
  const result = await run(
    { ...setup.deps, emit, pictureBudgetMs: io.pictureBudgetMs },
    { ...setup.options, startMs, isReplay: setup.atMs !== undefined, stop: io.stop },
  );
  if (result.kind === "stopped") return 1;
  const durationMs = Math.round(setup.deps.now() - startedMs);
  log.emit({ event: "run-finished", updatedAtMs: result.snapshot.updatedAtMs, durationMs });
  const catalogue = await setup.deps.readCatalogue(log.emit);
  const view = { ...result, ...doubtsOf(result.state, catalogue), ...(engine && { engine }) };
  io.print(renderRun(view, durationMs));
  if (result.isFirst) log.advise(NEXT_STEPS);
  if (setup.metricsFile !== undefined) {
    const time = { endedAtMs: io.wallMs(), durationMs };
    const problem = await writeMetrics(setup.metricsFile, view, time);
    if (problem !== undefined) log.warn(problem);
  }
  if (result.kind === "valid" && setup.heartbeatUrl !== undefined) {
    const beat = await sendHeartbeat(setup.heartbeatUrl);
    // The run is published; a heartbeat that fails must not fail it.
    if (beat.kind === "failed") log.warn(beat.message);
  }
  // Who tries the program on a machine without a network has done nothing wrong.
  return result.kind === "offline" && !result.isFirst ? 3 : 0;
}

/**
 * Writes the metrics of a run atomically, with a temporary file in the same folder, whose name node_exporter does not read. Returns a
 * sentence if that fails, because the run itself is published.
 */
async function writeMetrics(
  path: string,
  view: RunView,
  time: RunTime,
): Promise<string | undefined> {
  // Most runs write no metrics, and need not load the library.
  const { renderRunMetrics } = await import("../output/run-metrics.ts");
  const text = await renderRunMetrics(view, time);
  return writeOutput("--metrics-file", path, new TextEncoder().encode(text));
}

/** `refresh`: counts new reports, decides again, publishes. Probes nothing, and leaves `updated` alone. */
export async function refreshCommand(flags: PublishFlags, io: Io, log: Log): Promise<ExitCode> {
  const collector = collectProblems();
  const { ready } = await readPublishSettings(flags, collector);
  const atMs = collector.unwrap(ifGiven(flags.at, parseAt));
  collector.unwrap(ifGiven(flags.log, parseLogMode));
  collector.throwIfAny();
  if (ready === undefined) throw new TypeError("nothing to publish and no problem");
  for (const warning of ready.warnings) log.warn(warning);
  const { now } = ready.setup;
  const startedMs = now();
  const generation = await refresh({ ...ready.setup, emit: log.emit }, atMs ?? io.wallMs());
  const { evidence } = generation.state;
  const durationMs = Math.round(now() - startedMs);
  const doubts = doubtsOf(generation.state, await ready.setup.readCatalogue(log.emit));
  io.print(renderRun({ ...generation, ...doubts, kind: "refreshed", evidence }, durationMs));
  return 0;
}
