import type { Log } from "../../setup/log.ts";
import { refresh } from "../../pipeline/publish/refresh.ts";
import { renderRun } from "../output/run-table.ts";
import type { ExitCode } from "../../setup/exit-codes.ts";
import type { Io, PublishFlags } from "../../setup/io.ts";
import { readPublishSettings } from "../../setup/publish-settings.ts";
import { doubtsOf } from "./run.ts";
import { ifGiven, collectProblems, parseAt, parseLogMode } from "../../setup/parse-options.ts";

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
  const released = await refresh({ ...ready.setup, emit: log.emit }, atMs ?? io.wallMs());
  const { evidence } = released.state;
  const durationMs = Math.round(now() - startedMs);
  const doubts = doubtsOf(released.state, await ready.setup.readCatalogue(log.emit));
  io.print(renderRun({ ...released, ...doubts, kind: "refreshed", evidence }, durationMs));
  return 0;
}
