import { listInbox } from "../../state/inbox.ts";
import type { Log } from "../../setup/log.ts";
import { type FoldedIds, isFolded } from "../../model/folded-ids.ts";
import { unlessStopped, untilStopped } from "../../model/stopping.ts";
import { SECOND_MS } from "../../model/time.ts";
import { refresh } from "../../pipeline/publish/refresh.ts";
import type { Action, Call, Io } from "../../setup/io.ts";
import type { Flags, RunFlags } from "../../setup/options/options.ts";
import { runOnce } from "./run.ts";
import { prepareRun, type RunSetup } from "../../setup/run-setup.ts";
import {
  createThrottle,
  throttleEvents,
  MAX_STOP_MS,
  REFRESH_EVERY_MS,
  within,
} from "../../setup/long-running.ts";
import { isExpectedFailure } from "../../setup/errors.ts";

type WatchFlags = RunFlags & Flags<"watch">;

/**
 * `watch`: a run at once, then one at every multiple of the period on the wall clock, until stopped. A run that fails or is offline is
 * logged and does not prevent the next. Each run reads its files again. Between runs, new reports are published. A stop ends the start
 * and the probing at once; a publish in progress gets a minute to end.
 */
export const watchCommand: Action<WatchFlags> = async (call) => {
  const { flags, problems, io, log } = call;
  const setup = await unlessStopped(() => prepareRun(flags, problems, io), io.stop);
  if (setup === "stopped") return 0;
  for (const warning of setup.warnings) log.warn(warning);
  const working = Promise.all([runPeriodically(setup, call), publishReports(setup, io, log)]);
  // Both end after a stop; before it only because of a defect.
  await Promise.race([working, untilStopped(io.stop)]);
  if ((await within(working, MAX_STOP_MS, "late")) === "late") log.warn(CUT_OFF);
  return 0;
};

const CUT_OFF =
  "The publish in progress did not end within a minute and is cut off. The next run publishes what is missing.";

async function runPeriodically(setup: RunSetup, call: Call<WatchFlags>): Promise<void> {
  const { io, log, flags } = call;
  while (!io.stop.aborted) {
    const probes = await setup.renewProbes(log.warn);
    if (io.stop.aborted) return;
    const renewed = { ...setup, deps: { ...setup.deps, ...probes } };
    await runOnce(renewed, call, io.wallMs()).catch((error: unknown) => {
      if (!isExpectedFailure(error)) throw error;
      log.fail(error.message);
    });
    const nextMs = (Math.floor(io.wallMs() / flags.everyMs) + 1) * flags.everyMs;
    // A timer may fire early, and a run at 12:04:59.999 would count for the previous five minutes.
    while (!io.stop.aborted && io.wallMs() < nextMs) {
      await setup.deps.sleep(nextMs - io.wallMs(), io.stop);
    }
  }
}

/** How often the inbox is checked for new reports. */
const POLL_EVERY_MS = 5 * SECOND_MS;

/** Publishes new reports soon after they arrive, and falling counts, independently of the runs. */
async function publishReports({ deps }: RunSetup, io: Io, log: Log): Promise<void> {
  const isDueAgain = createThrottle(io.wallMs);
  const emit = throttleEvents(log.emit, isDueAgain);
  let refreshedMs = io.wallMs();
  let folded: FoldedIds = new Map();
  for (;;) {
    await deps.sleep(POLL_EVERY_MS, io.stop);
    if (io.stop.aborted) return;
    try {
      const isDue = io.wallMs() - refreshedMs >= REFRESH_EVERY_MS;
      // Reports that were counted but could not be removed stay in the inbox.
      const isNew = (id: string): boolean => !isFolded(folded, id);
      const waiting = isDue ? [] : await unlessStopped(() => listInbox(deps.stateStore), io.stop);
      if (waiting === "stopped") return;
      if (!isDue && !waiting.some(isNew)) continue;
      const { state } = await refresh({ ...deps, emit }, io.wallMs());
      refreshedMs = io.wallMs();
      folded = state.reports.folded;
    } catch (error) {
      if (!isExpectedFailure(error)) throw error;
      if (isDueAgain("publish")) log.warn(`Reports could not be published: ${error.message}`);
    }
  }
}
