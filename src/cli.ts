#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Command, CommanderError } from "commander";
import type { ExitCode, Io } from "./commands/io.ts";
import { addMonitorCommands } from "./commands/monitor-program.ts";
import { addCatalogueCommands } from "./commands/catalogue-program.ts";
import { addIntakeOptions, addReportCommands } from "./commands/report-program.ts";
import type { Shell } from "./commands/shell.ts";
import { isExpectedFailure, UsageError } from "./commands/failures.ts";
import {
  addReleaseOptions,
  addRunOptions,
  atOption,
  catalogueOption,
  ENV_PREFIX,
  HELP_FOOTER,
  logOption,
  option,
  repeatableOption,
  stateOption,
  storeOption,
} from "./commands/options.ts";
import { createLog } from "./log/create-log.ts";
import { isLogMode, type Log } from "./log/log.ts";

/*
 * The shell of the program: arguments, environment, signals, exit codes. It alone touches `process`. What a command needs is
 * imported when it runs, so that `--help` stays quick.
 */

/** The catalogue that comes with the program. */
const SHIPPED_CATALOGUE = fileURLToPath(new URL("../catalogue.yaml", import.meta.url));

function buildProgram(shell: Shell): Command {
  const program = new Command("status-snapshot")
    .description(
      "Is it down, is it blocked, or is it me? Probes online services from Russia and publishes their status as static files.",
    )
    .version(readVersion(), "-V, --version")
    .showHelpAfterError("Run with --help for what there is.")
    .addHelpText("after", HELP_FOOTER)
    .exitOverride();
  addRun(program, shell);
  addWatch(program, shell);
  addServe(program, shell);
  addExplain(program, shell);
  addCatalogueCommands(program, shell, SHIPPED_CATALOGUE);
  addReportCommands(program, shell, SHIPPED_CATALOGUE);
  addMonitorCommands(program, shell, SHIPPED_CATALOGUE);
  addVerify(program, shell);
  addDoctor(program, shell);
  return program;
}

function addRun(program: Command, { io, withLog }: Shell): void {
  addRunOptions(program.command("run"), SHIPPED_CATALOGUE)
    .description("probe everything once, decide, publish")
    .addOption(atOption())
    .action((flags, command: Command) =>
      withLog(command, async (log) =>
        (await import("./commands/run.ts")).runCommand(flags, io, log),
      ),
    );
}

function addWatch(program: Command, { io, withLog }: Shell): void {
  addRunOptions(program.command("watch"), SHIPPED_CATALOGUE)
    .description("a run every five minutes until stopped")
    .addOption(option("--every <seconds>", "period on the wall clock", "300"))
    .action((flags, command: Command) =>
      withLog(command, async (log) =>
        (await import("./commands/watch.ts")).watchCommand(flags, io, log),
      ),
    );
}

function addServe(program: Command, { io, withLog }: Shell): void {
  addIntakeOptions(addReleaseOptions(program.command("serve"), SHIPPED_CATALOGUE))
    .description("preview: answer a store as the CDN would, and take reports")
    .addOption(option("--host <address>", "address to listen on", "127.0.0.1"))
    .addOption(option("--port <n>", "port to listen on, 0 for any", "8080"))
    .action((flags, command: Command) =>
      withLog(command, async (log) =>
        (await import("./commands/serve.ts")).serveCommand(flags, io, log),
      ),
    );
}

function addExplain(program: Command, { io, withLog }: Shell): void {
  program
    .command("explain <slug>")
    .description("why a service has its verdict: evidence, decision, live, since")
    .addOption(catalogueOption(SHIPPED_CATALOGUE))
    .addOption(stateOption())
    .addOption(atOption())
    .addOption(logOption())
    .addOption(option("--json", "everything as JSON"))
    .action((slug, flags, command: Command) =>
      withLog(command, async (log) =>
        (await import("./commands/explain.ts")).explainCommand(slug, flags, io, log),
      ),
    );
}

function addVerify(program: Command, { io, withLog }: Shell): void {
  program
    .command("verify <base-url>")
    .description("check a live deployment against the specification, point by point")
    .addOption(option("--expect <n>", "services in the list", "85"))
    .addOption(option("--badge <id>", "a public monitor whose badges are checked as well"))
    .addOption(option("--max-age <seconds>", "how old `updated` may be", "900"))
    .addOption(option("--timeout <seconds>", "for one request", "10"))
    .addOption(option("--all", "every point, not only what failed"))
    .addOption(option("--json", "the whole report as JSON"))
    .addOption(logOption())
    .action((baseUrl, flags, command: Command) =>
      withLog(command, async (log) =>
        (await import("./commands/verify.ts")).verifyCommand(baseUrl, flags, io, log),
      ),
    );
}

