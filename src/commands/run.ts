import type { Log } from "../log/log.ts";
import { renderRun } from "../render/run-table.ts";
import { run, type RunResult } from "../run.ts";
import { StateError } from "../state.ts";
import { StoreError } from "../model/store.ts";
import type { ExitCode, Io, RunFlags } from "./io.ts";
import { prepareRun, type RunSetup } from "./run-setup.ts";

/** `run`: one complete run. Prints what is not ok, and a line of counts. */
export async function runCommand(flags: RunFlags, io: Io, log: Log): Promise<ExitCode> {
  const setup = await prepareRun(flags, io);
  const startMs = setup.atMs ?? io.wallMs();
  return runOnce(setup, startMs, io, log);
}

/** One run of a prepared set-up, its result printed. What goes wrong outside the program is told, not thrown. */
export async function runOnce(
  setup: RunSetup,
  startMs: number,
  io: Io,
  log: Log,
): Promise<ExitCode> {
  const startedMs = performance.now();
  try {
    const result = await run(
      { ...setup.deps, emit: log.emit },
      { ...setup.options, startMs, isReplay: setup.atMs !== undefined, stop: io.stop },
    );
    if (result.kind === "stopped") return 1;
    const durationMs = Math.round(performance.now() - startedMs);
    log.emit({ event: "run-finished", updatedAtMs: result.snapshot.updatedAtMs, durationMs });
    io.print(renderRun(result, durationMs));
    return exitCodeOf(result);
  } catch (error) {
    if (!(error instanceof StoreError) && !(error instanceof StateError)) throw error;
    log.fail(error.message);
    return 1;
  }
}

function exitCodeOf(result: RunResult): ExitCode {
  return result.kind === "offline" ? 3 : 0;
}
