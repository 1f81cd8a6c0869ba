import { existsSync } from "node:fs";
import { Command, CommanderError, Help, Option } from "commander";
import { isExpectedFailure, UsageError } from "../setup/errors.ts";
import { EXIT_CODES, type ExitCode } from "../setup/exit-codes.ts";
import type { Io } from "../setup/io.ts";
import { LOG_MODES, type Log, type LogMode } from "../setup/log.ts";
import {
  attributeOf,
  ENV_PREFIX,
  type Given,
  flagKeyOf,
  HEADINGS,
  keyOf,
  nameOf,
  type OptionRow,
} from "../setup/options/option-row.ts";
import { ALL_ROWS, findUnknown, GROUPS, rowsOf } from "../setup/options/options.ts";
import { DEFAULT_SETTINGS, SHARED_OPTIONS } from "../setup/options/shared-options.ts";
import {
  type FileValues,
  findGiven,
  type Found,
  type FoundOptions,
  splitValues,
} from "../setup/options/sources.ts";
import { readVersion } from "../setup/shipped-files.ts";
import { collectProblems, startsWithName } from "../setup/parse-options.ts";
import { type CommandRow, COMMANDS, nameOfCommand, PARENTS } from "./commands.ts";

/* The command line: its commands as commander wants them, its log, its exit code. */

/** The environment of a command line. */
export interface Host {
  readonly io: Io;
  readonly streams: { readonly out: (text: string) => void; readonly err: (text: string) => void };
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

/** Commands whose logs are kept. */
const LASTING = "run watch intake vantage notify worker".split(" ");

async function runCommand(row: CommandRow, command: Command, host: Host): Promise<ExitCode> {
  const { io } = host;
  const problems = collectProblems();
  for (const problem of findUnknown(io.env)) problems.addProblem(problem);
  // `config` reads the options of all commands.
  const isConfig = row.groups.includes("configJson");
  const rows = isConfig ? new Set([...rowsOf(row.groups), ...ALL_ROWS]) : rowsOf(row.groups);
  const found = await findOptions([...rows], command, io, problems.addProblem);
  const given = Object.fromEntries([...found].map(([key, one]) => [attributeOf(key), one.given]));
  const log = await openLog(row, given["log"], host);
  const name = nameOfCommand(row);
  if (LASTING.includes(name.replace(/ watch$/u, "")))
    log.emit({ event: "program-started", version: readVersion(), command: name });
  try {
    return await row.run(given, { found, problems, io, log }, command.processedArgs);
  } catch (error) {
    return logFailure(error, (problem) => sourceNote(problem, found), log);
  } finally {
    log.close();
  }
}

/** What is given for options, by the command line, the environment and the settings file. */
async function findOptions(
  rows: readonly OptionRow[],
  command: Command,
  { env }: Io,
  addProblem: (problem: string) => void,
): Promise<FoundOptions> {
  const written = Object.entries<Given>(command.opts()).filter(
    ([key]) => command.getOptionValueSource(key) === "cli",
  );
  const sources = { flags: Object.fromEntries(written), env, file: new Map<string, Found>() };
  const { settings } = SHARED_OPTIONS.settings.rows;
  const named = findGiven([settings], sources, () => undefined).get(settings);
  const file = named?.given ?? (existsSync(DEFAULT_SETTINGS) && DEFAULT_SETTINGS);
  if (typeof file !== "string") return findGiven(rows, sources, addProblem);
  const { readSettingsFile } = await import("../setup/options/settings-file.ts");
  const read = await readSettingsFile(file);
  if ("problem" in read) addProblem(read.problem);
  const values = "value" in read ? read.value : sources.file;
  const found = findGiven(rows, { ...sources, file: values }, addProblem);
  const others = findOthers(rows, values);
  for (const [row, { given }] of others) row.read(given, addProblem);
  // The command's own come later, because some attributes are shared; it sees whether there is a file, also the one of the default name.
  return new Map([...others, ...found, [settings, { given: file, from: named?.from ?? file }]]);
}

/** What the settings file says for other commands. It is checked too: an intake should not be the first to complain. */
function findOthers(rows: readonly OptionRow[], values: FileValues): FoundOptions {
  const read = new Set(rows.map(keyOf));
  return new Map(
    ALL_ROWS.flatMap((row) => {
      const key = keyOf(row);
      const found = key === undefined || read.has(key) ? undefined : values.get(key);
      return found === undefined ? [] : [[row, found] as const];
    }),
  );
}

/** Commands that only check a file have no log, and print its problems as they are. */
async function openLog(
  { groups }: CommandRow,
  mode: Given,
  { openLog: open, streams }: Host,
): Promise<Log> {
  const isPlain = !groups.includes("log") && !groups.includes("keygen");
  if (isPlain) return (await import("./log/create-log.ts")).createPlainLog(streams.err);
  // The command itself refuses an unknown mode, together with its other problems.
  return open(LOG_MODES.find((one) => one === mode));
}

function logFailure(error: unknown, noteOf: (problem: string) => string, log: Log): ExitCode {
  if (error instanceof UsageError) {
    for (const problem of error.problems) log.refuse(problem + noteOf(problem));
    return 2;
  }
  if (!isExpectedFailure(error)) throw error;
  log.fail(error.message);
  return 1;
}

/** Where an option comes from that was not given on the command line. */
function sourceNote(problem: string, found: FoundOptions): string {
  const named = [...found].find(
    ([row, { from }]) => from !== undefined && startsWithName(problem, nameOf(row)),
  );
  const from = named?.[1].from;
  return from === undefined || from.startsWith("--") ? "" : ` (It comes from ${from}.)`;
}

/** Runs the command that the command line names. */
type Start = (row: CommandRow, command: Command) => Promise<void>;

/** All commands with their options. */
function buildProgram(start: Start, streams: Host["streams"]): Command {
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
      if (flagKeyOf(option) !== undefined)
        command.addOption(toOption(option).helpGroup(GROUPS[group].heading));
}

function toOption(row: OptionRow): Option {
  const option = new Option(row.formerFlag ?? row.usage, row.help)
    .default(row.fallback, row.fallbackWords)
    .hideHelp(row.formerFlag !== undefined);
  if (!row.isRepeatable) return option;
  return option.argParser((value, before: readonly string[] | undefined) => [
    ...(Array.isArray(before) ? before : []),
    ...(row.kind === "texts" ? [value] : splitValues(value)),
  ]);
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

Settings:
  What describes an installation stands in ${DEFAULT_SETTINGS}, or in the file of --settings,
  such as "keepArchive: 90"; or in the environment, ${ENV_PREFIX}KEEP_ARCHIVE=90;
  or in one start, --set keepArchive=90. Flags have keys and variables as well. The
  command line wins, then the environment, then the file. "config" prints all of them.
  NODE_EXTRA_CA_CERTS adds roots for every endpoint.

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
