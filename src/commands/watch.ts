import type { Log } from "../log/log.ts";
import { SECOND_MS } from "../model/time.ts";
import type { ExitCode, Io, RunFlags } from "./io.ts";
import { runOnce } from "./run.ts";
import { prepareRun } from "./run-setup.ts";
import { isExpectedFailure, UsageError } from "./failures.ts";

export interface WatchFlags extends RunFlags {
  /** Seconds between runs. */
  readonly every: string;
}

/**
 * `watch`: a run at once, then one at every multiple of the period on the wall clock, until stopped. A run that could not
 * publish, or was offline, is told and the next one comes all the same. A stop ends the probing; a publish in hand is finished.
 */
export async function watchCommand(flags: WatchFlags, io: Io, log: Log): Promise<ExitCode> {
  const everyMs = Number(flags.every) * SECOND_MS;
  if (!(everyMs >= SECOND_MS))
    throw new UsageError([`--every ${flags.every}: give a number of seconds such as 300.`]);
  if (flags.at !== undefined)
    throw new UsageError(["--at: watch follows the clock; use run for one time."]);
  const setup = await prepareRun(flags, io);
  while (!io.stop.aborted) {
    await runOnce(setup, io.wallMs(), io, log).catch((error: unknown) => {
      if (!isExpectedFailure(error)) throw error;
      log.fail(error.message);
    });
    await setup.deps.sleep(everyMs - (io.wallMs() % everyMs), io.stop);
  }
  return 0;
}
