import type { Log } from "../log/log.ts";
import { refresh } from "../refresh.ts";
import { renderRun } from "../render/run-table.ts";
import type { ExitCode, Io, ReleaseFlags } from "./io.ts";
import { readRelease } from "./release-setup.ts";
import { doubtsOf } from "./run.ts";
import { ifGiven, openChecklist, parseAt, parseLogMode } from "./settings.ts";

/** `refresh`: counts new reports, decides again, publishes. Probes nothing, and leaves `updated` alone. */
export async function refreshCommand(flags: ReleaseFlags, io: Io, log: Log): Promise<ExitCode> {
  const checklist = openChecklist();
  const { ready } = await readRelease(flags, checklist);
  const atMs = checklist.take(ifGiven(flags.at, parseAt));
  checklist.take(ifGiven(flags.log, parseLogMode));
  checklist.settle();
  if (ready === undefined) throw new TypeError("nothing to publish and no problem");
  for (const warning of ready.warnings) log.warn(warning);
  const { now } = ready.setup;
  const startedMs = now();
  const released = await refresh({ ...ready.setup, emit: log.emit }, atMs ?? io.wallMs());
  const { evidence } = released.state;
  const durationMs = Math.round(now() - startedMs);
  const doubts = doubtsOf(released.state, await ready.setup.readCatalogue(log.emit));
  io.print(renderRun({ ...released, ...doubts, kind: "refreshed", evidence }, durationMs));
  return 0;
}
