import type { Log } from "../../setup/log.ts";
import { unlessStopped, untilStopped } from "../../model/stopping.ts";
import { within } from "../../setup/long-running.ts";
import { SECOND_MS } from "../../model/time.ts";
import { type IntakePorts, openIntakePorts } from "../../intake/intake-ports.ts";
import { prepareIntake, type PreparedIntake, trustOwnPages } from "../../intake/intake-setup.ts";
import type { Io, Action } from "../../setup/io.ts";
import { openIntakeRuntime } from "../../intake/intake-runtime.ts";
import type { Flags, IntakeFlags } from "../../setup/options/options.ts";

/** The longest wait for the first publish before reports are answered: a store can be slow. */
const FIRST_PUBLISH_MS = 3 * SECOND_MS;

/**
 * `intake`: accepts reports of users until stopped; readers use the CDN. A start that fails or is stopped closes everything that it has
 * opened. Throws `UsageError`, `ListenError`, `StoreError`, `StateError`, `JournalError`.
 */
export const intakeCommand: Action<IntakeFlags & Flags<"operations">> = async (call) => {
  const { flags, problems, io, log } = call;
  // The runs would take the forms off the pages that this intake puts there.
  if (flags.settings !== undefined && flags.reportUrl === undefined)
    problems.addProblem(`${flags.settings}: reports is missing; write \`reports: on\`, or off.`);
  const intake = await unlessStopped(() => prepareIntake(flags, problems, io), io.stop);
  if (intake === "stopped") return 0;
  const options = { ...flags, proxies: intake.settings.proxies };
  const ports = await unlessStopped(
    () => openIntakePorts(options),
    io.stop,
    (late) => late.close(),
  );
  if (ports === "stopped") return 0;
  try {
    const { configured, warning } = trustOwnPages(intake, ports.reports.address);
    if (warning !== undefined) log.warn(warning);
    await takeReports(configured, ports, io, log);
    return 0;
  } finally {
    await ports.close();
  }
};

/** Resolves when the intake was stopped and everything is closed. */
async function takeReports(
  prepared: PreparedIntake,
  ports: IntakePorts,
  io: Io,
  log: Log,
): Promise<void> {
  const runtime = await openIntakeRuntime(prepared, io, log);
  if (runtime === "stopped") return;
  const ended = Promise.race([untilStopped(io.stop), runtime.failure]);
  try {
    // The first report must not wait until the publishing thread has started and reached its stores.
    await within(Promise.race([runtime.firstPublish, ended]), FIRST_PUBLISH_MS, undefined);
    if (io.stop.aborted) return;
    ports.serve(runtime.intake);
    io.print(`Taking reports at ${ports.reports.url}/report/<slug> (Ctrl-C stops)`);
    if (ports.operations !== undefined) io.print(`Health and metrics at ${ports.operations.url}`);
    const failure = await ended;
    if (failure !== undefined) throw failure;
  } finally {
    // First: reports that arrive after the runtime has closed would be lost.
    await ports.close();
    await runtime.close();
  }
}