function addDoctor(program: Command, { io, withLog }: Shell): void {
  program
    .command("doctor")
    .description("try everything that a run needs: catalogue, stores, resolver, clock, anchors")
    .addOption(catalogueOption(SHIPPED_CATALOGUE))
    .addOption(storeOption())
    .addOption(stateOption())
    .addOption(option("--dns <server>", "resolver ADDR[:PORT]; tcp://ADDR[:PORT] asks over TCP"))
    .addOption(
      repeatableOption(
        "--connect-to <rule>",
        "HOST:PORT:ADDR:PORT as curl has it, or @FILE with one a line",
      ),
    )
    .addOption(option("--extra-ca <file>", "PEM roots that are trusted for `trust: national`"))
    .addOption(option("--json", "the checks as JSON"))
    .addOption(logOption())
    .action((flags, command: Command) =>
      withLog(command, async () => (await import("./commands/doctor.ts")).doctorCommand(flags, io)),
    );
}

function readVersion(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  const manifest: unknown = JSON.parse(text);
  return typeof manifest === "object" && manifest !== null && "version" in manifest
    ? String(manifest.version)
    : "";
}

/** Prints to standard output. */
function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function finish(code: ExitCode): void {
  process.exitCode = code;
}

async function withLog(command: Command, action: (log: Log) => Promise<ExitCode>): Promise<void> {
  const asked: unknown = command.opts()["log"];
  // A mode that does not exist is refused by the command itself, together with whatever else is wrong.
  const mode = isLogMode(asked) ? asked : process.stderr.isTTY ? "pretty" : "json";
  const log = await createLog(mode, process.stderr);
  routeWarnings(log);
  try {
    finish(await action(log));
  } catch (error) {
    if (error instanceof UsageError) {
      for (const problem of error.problems) log.refuse(problem + sourceNote(problem, command));
      finish(2);
    } else if (isExpectedFailure(error)) {
      log.fail(error.message);
      finish(1);
    } else throw error;
  } finally {
    log.close();
  }
}

/** Node prints warnings as bare lines, which would break a log of one JSON object a line. */
function routeWarnings(log: Log): void {
  process.removeAllListeners("warning");
  process.on("warning", ({ message }) => {
    // The S3 client says in every run that later versions of it need a newer Node: ours is fixed by the lock file.
    if (!message.startsWith("NodeVersionSupportWarning")) log.warn(message);
  });
}

/** Whoever typed no `--dns` has to be told where the one complained about comes from. */
function sourceNote(problem: string, command: Command): string {
  const named = command.options.find(
    ({ long }) => long !== undefined && new RegExp(`^${long}(?![\\w-])`, "u").test(problem),
  );
  const isFromEnv =
    named !== undefined && command.getOptionValueSource(named.attributeName()) === "env";
  return isFromEnv ? ` (It comes from the environment: ${named.envVar ?? ""}.)` : "";
}

/** `npm start` passes on the Ctrl-C that the terminal has sent us as well: within this time, two signals are one. */
const SAME_SIGNAL_MS = 1_000;

/** By which users and supervisors stop a program. */
const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** The first signal ends the work in an orderly way; a later one ends the process as if we did not listen. */
function listenForSignals(stop: AbortController): void {
  let firstMs: number | undefined;
  for (const signal of SIGNALS) {
    const stopNow = (): void => {
      stop.abort("aborted");
      firstMs ??= performance.now();
      if (performance.now() - firstMs < SAME_SIGNAL_MS) return;
      process.removeListener(signal, stopNow);
      process.kill(process.pid, signal);
    };
    // It stays registered: libraries that restore the cursor end the process when they find themselves the only listener.
    process.on(signal, stopNow);
  }
}

/** A reader that went away (`| head`) is no error of ours. */
function ignoreBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

/** An empty variable, as compose files and CI systems leave them, is one that is not set; and `false` switches nothing on. */
function dropEmptySettings(): void {
  for (const [name, value] of Object.entries(process.env)) {
    if (name.startsWith(ENV_PREFIX) && (value === "" || value === "false")) {
      delete process.env[name];
    }
  }
}

async function main(): Promise<void> {
  const stop = new AbortController();
  listenForSignals(stop);
  process.stdout.on("error", ignoreBrokenPipe);
  process.stderr.on("error", ignoreBrokenPipe);
  dropEmptySettings();
  const io: Io = {
    print,
    env: process.env,
    setEnv: (name, value) => {
      process.env[name] = value;
    },
    wallMs: () => Date.now(),
    stop: stop.signal,
  };
  try {
    await buildProgram({ io, finish, withLog }).parseAsync();
  } catch (error) {
    finish(explainFailure(error));
  }
  endSoon();
}

/** Long enough for a request in hand to a store that answers, and for a write of a folder. */
const LEFT_ALONE_MS = 1_000;

/** The command has ended. What it left alone because it was stopped, such as a request that is not answered, must not keep the process. */
function endSoon(): void {
  setTimeout(end, LEFT_ALONE_MS).unref();
}

function end(): void {
  // An exit waits for system calls under way, such as a read from a disk that does not answer. Then another signal has to do.
  for (const signal of SIGNALS) process.removeAllListeners(signal);
  process.exit();
}

/** Tells what the user has to mend. Anything else is a defect of ours and is thrown on, with its stack. */
function explainFailure(error: unknown): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  return 2;
}

await main();
