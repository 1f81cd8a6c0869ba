import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../log/log.ts";
import { SECOND_MS } from "../model/time.ts";
import { listen } from "../serve/listen.ts";
import { type IntakeFlags, prepareIntake } from "./intake-setup.ts";
import type { ExitCode, Io } from "./io.ts";
import { openDesk } from "./open-desk.ts";
import { ifGiven, openChecklist, parsePort } from "./settings.ts";

/** Reports are taken from then on, even if nothing could be published yet: a store can be slow. */
const FIRST_PUBLISH_MS = 3 * SECOND_MS;

export interface IntakeCommandFlags extends IntakeFlags {
  readonly host: string;
  readonly port: string;
  readonly operationsPort?: string;
}

/** `intake`: takes reports of users until stopped. Only writes; whoever reads asks the CDN. */
export async function intakeCommand(
  flags: IntakeCommandFlags,
  io: Io,
  log: Log,
): Promise<ExitCode> {
  const checklist = openChecklist();
  const port = checklist.take(parsePort(flags.port));
  const operationsPort = checklist.take(
    ifGiven(flags.operationsPort, (text) => parsePort(text, "--operations-port")),
  );
  const prepared = await prepareIntake(flags, checklist);
  checklist.settle();
  if (port === undefined || prepared === undefined) throw new TypeError("no port or no store");
  const desk = await openDesk(prepared, io, log);
  // Whoever reports first must not wait until the thread that publishes has started and met its stores.
  await Promise.race([desk.begun, delay(FIRST_PUBLISH_MS, undefined, { ref: false })]);
  const server = await listen((request, bindings) => desk.intake.app.fetch(request, bindings), {
    port,
    host: flags.host,
    isBehindFront: (flags.proxy ?? []).length > 0,
  });
  const operations =
    operationsPort === undefined
      ? undefined
      : await listen((request) => desk.intake.operations.fetch(request), { port: operationsPort });
  io.print(`Taking reports at ${server.url}/report/<slug> (Ctrl-C stops)`);
  if (operations !== undefined) io.print(`Health and metrics at ${operations.url}`);
  const failure = await Promise.race([untilStopped(io.stop), desk.failure]);
  await server.close();
  await operations?.close();
  await desk.close();
  if (failure !== undefined) throw failure;
  return 0;
}

export function untilStopped(stop: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (stop.aborted) resolve(undefined);
    stop.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}
