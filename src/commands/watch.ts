import type { Log } from "../log/log.ts";
import type { ExitCode, Io, RunFlags } from "./io.ts";
import { runOnce } from "./run.ts";
import { prepareRun } from "./run-setup.ts";
import { isExpectedFailure, UsageError } from "./failures.ts";
import { parseEvery } from "./settings.ts";

export interface WatchFlags extends RunFlags {
  /** Seconds between runs. */
  readonly every: string;
}

/**
 * `watch`: a run at once, then one at every multiple of the period on the wall clock, until stopped. A run that could not
 * publish, or was offline, is told and the next one comes all the same. A stop ends the probing; a publish in hand is finished.
 */
export async function watchCommand(flags: WatchFlags, io: Io, log: Log): Promise<ExitCode> {
  const every = parseEvery(flags.every);
  const setup = await prepareRun(flags, io).catch((error: unknown) => {
    if ("value" in every || !(error instanceof UsageError)) throw error;
    throw new UsageError([every.problem, ...error.problems]);
  });
  if ("problem" in every) throw new UsageError([every.problem]);
  const everyMs = every.value;
  for (const warning of setup.warnings) log.warn(warning);
  while (!io.stop.aborted) {
    await runOnce(setup, io.wallMs(), io, log).catch((error: unknown) => {
      if (!isExpectedFailure(error)) throw error;
      log.fail(error.message);
    });
    const nextMs = (Math.floor(io.wallMs() / everyMs) + 1) * everyMs;
    // A timer may fire a moment early, and a run of 12:04:59.999 would count for the five minutes before.
    while (!io.stop.aborted && io.wallMs() < nextMs) {
      await setup.deps.sleep(nextMs - io.wallMs(), io.stop);
    }
  }
  return 0;
}
