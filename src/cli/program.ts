import { readFileSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { isLogMode, type Log, type LogMode } from "../setup/log.ts";
import { addCatalogueCommands } from "./options/catalogue-options.ts";
import {
  addEngineCheckOptions,
  addEngineOptions,
  addWorkerCommand,
} from "./options/engine-options.ts";
import { isExpectedFailure, UsageError } from "../setup/errors.ts";
import type { ExitCode } from "../setup/exit-codes.ts";
import type { Io } from "../setup/io.ts";
import { addMonitorCommands } from "./options/monitor-options.ts";
import { addNotifierCheckOptions, addNotifyCommands } from "./options/notify-options.ts";
import {
  addCatalogueOptions,
  addIntakeOptions,
  addProbeOptions,
  addPublishOptions,
  addRunOptions,
  atOption,
  baseUrlOption,
  groupItems,
  HELP_FOOTER,
  jsonOption,
  logOption,
  option,
  stateOption,
  storeOption,
} from "../setup/options.ts";
import { addReportCommands } from "./options/report-options.ts";
import type { Shell } from "./options/shell.ts";
import { addVantageCommands } from "./options/vantage-options.ts";
import { SHIPPED_CATALOGUE } from "../setup/shipped-files.ts";

/* The commands and their exit codes. A command's modules are imported when it runs, which keeps `--help` fast. */

/** Standard output and standard error. */
export interface Streams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** The environment of a command line. */
export interface Host {
  readonly io: Io;
  readonly streams: Streams;
  /** Without a mode, it depends on where the log goes. */
  readonly openLog: (mode: LogMode | undefined) => Promise<Log>;
}

/** Runs one command line, given without the names of Node and the program. Throws only defects of the program. */
export async function runProgram(
  args: readonly string[],
  { io, streams, openLog }: Host,
): Promise<ExitCode> {
  let code: ExitCode = 0;
  const finish = (exitCode: ExitCode): void => {
    code = exitCode;
  };
  const withLog: Shell["withLog"] = async (command, action) => {
    const requested: unknown = command.opts()["log"];
    // The command itself refuses an unknown mode, together with its other problems.
    const log = await openLog(isLogMode(requested) ? requested : undefined);
    try {
      finish(await action(log));
    } catch (error) {
      finish(logFailure(error, command, log));
    } finally {
      log.close();
    }
  };
  try {
    await buildProgram({ io, finish, withLog }, streams).parseAsync(args, { from: "user" });
  } catch (error) {
    finish(printFailure(error, streams));
  }
  return code;
}

/** Logs why a command failed. */
function logFailure(error: unknown, command: Command, log: Log): ExitCode {
  if (error instanceof UsageError) {
    for (const problem of error.problems) log.refuse(problem + sourceNote(problem, command));
    return 2;
  }
  if (!isExpectedFailure(error)) throw error;
  log.fail(error.message);
  return 1;
}

/** Names the environment variable of an option that was not given on the command line. */
function sourceNote(problem: string, command: Command): string {
  const named = command.options.find(
    ({ long }) => long !== undefined && new RegExp(`^${long}(?![\\w-])`, "u").test(problem),
  );
  const isFromEnv =
    named !== undefined && command.getOptionValueSource(named.attributeName()) === "env";
  return isFromEnv ? ` (It comes from the environment: ${named.envVar ?? ""}.)` : "";
}

/** Prints what the user has to fix. Rethrows any other error as a defect, with its stack. */
function printFailure(error: unknown, { err }: Streams): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (!(error instanceof UsageError)) throw error;
  err(`${error.message}\n`);
  return 2;
}

/** All commands with their options; nothing is run. */
export function buildProgram(shell: Shell, streams: Streams): Command {
  const program = new Command("status-snapshot")
    // Commands inherit both when they are added.
    .configureOutput({ writeOut: streams.out, writeErr: streams.err })
    .configureHelp({ groupItems })
    .description(
      "Is it down, is it blocked, or is it me? Probes online services from Russia and publishes their status as static files.",
    )
    .version(readVersion(), "-V, --version")
    .showHelpAfterError("Run with --help for the commands and options.")
    .addHelpText("after", HELP_FOOTER)
    .exitOverride()
    // `vantage` has options of its own and commands with options of the same names, which follow them.
    .enablePositionalOptions();
  addRun(program, shell);
  addWatch(program, shell);
  addServe(program, shell);
  addExplain(program, shell);
  addCatalogueCommands(program, shell, SHIPPED_CATALOGUE);
  addReportCommands(program, shell, SHIPPED_CATALOGUE);
  addMonitorCommands(program, shell, SHIPPED_CATALOGUE);
  addVantageCommands(program, shell);
  addNotifyCommands(program, shell);
  addWorkerCommand(program, shell);
  addVerify(program, shell);
  addDoctor(program, shell);
  return program;
}

