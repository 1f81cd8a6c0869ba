import { listInbox } from "../inbox.ts";
import type { Log } from "../log/log.ts";
import { type FoldedIds, isFolded } from "../model/folded-ids.ts";
import { unlessStopped, untilStopped } from "../model/stopping.ts";
import { SECOND_MS } from "../model/time.ts";
import { refresh } from "../refresh.ts";
import type { ExitCode, Io, RunFlags } from "./io.ts";
import { runOnce } from "./run.ts";
import { prepareRun, type RunSetup } from "./run-setup.ts";
import { createReminder, emitSeldom } from "./seldom.ts";
import { isExpectedFailure, UsageError } from "./failures.ts";
import { parseEvery } from "./settings.ts";
import { endsWithin, LONGEST_STOP_MS } from "./stopping.ts";

export interface WatchFlags extends RunFlags {
  /** Seconds between runs. */
  readonly every: string;
}

/**
 * `watch`: a run at once, then one at every multiple of the period on the wall clock, until stopped. A run that could not
 * publish, or was offline, is told and the next one comes all the same. Each goes by the files of its settings as they are then.
 * Between runs it publishes new reports. A stop ends the start and the probing at once; a publish in hand gets a minute to end.
 */
export async function watchCommand(flags: WatchFlags, io: Io, log: Log): Promise<ExitCode> {
  const prepared = await unlessStopped(() => prepare(flags, io), io.stop);
  if (prepared === "stopped") return 0;
  const { setup, everyMs } = prepared;
  for (const warning of setup.warnings) log.warn(warning);
  const working = Promise.all([keepRunning(setup, everyMs, io, log), keepCounts(setup, io, log)]);
  // Both end by themselves when they are stopped, and before that only by a defect.
  await Promise.race([working, untilStopped(io.stop)]);
  if (!(await endsWithin(working, LONGEST_STOP_MS))) log.warn(CUT_OFF);
  return 0;
}

const CUT_OFF =
  "The publish in hand did not end within a minute and is cut off. The next run publishes what is missing.";

/** Everything that is told on the command line, checked. Throws one `UsageError` with every problem. */
async function prepare(
  flags: WatchFlags,
  io: Io,
): Promise<{ readonly setup: RunSetup; readonly everyMs: number }> {
  const every = parseEvery(flags.every);
  const setup = await prepareRun(flags, io).catch((error: unknown) => {
    if ("value" in every || !(error instanceof UsageError)) throw error;
    throw new UsageError([every.problem, ...error.problems]);
  });
  if ("problem" in every) throw new UsageError([every.problem]);
  return { setup, everyMs: every.value };
}

async function keepRunning(setup: RunSetup, everyMs: number, io: Io, log: Log): Promise<void> {
  while (!io.stop.aborted) {
    const probes = await setup.renewProbes(log.warn);
    if (io.stop.aborted) return;
    const renewed = { ...setup, deps: { ...setup.deps, ...probes } };
    await runOnce(renewed, io.wallMs(), io, log).catch((error: unknown) => {
      if (!isExpectedFailure(error)) throw error;
      log.fail(error.message);
    });
    const nextMs = (Math.floor(io.wallMs() / everyMs) + 1) * everyMs;
    // A timer may fire a moment early, and a run of 12:04:59.999 would count for the five minutes before.
    while (!io.stop.aborted && io.wallMs() < nextMs) {
      await setup.deps.sleep(nextMs - io.wallMs(), io.stop);
    }
  }
}

/** How often somebody looks whether reports came in. */
const LOOK_EVERY_MS = 5 * SECOND_MS;
/** Counts fall as reports grow old, also when no new ones come. Source: docs/reports.md. */
const REFRESH_EVERY_MS = 50 * SECOND_MS;

/** Publishes what was reported soon after it came, and counts that fall, beside the runs. */
async function keepCounts({ deps }: RunSetup, io: Io, log: Log): Promise<void> {
  const isReminderDue = createReminder(io.wallMs);
  const emit = emitSeldom(log.emit, isReminderDue);
  let refreshedMs = io.wallMs();
  let folded: FoldedIds = new Map();
  for (;;) {
    await deps.sleep(LOOK_EVERY_MS, io.stop);
    if (io.stop.aborted) return;
    try {
      const isDue = io.wallMs() - refreshedMs >= REFRESH_EVERY_MS;
      // What could not be removed lies there for good, and is no news.
      const isNews = (id: string): boolean => !isFolded(folded, id);
      const listing = (): Promise<readonly string[]> => listInbox(deps.stateStore);
      const waiting = isDue ? [] : await unlessStopped(listing, io.stop);
      if (waiting === "stopped") return;
      if (!isDue && !waiting.some(isNews)) continue;
      const { state } = await refresh({ ...deps, emit }, io.wallMs());
      refreshedMs = io.wallMs();
      folded = state.reports.folded;
    } catch (error) {
      if (!isExpectedFailure(error)) throw error;
      if (isReminderDue("publish")) log.warn(`Reports could not be published: ${error.message}`);
    }
  }
}
