import type { Catalogue } from "../../model/service/catalogue.ts";
import type { Emit, EngineCounts } from "../../model/run-event.ts";
import type { State } from "../../model/state.ts";
import { NEXT_STEPS, renderRun } from "../output/run-table.ts";
import { run } from "../../pipeline/run/run.ts";
import { countCongested } from "../../services/history/response-baseline.ts";
import { findLeftOut } from "../../services/history/views.ts";
import { stopYoungGrowth } from "../../setup/collect-garbage.ts";
import { sendHeartbeat } from "../../setup/heartbeat.ts";
import type { ExitCode } from "../../setup/exit-codes.ts";
import type { Action, Call } from "../../setup/io.ts";
import type { PublishFlags, RunFlags } from "../../setup/options/options.ts";
import { prepareRun, type RunSetup } from "../../setup/run-setup.ts";
import { writeOutput } from "../../setup/files/named-files.ts";
import { refresh } from "../../pipeline/publish/refresh.ts";
import { readVersion } from "../../setup/shipped-files.ts";
import { preparePublish } from "../../setup/publish-settings.ts";

/** Failures that are held, and endpoints that do not count. */
function doubtsOf({ history }: State, catalogue: Catalogue) {
  return {
    held: [...history.held.keys()],
    leftOut: findLeftOut(catalogue, history),
    congestion: countCongested(history.runs),
  };
}

/** `run`: one complete run. Prints the services that are not ok, and a line of counts. */
export const runCommand: Action<RunFlags> = async (call) => {
  stopYoungGrowth();
  const setup = await prepareRun(call.flags, call.problems, call.io);
  for (const warning of setup.warnings) call.log.warn(warning);
  return runOnce(setup, call, call.flags.atMs ?? call.io.wallMs());
};

/** Makes one run and prints its result. Throws what `run` throws. */
export async function runOnce(
  setup: RunSetup,
  { flags, io, log }: Call<RunFlags>,
  startMs: number,
): Promise<ExitCode> {
  const { atMs, heartbeatUrl, metricsFile } = flags;
  const startedMs = setup.deps.now();
  let engine: EngineCounts | undefined;
  const emit: Emit = (event) => {
    if (event.event === "engine-done") engine = event;
    log.emit(event);
  };
  const result = await run(
    { ...setup.deps, emit, pictureBudgetMs: io.pictureBudgetMs },
    { ...setup.options, startMs, isReplay: atMs !== undefined, stop: io.stop },
  );
  if (result.kind === "stopped") return 1;
  const durationMs = Math.round(setup.deps.now() - startedMs);
  log.emit({ event: "run-finished", updatedAtMs: result.snapshot.updatedAtMs, durationMs });
  const catalogue = await setup.deps.readCatalogue(log.emit);
  const view = { ...result, ...doubtsOf(result.state, catalogue), ...(engine && { engine }) };
  io.print(renderRun(view, durationMs));
  if (result.isFirst) log.advise(NEXT_STEPS);
  if (metricsFile !== undefined) {
    const time = { endedAtMs: io.wallMs(), durationMs, version: readVersion() };
    // Most runs write no metrics, and need not load the library.
    const { renderRunMetrics } = await import("../output/run-metrics.ts");
    const text = await renderRunMetrics(view, time);
    const problem = await writeOutput("metricsFile", metricsFile, new TextEncoder().encode(text));
    // The run itself is published.
    if (problem !== undefined) log.warn(problem);
  }
  if (result.kind === "valid" && heartbeatUrl !== undefined) {
    const failure = await sendHeartbeat(heartbeatUrl);
    // The run is published; a heartbeat that fails must not fail it.
    if (failure !== undefined) log.warn(failure);
  }
  // Who tries the program on a machine without a network has done nothing wrong.
  return result.kind === "offline" && !result.isFirst ? 3 : 0;
}

/** `refresh`: counts new reports, decides again, publishes. Probes nothing, and leaves `updated` alone. */
export const refreshCommand: Action<PublishFlags> = async ({ flags, problems, io, log }) => {
  const { setup, warnings } = await preparePublish(flags, problems);
  for (const warning of warnings) log.warn(warning);
  const startedMs = setup.now();
  const generation = await refresh({ ...setup, emit: log.emit }, flags.atMs ?? io.wallMs());
  const durationMs = Math.round(setup.now() - startedMs);
  const { state } = generation;
  const doubts = doubtsOf(state, await setup.readCatalogue(log.emit));
  const view = { ...generation, ...doubts, kind: "refreshed", evidence: state.evidence } as const;
  io.print(renderRun(view, durationMs));
  return 0;
};