function addRun(program: Command, { io, withLog }: Shell): void {
  addEngineOptions(addRunOptions(program.command("run"), SHIPPED_CATALOGUE))
    .description("probe everything once, decide, publish")
    .addOption(atOption())
    .action((flags, command: Command) =>
      withLog(command, async (log) =>
        (await import("./commands/run.ts")).runCommand(flags, io, log),
      ),
    );
}

function addWatch(program: Command, { io, withLog }: Shell): void {
  const watch = program
    .command("watch")
    .description("a run every five minutes until stopped")
    .addOption(option("--every <seconds>", "period on the wall clock", "300"));
  addEngineOptions(addRunOptions(watch, SHIPPED_CATALOGUE)).action((flags, command: Command) =>
    withLog(command, async (log) =>
      (await import("./commands/watch.ts")).watchCommand(flags, io, log),
    ),
  );
}

function addServe(program: Command, { io, withLog }: Shell): void {
  addIntakeOptions(addPublishOptions(program.command("serve"), SHIPPED_CATALOGUE), "8080")
    .description("preview: serve a store as the CDN would, and accept reports")
    .action((flags, command: Command) =>
      withLog(command, async (log) =>
        (await import("./commands/serve.ts")).serveCommand(flags, io, log),
      ),
    );
}

function addExplain(program: Command, { io, withLog }: Shell): void {
  addCatalogueOptions(program.command("explain <slug>"), SHIPPED_CATALOGUE)
    .description("why a service has its verdict: evidence, decision, live, since")
    .addOption(atOption())
    .addOption(stateOption())
    .addOption(jsonOption("everything as JSON"))
    .addOption(logOption())
    .action((slug, flags, command: Command) =>
      withLog(command, async (log) =>
        (await import("./commands/explain.ts")).explainCommand(slug, flags, io, log),
      ),
    );
}

function addVerify(program: Command, { io, withLog }: Shell): void {
  program
    .command("verify <base-url>")
    .description("check a live deployment against the specification, check by check")
    .addOption(option("--expect <n>", "number of services in the list", "85"))
    .addOption(option("--badge <id>", "a public monitor whose badges are checked as well"))
    .addOption(option("--api-only", "do not check the website: there is none, on purpose"))
    .addOption(option("--max-age <seconds>", "greatest age of `updated`", "900"))
    .addOption(option("--timeout <seconds>", "timeout of one request", "10"))
    .addOption(option("--all", "print every check, not only those that failed"))
    .addOption(jsonOption("the whole report as JSON"))
    .addOption(logOption())
    .action((baseUrl, flags, command: Command) =>
      withLog(command, async (log) =>
        (await import("./commands/verify.ts")).verifyCommand(baseUrl, flags, io, log),
      ),
    );
}

function addDoctor(program: Command, { io, withLog }: Shell): void {
  const doctor = addNotifierCheckOptions(addEngineCheckOptions(program.command("doctor")));
  addProbeOptions(addCatalogueOptions(doctor, SHIPPED_CATALOGUE))
    .description("check everything that a run needs: catalogue, stores, resolver, clock, anchors")
    .addOption(
      option("--races [seconds]", "four writers race in each store for this long (default: 20)"),
    )
    .addOption(storeOption())
    .addOption(stateOption())
    .addOption(baseUrlOption())
    .addOption(jsonOption("the checks as JSON"))
    .addOption(logOption())
    .action((flags, command: Command) =>
      withLog(command, async () => (await import("./commands/doctor.ts")).doctorCommand(flags, io)),
    );
}

function readVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  const manifest: unknown = JSON.parse(text);
  return typeof manifest === "object" && manifest !== null && "version" in manifest
    ? String(manifest.version)
    : "";
}
