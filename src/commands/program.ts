import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Command, CommanderError } from "commander";
import { isLogMode, type Log, type LogMode } from "../log/log.ts";
import { addCatalogueCommands } from "./catalogue-program.ts";
import { isExpectedFailure, UsageError } from "./failures.ts";
import type { ExitCode, Io } from "./io.ts";
import { addMonitorCommands } from "./monitor-program.ts";
import {
  addReleaseOptions,
  addRunOptions,
  atOption,
  baseUrlOption,
  catalogueOption,
  catalogueOverlayOption,
  HELP_FOOTER,
  logOption,
  option,
  repeatableOption,
  stateOption,
  storeOption,
} from "./options.ts";
import { addIntakeOptions, addReportCommands } from "./report-program.ts";
import type { Shell } from "./shell.ts";

/*
 * The command line: which commands there are, and which exit code each end has. What a command needs is imported when it runs, so
 * that `--help` stays quick.
 */

/** Where a process writes text as it is. */
export interface Streams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** What a command line is run in. */
export interface Host {
  readonly io: Io;
  readonly streams: Streams;
  /** Without a mode: what suits where the log goes. */
  readonly openLog: (mode: LogMode | undefined) => Promise<Log>;
}

/** Runs one command line, without the names of Node and the program. Throws what is a defect of ours. */
export async function runProgram(
  args: readonly string[],
  { io, streams, openLog }: Host,
): Promise<ExitCode> {
  let code: ExitCode = 0;
  const finish = (ended: ExitCode): void => {
    code = ended;
  };
  const withLog: Shell["withLog"] = async (command, action) => {
    const asked: unknown = command.opts()["log"];
    // A mode that does not exist is refused by the command itself, together with whatever else is wrong.
    const log = await openLog(isLogMode(asked) ? asked : undefined);
    try {
      finish(await action(log));
    } catch (error) {
      finish(explainEnd(error, command, log));
    } finally {
      log.close();
    }
  };
  try {
    await buildProgram({ io, finish, withLog }, streams).parseAsync(args, { from: "user" });
  } catch (error) {
    finish(explainFailure(error, streams));
  }
  return code;
}

/** Tells why a command ended otherwise than it should. */
function explainEnd(error: unknown, command: Command, log: Log): ExitCode {
  if (error instanceof UsageError) {
    for (const problem of error.problems) log.refuse(problem + sourceNote(problem, command));
    return 2;
  }
  if (!isExpectedFailure(error)) throw error;
  log.fail(error.message);
  return 1;
}

/** A setting of the environment was not typed, so the message says where it comes from. */
function sourceNote(problem: string, command: Command): string {
  const named = command.options.find(
    ({ long }) => long !== undefined && new RegExp(`^${long}(?![\\w-])`, "u").test(problem),
  );
  const isFromEnv =
    named !== undefined && command.getOptionValueSource(named.attributeName()) === "env";
  return isFromEnv ? ` (It comes from the environment: ${named.envVar ?? ""}.)` : "";
}

/** Tells what the user has to mend. Anything else is a defect of ours and is thrown on, with its stack. */
function explainFailure(error: unknown, { err }: Streams): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (!(error instanceof UsageError)) throw error;
  err(`${error.message}\n`);
  return 2;
}

/** The catalogue that comes with the program. */
const SHIPPED_CATALOGUE = fileURLToPath(new URL("../../catalogue.yaml", import.meta.url));

function buildProgram(shell: Shell, streams: Streams): Command {
  const program = new Command("status-snapshot")
    // Commands inherit it when they are added.
    .configureOutput({ writeOut: streams.out, writeErr: streams.err })
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
      withLog(command, async (log) => (await import("./run.ts")).runCommand(flags, io, log)),
    );
}

function addWatch(program: Command, { io, withLog }: Shell): void {
  addRunOptions(program.command("watch"), SHIPPED_CATALOGUE)
    .description("a run every five minutes until stopped")
    .addOption(option("--every <seconds>", "period on the wall clock", "300"))
    .action((flags, command: Command) =>
      withLog(command, async (log) => (await import("./watch.ts")).watchCommand(flags, io, log)),
    );
}

function addServe(program: Command, { io, withLog }: Shell): void {
  addIntakeOptions(addReleaseOptions(program.command("serve"), SHIPPED_CATALOGUE))
    .description("preview: answer a store as the CDN would, and take reports")
    .addOption(option("--host <address>", "address to listen on", "127.0.0.1"))
    .addOption(option("--port <n>", "port to listen on, 0 for any", "8080"))
    .action((flags, command: Command) =>
      withLog(command, async (log) => (await import("./serve.ts")).serveCommand(flags, io, log)),
    );
}

function addExplain(program: Command, { io, withLog }: Shell): void {
  program
    .command("explain <slug>")
    .description("why a service has its verdict: evidence, decision, live, since")
    .addOption(catalogueOption(SHIPPED_CATALOGUE))
    .addOption(catalogueOverlayOption())
    .addOption(stateOption())
    .addOption(atOption())
    .addOption(logOption())
    .addOption(option("--json", "everything as JSON"))
    .action((slug, flags, command: Command) =>
      withLog(command, async (log) =>
        (await import("./explain.ts")).explainCommand(slug, flags, io, log),
      ),
    );
}

function addVerify(program: Command, { io, withLog }: Shell): void {
  program
    .command("verify <base-url>")
    .description("check a live deployment against the specification, point by point")
    .addOption(option("--expect <n>", "services in the list", "85"))
    .addOption(option("--badge <id>", "a public monitor whose badges are checked as well"))
    .addOption(option("--api-only", "the website is not looked at: there is none, on purpose"))
    .addOption(option("--max-age <seconds>", "how old `updated` may be", "900"))
    .addOption(option("--timeout <seconds>", "for one request", "10"))
    .addOption(option("--all", "every point, not only what failed"))
    .addOption(option("--json", "the whole report as JSON"))
    .addOption(logOption())
    .action((baseUrl, flags, command: Command) =>
      withLog(command, async (log) =>
        (await import("./verify.ts")).verifyCommand(baseUrl, flags, io, log),
      ),
    );
}

function addDoctor(program: Command, { io, withLog }: Shell): void {
  program
    .command("doctor")
    .description("try everything that a run needs: catalogue, stores, resolver, clock, anchors")
    .addOption(catalogueOption(SHIPPED_CATALOGUE))
    .addOption(catalogueOverlayOption())
    .addOption(storeOption())
    .addOption(stateOption())
    .addOption(baseUrlOption())
    .addOption(option("--dns <server>", "resolver ADDR[:PORT]; tcp://ADDR[:PORT] asks over TCP"))
    .addOption(
      repeatableOption(
        "--connect-to <rule>",
        "HOST:PORT:ADDR:PORT as curl has it, or @FILE with one a line",
      ),
    )
    .addOption(option("--extra-ca <file>", "PEM roots that are trusted for `trust: national`"))
    .addOption(
      option("--races [seconds]", "let four writers race in each store for so long (default: 20)"),
    )
    .addOption(option("--json", "the checks as JSON"))
    .addOption(logOption())
    .action((flags, command: Command) =>
      withLog(command, async () => (await import("./doctor.ts")).doctorCommand(flags, io)),
    );
}

function readVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  const manifest: unknown = JSON.parse(text);
  return typeof manifest === "object" && manifest !== null && "version" in manifest
    ? String(manifest.version)
    : "";
}
