import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../log/log.ts";
import { unlessStopped, untilStopped } from "../model/stopping.ts";
import { SECOND_MS } from "../model/time.ts";
import { type IntakePorts, type IntakePortsOptions, openIntakePorts } from "./intake-ports.ts";
import { type IntakeFlags, prepareIntake, type PreparedIntake } from "./intake-setup.ts";
import type { ExitCode, Io } from "./io.ts";
import { openDesk } from "./open-desk.ts";
import { trustOwnPages } from "./own-pages.ts";
import { ifGiven, openChecklist, parseHost, parsePort } from "./settings.ts";

/** Reports are answered from then on, even if nothing could be published yet: a store can be slow. */
const FIRST_PUBLISH_MS = 3 * SECOND_MS;

export interface IntakeCommandFlags extends IntakeFlags {
  readonly host: string;
  readonly port: string;
  readonly operationsPort?: string;
}

/**
 * `intake`: takes reports of users until stopped. Only writes; whoever reads asks the CDN. A start that fails, or is stopped, closes
 * everything that it has opened. Throws `UsageError`, `ListenError`, `StoreError`, `StateError`, `JournalError`.
 */
export async function intakeCommand(
  flags: IntakeCommandFlags,
  io: Io,
  log: Log,
): Promise<ExitCode> {
  const prepared = await unlessStopped(() => prepare(flags), io.stop);
  if (prepared === "stopped") return 0;
  const { intake, options } = prepared;
  const ports = await unlessStopped(
    () => openIntakePorts(options),
    io.stop,
    (late) => late.close(),
  );
  if (ports === "stopped") return 0;
  try {
    const { told, warning } = trustOwnPages(intake, ports.reports.address);
    if (warning !== undefined) log.warn(warning);
    await takeReports(told, ports, io, log);
    return 0;
  } finally {
    await ports.close();
  }
}

/** Everything that is told on the command line, checked. Throws one `UsageError` with every problem. */
async function prepare(flags: IntakeCommandFlags): Promise<{
  readonly intake: PreparedIntake;
  readonly options: IntakePortsOptions;
}> {
  const checklist = openChecklist();
  const { take } = checklist;
  const host = take(parseHost(flags.host));
  const port = take(parsePort(flags.port));
  const operationsPort = take(
    ifGiven(flags.operationsPort, (text) => parsePort(text, "--operations-port")),
  );
  const intake = await prepareIntake(flags, checklist);
  checklist.settle();
  if (host === undefined || port === undefined || intake === undefined)
    throw new TypeError("a setting without a value and without a problem");
  const isBehindFront = (flags.proxy ?? []).length > 0;
  const { proxies } = intake.settings;
  return { intake, options: { host, port, operationsPort, isBehindFront, proxies } };
}

/** Resolves when it was stopped and everything but the ports' numbers is given back. */
async function takeReports(
  prepared: PreparedIntake,
  ports: IntakePorts,
  io: Io,
  log: Log,
): Promise<void> {
  const desk = await openDesk(prepared, io, log);
  if (desk === "stopped") return;
  const ended = Promise.race([untilStopped(io.stop), desk.failure]);
  try {
    // The first report must not wait until the publishing thread has started and reached its stores.
    const begun = Promise.race([desk.begun, delay(FIRST_PUBLISH_MS, undefined, { ref: false })]);
    await Promise.race([begun, ended]);
    if (io.stop.aborted) return;
    ports.serve(desk.intake);
    io.print(`Taking reports at ${ports.reports.url}/report/<slug> (Ctrl-C stops)`);
    if (ports.operations !== undefined) io.print(`Health and metrics at ${ports.operations.url}`);
    const failure = await ended;
    if (failure !== undefined) throw failure;
  } finally {
    // What came in after the desk has closed would be lost.
    await ports.close();
    await desk.close();
  }
}
