import type { Command, Option } from "commander";
import {
  addMonitorRules,
  addProbeOptions,
  logOption,
  option,
  repeatableOption,
} from "../../setup/options.ts";
import { DEFAULT_CONFIRM } from "../../setup/parse-options.ts";
import { addKeygenCommand, type Shell } from "./shell.ts";

/** Options of both sides of an engine. */
function engineOptions(): readonly Option[] {
  return [
    option("--engine <url>", "NATS server whose workers check the monitors: tls://HOST:PORT"),
    option(
      "--engine-credentials <file>",
      "credentials for it: a .creds file or the seed of an NKey",
    ),
  ];
}

/** Adds the options of `doctor` about an engine. */
export function addEngineCheckOptions(command: Command): Command {
  const workers = option(
    "--engine-worker-credentials <file>",
    "credentials of the workers of --engine-vantage, to see what they may do",
  );
  return addEngineOptions(command).addOption(workers);
}

/** Adds the options of a run that hands its checks to an engine. */
export function addEngineOptions(command: Command): Command {
  const vantages = repeatableOption(
    "--engine-vantage <name>",
    "place whose workers check each monitor (default: main)",
  );
  for (const one of [...engineOptions(), vantages]) command.addOption(one);
  return command;
}

/** Adds `worker`. */
export function addWorkerCommand(program: Command, shell: Shell): void {
  const { io, withLog } = shell;
  const worker = program
    .command("worker")
    .description("check sites for publishers elsewhere, through a NATS server");
  worker.enablePositionalOptions();
  const options = [
    ...engineOptions(),
    option("--vantage <name>", "name of this place, which workers share", "main"),
    option("--monitor-concurrency <n>", "checks at once", "256"),
    option("--threads <n>", "threads that check (default: one for each core)"),
    option("--confirm <seconds>", "when to check a change again, as in `run`", DEFAULT_CONFIRM),
    repeatableOption("--anchor <url>", "host that tells whether this place is online"),
  ];
  for (const one of options) worker.addOption(one);
  addMonitorRules(addProbeOptions(worker))
    .addOption(logOption())
    .action((flags, command: Command) =>
      withLog(command, async (log) =>
        (await import("../commands/worker.ts")).workerCommand(flags, io, log),
      ),
    );
  addKeygenCommand(worker, "worker", "make a key for the server; prints its public half", shell);
}
