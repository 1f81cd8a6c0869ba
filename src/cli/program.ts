import { readFileSync } from "node:fs";
import { Command, CommanderError, Help, Option } from "commander";
import { isExpectedFailure, UsageError } from "../setup/errors.ts";
import { EXIT_CODES, type ExitCode } from "../setup/exit-codes.ts";
import { ENV_PREFIX, type Io } from "../setup/io.ts";
import { isLogMode, type Log, type LogMode } from "../setup/log.ts";
import { HEADINGS, type OptionRow } from "../setup/options/option-row.ts";
import { GROUPS } from "../setup/options/options.ts";
import { findUnknown } from "../setup/options/variables.ts";
import { collectProblems } from "../setup/parse-options.ts";
import { type CommandRow, COMMANDS, nameOfCommand, PARENTS } from "./commands.ts";

/* The command line: its commands as commander wants them, its log, its exit code. */

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
export async function runProgram(args: readonly string[], host: Host): Promise<ExitCode> {
  let code: ExitCode = 0;
  const start: Start = async (row, command) => {
    code = await runCommand(row, command, host);
  };
  try {
    await buildProgram(start, host.streams).parseAsync(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
  return code;
}

async function runCommand(row: CommandRow, command: Command, host: Host): Promise<ExitCode> {
  const { io } = host;
  const log = await openLog(row, command, host);
  const problems = collectProblems();
  for (const problem of findUnknown(io.env)) problems.addProblem(problem);
  try {
    return await row.run(command.opts(), { problems, io, log }, command.processedArgs);
  } catch (error) {
    return logFailure(error, command, log);
  } finally {
    log.close();
  }
}

/** Commands that only check a file have no log, and print its problems as they are. */
async function openLog(
  { groups }: CommandRow,
  command: Command,
  { openLog: open, streams }: Host,
): Promise<Log> {
  const { log: mode }: { readonly log?: unknown } = command.opts();
  const isPlain = !groups.includes("log") && !groups.includes("keygen");
  if (isPlain) return (await import("./log/create-log.ts")).createPlainLog(streams.err);
  // The command itself refuses an unknown mode, together with its other problems.
  return open(isLogMode(mode) ? mode : undefined);
}

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

type Start = (row: CommandRow, command: Command) => Promise<void>;

/** All commands with their options; `start` runs the one that the command line names. */
function buildProgram(start: Start, streams: Streams): Command {
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
  for (const row of COMMANDS) addCommand(program, row, start);
  return program;
}

function addCommand(program: Command, row: CommandRow, start: Start): void {
  const path = nameOfCommand(row).split(" ");
  const name = path.pop() ?? "";
  let parent = program;
  for (const word of path)
    parent =
      parent.commands.find((one) => one.name() === word) ??
      parent.command(word, { hidden: row.isHidden === true }).description(PARENTS[word] ?? "");
  const command = parent
    .command(name)
    .enablePositionalOptions()
    .description(row.help)
    .action(() => start(row, command));
  for (const [argument = ""] of row.usage.matchAll(/[<[].+?[>\]]/gu))
    command.argument(argument, row.argumentHelp?.[argument.slice(1, -1)]);
  for (const group of row.groups)
    for (const option of Object.values(GROUPS[group].rows))
      command.addOption(toOption(option).helpGroup(GROUPS[group].heading));
}

function toOption({ flag, help, fallback, fallbackWords, isRepeatable, variable }: OptionRow) {
  const option = new Option(flag, help).default(fallback, fallbackWords);
  if (variable !== undefined) option.env(ENV_PREFIX + variable);
  return isRepeatable ? option.argParser(splitValues) : option;
}

/** A file of values is named alone, because its path may have blanks. */
function splitValues(value: string, before: readonly string[] | undefined): readonly string[] {
  const values = value.startsWith("@")
    ? [value]
    : value.split(/[\s,]+/u).filter((part) => part !== "");
  return [...(before ?? []), ...values];
}

/** Gives every command the same order of headings; commander would take the order in which its options were added. */
const groupItems: Help["groupItems"] = (unsorted, visible, getGroup) => {
  const groups = new Help().groupItems(unsorted, visible, getGroup);
  return new Map(
    [...groups].toSorted(([one], [other]) => HEADINGS.indexOf(one) - HEADINGS.indexOf(other)),
  );
};

/** Follows the list of commands in the help of the program. */
const HELP_FOOTER = `
Begin with:
  status-snapshot run      probes the 85 services of the shipped catalogue and writes
                           the API to the folder "public"; its state is in ".state"
  status-snapshot serve    shows that folder at http://127.0.0.1:8080

Environment:
  Options can be set as ${ENV_PREFIX}<OPTION>, for example
  ${ENV_PREFIX}EXTRA_CA=roots.pem for --extra-ca; the help of a command
  names its variables. The command line wins; an empty variable counts as not
  set. NODE_EXTRA_CA_CERTS adds roots for every endpoint.

Exit codes:
${exitCodeLines()}

Standard output carries results, standard error everything else.`;

function exitCodeLines(): string {
  return Object.entries(EXIT_CODES)
    .map(
      ([code, { meaning }]) =>
        `  ${code}  ${new Help().boxWrap(meaning, 75).replaceAll("\n", "\n     ")}`,
    )
    .join("\n");
}

function readVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  const manifest: unknown = JSON.parse(text);
  return typeof manifest === "object" && manifest !== null && "version" in manifest
    ? String(manifest.version)
    : "";
}
