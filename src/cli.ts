#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Command, CommanderError, Option } from "commander";
import type { ExitCode, Io } from "./commands/io.ts";
import { isExpectedFailure, UsageError } from "./commands/failures.ts";
import { createLog, LOG_MODES, type Log, type LogMode } from "./log/log.ts";

/*
 * The shell of the program: arguments, environment, signals, exit codes. It alone touches `process`. What a command needs is
 * imported when it runs, so that `--help` stays quick.
 */

const ENV_PREFIX = "STATUS_SNAPSHOT_";

/** The catalogue that comes with the program. */
const SHIPPED_CATALOGUE = fileURLToPath(new URL("../catalogue.yaml", import.meta.url));

/** An option that also reads `STATUS_SNAPSHOT_<OPTION>`. */
function option(flags: string, description: string, fallback?: string): Option {
  const built = new Option(flags, description);
  built.env(ENV_PREFIX + built.name().toUpperCase().replaceAll("-", "_"));
  return fallback === undefined ? built : built.default(fallback);
}

/** An option that may be given several times; in the environment its values stand apart by blanks or commas. */
function repeatable(flags: string, description: string): Option {
  return option(flags, `${description} (repeatable)`).argParser(
    (value: string, before: readonly string[] | undefined) => {
      const values = value.startsWith("@")
        ? [value]
        : value.split(/[\s,]+/u).filter((part) => part !== "");
      return [...(before ?? []), ...values];
    },
  );
}

const catalogueOption = (): Option =>
  option("--catalogue <file>", "services to probe", SHIPPED_CATALOGUE);
const storeOption = (): Option =>
  option("--store <url>", "where the public documents go", "file:public");
const stateOption = (): Option =>
  option("--state <url>", "where the private state is kept", "file:.state");
const logOption = (): Option =>
  option(
    "--log <mode>",
    "pretty, json or silent, on standard error (default: json unless it is a terminal)",
  ).choices(LOG_MODES);
const atOption = (): Option => option("--at <time>", "compute as of this time, RFC 3339");

function addRunOptions(command: Command): Command {
  return command
    .addOption(catalogueOption())
    .addOption(storeOption())
    .addOption(stateOption())
    .addOption(option("--concurrency <n>", "probes under way at once", "64"))
    .addOption(
      option(
        "--confirm <seconds>",
        "when a change is probed again: SECONDS,… or none",
        "20,60,100",
      ),
    )
    .addOption(option("--deadline <seconds>", "what is not probed by then is skipped", "240"))
    .addOption(option("--dns <server>", "resolver ADDR[:PORT]; tcp://ADDR[:PORT] asks over TCP"))
    .addOption(
      repeatable(
        "--connect-to <rule>",
        "HOST:PORT:ADDR:PORT as curl has it, or @FILE with one a line",
      ),
    )
    .addOption(
      option("--extra-ca <file>", "PEM roots that are trusted for `trust: national` as well"),
    )
    .addOption(
      repeatable("--allow-private <cidr>", "special-purpose addresses that may be connected to"),
    )
    .addOption(repeatable("--only <slug>", "probe only this service"))
    .addOption(logOption());
}

/** What a command of the program needs of its process. */
interface Shell {
  readonly io: Io;
  readonly finish: (code: ExitCode) => void;
  /** Runs an action with the log of the mode, and leaves the terminal tidy. */
  readonly withLog: (
    mode: LogMode | undefined,
    action: (log: Log) => Promise<ExitCode>,
  ) => Promise<void>;
}

function buildProgram(shell: Shell): Command {
  const program = new Command("status-snapshot")
    .description(
      "Is it down, is it blocked, or is it me? Probes online services from Russia and publishes their status as static files.",
    )
    .version(readVersion(), "-V, --version")
    .showHelpAfterError("Run with --help for what there is.")
    .exitOverride();
  addRun(program, shell);
  addWatch(program, shell);
  addServe(program, shell);
  addExplain(program, shell);
  addCatalogue(program, shell);
  return program;
}

function addRun(program: Command, { io, withLog }: Shell): void {
  addRunOptions(program.command("run").description("probe everything once, decide, publish"))
    .addOption(atOption())
    .action((flags) =>
      withLog(flags.log, async (log) =>
        (await import("./commands/run.ts")).runCommand(flags, io, log),
      ),
    );
}

function addWatch(program: Command, { io, withLog }: Shell): void {
  addRunOptions(program.command("watch").description("a run every five minutes until stopped"))
    .addOption(option("--every <seconds>", "period on the wall clock", "300"))
    .action((flags) =>
      withLog(flags.log, async (log) =>
        (await import("./commands/watch.ts")).watchCommand(flags, io, log),
      ),
    );
}

function addServe(program: Command, { io, withLog }: Shell): void {
  program
    .command("serve")
    .description("preview: answer a directory store as the CDN would")
    .addOption(storeOption())
    .addOption(option("--host <address>", "address to listen on", "127.0.0.1"))
    .addOption(option("--port <n>", "port to listen on, 0 for any", "8080"))
    .addOption(logOption())
    .action((flags) =>
      withLog(flags.log, async (log) =>
        (await import("./commands/serve.ts")).serveCommand(flags, io, log),
      ),
    );
}

function addExplain(program: Command, { io, withLog }: Shell): void {
  program
    .command("explain <slug>")
    .description("why a service has its verdict: evidence, decision, live, since")
    .addOption(catalogueOption())
    .addOption(stateOption())
    .addOption(atOption())
    .addOption(logOption())
    .option("--json", "everything as JSON")
    .action((slug, flags) =>
      withLog(flags.log, async (log) =>
        (await import("./commands/explain.ts")).explainCommand(slug, flags, io, log),
      ),
    );
}

function addCatalogue(program: Command, { io, finish }: Shell): void {
  program
    .command("catalogue")
    .description("work on the catalogue of services")
    .command("check [file]")
    .description("validate a catalogue and print a summary, or every problem with its line")
    .action(async (file: string | undefined) => {
      const { catalogueCheckCommand } = await import("./commands/catalogue-check.ts");
      finish(await catalogueCheckCommand(file ?? SHIPPED_CATALOGUE, io));
    });
}

function readVersion(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  const manifest: unknown = JSON.parse(text);
  return typeof manifest === "object" && manifest !== null && "version" in manifest
    ? String(manifest.version)
    : "";
}

/** Prints to standard output; a reader that went away (`| head`) is no error of ours. */
function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function finish(code: ExitCode): void {
  process.exitCode = code;
}

async function withLog(
  mode: LogMode | undefined,
  action: (log: Log) => Promise<ExitCode>,
): Promise<void> {
  const log = await createLog(mode ?? (process.stderr.isTTY ? "pretty" : "json"), process.stderr);
  try {
    finish(await action(log));
  } catch (error) {
    if (error instanceof UsageError) {
      for (const problem of error.problems) log.refuse(problem);
      finish(2);
    } else if (isExpectedFailure(error)) {
      log.fail(error.message);
      finish(1);
    } else throw error;
  } finally {
    log.close();
  }
}

async function main(): Promise<void> {
  const stop = new AbortController();
  const stopNow = (): void => stop.abort("aborted");
  process.once("SIGINT", stopNow).once("SIGTERM", stopNow);
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
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
}

/** Tells what the user has to mend. Anything else is a defect of ours and is thrown on, with its stack. */
function explainFailure(error: unknown): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  return 2;
}

await main();
