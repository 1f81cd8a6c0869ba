import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Command, Option } from "commander";
import type { EventFields, EventRow } from "../src/model/events/event-row.ts";
import { EVENTS } from "../src/model/run-event.ts";
import { EXIT_CODES } from "../src/setup/exit-codes.ts";
import { HEADINGS } from "../src/setup/options.ts";
import { SENTENCE_EVENTS } from "../src/setup/log.ts";
import { buildProgram } from "../src/cli/program.ts";

/*
 * `npm run reference`: writes the tables in docs/reference from the commands, the exit codes and the log events of the program. The
 * rest of those pages is written by hand, around the lines that begin and end a table.
 */

const REFERENCE = new URL("../docs/reference/", import.meta.url);
const BEGIN = "<!-- npm run reference begins -->";
const END = "<!-- npm run reference ends -->";

const TABLES: Readonly<Record<string, () => string>> = {
  "options.md": optionTables,
  "exit-codes.md": exitCodeTable,
  "log-events.md": eventTable,
};

/** Names of the pages that contain a generated table. */
export const REFERENCE_PAGES: readonly string[] = Object.keys(TABLES);

/** The whole text of a page, with its table from the code. Throws if the page has no lines between which the table belongs. */
export function generatePage(page: string): string {
  const before = readFileSync(new URL(page, REFERENCE), "utf8");
  const [begin, end] = [before.indexOf(BEGIN), before.indexOf(END)];
  const table = TABLES[page]?.();
  if (begin < 0 || end < begin || table === undefined)
    throw new Error(`docs/reference/${page} has no table between "${BEGIN}" and "${END}".`);
  return `${before.slice(0, begin)}${BEGIN}\n\n${table}\n\n${before.slice(end)}`;
}

function exitCodeTable(): string {
  const rows = Object.entries(EXIT_CODES).map(([code, { meaning, remedy }]) => [
    code,
    meaning,
    remedy,
  ]);
  return toTable(["code", "meaning", "what to do"], rows);
}

function eventTable(): string {
  const events: Readonly<Record<string, EventRow<EventFields>>> = { ...EVENTS, ...SENTENCE_EVENTS };
  const rows = Object.entries(events).map(([name, { level, meaning, fields }]) => {
    const described = Object.entries(fields).filter(([, { text }]) => text !== "");
    const plain = Object.entries(fields).filter(([, { text }]) => text === "");
    return [
      code(name),
      level,
      [meaning, ...described.map(([field, { text }]) => `${code(field)}: ${text}`)].join(". "),
      plain.map(([field]) => code(field)).join(" "),
    ];
  });
  return toTable(["event", "level", "meaning, and fields", "fields that explain themselves"], rows);
}

/** Groups of commands that a row names by one word. */
const GROUPS: readonly (readonly [name: string, marker: string])[] = [
  ["publishing", "--max-removals"],
  ["probing", "--extra-ca"],
];

interface Row {
  readonly heading: string;
  readonly flags: string;
  readonly fallback: string;
  readonly meaning: string;
  readonly commands: string[];
}

/** One table for each heading of the help, in its order. */
function optionTables(): string {
  const commands = leavesOf(program());
  const rows = new Map<string, Row>();
  for (const command of commands)
    for (const option of command.options) {
      const row = toRow(option);
      const key = [row.heading, row.flags, row.fallback, row.meaning].join("\0");
      if (!rows.has(key)) rows.set(key, row);
      rows.get(key)?.commands.push(nameOf(command));
    }
  const groups = GROUPS.map(([name, marker]) => ({
    name,
    members: commands.filter(({ options }) => options.some(({ long }) => long === marker)),
  }));
  const all = [...rows.values()];
  const tables = [...HEADINGS.slice(1), OWN].map((heading) => {
    const cells = all
      .filter((row) => row.heading === heading)
      .map((row) => [code(row.flags), row.fallback, namesOf(row.commands, groups), row.meaning]);
    return `## ${heading.replace(/:$/u, "")}\n\n${toTable(["option", "default", "commands", "meaning"], cells)}`;
  });
  const legend = groups.map(
    ({ name, members }) =>
      `_${name}_: ${members.map((command) => code(nameOf(command))).join(" ")}.`,
  );
  return [...legend, ...tables].join("\n\n");
}

/** In the place of commander's own heading, which the help has first. */
const OWN = "Options of single commands";

/** The help gives some defaults as part of the sentence. */
function toRow(option: Option): Row {
  const [, text = "", inText, repeatable = ""] =
    /^(.*?)(?: \(default: ([^)]*)\))?( \(repeatable\))?$/su.exec(option.description) ?? [];
  const inWords = inText ?? option.defaultValueDescription;
  return {
    heading: option.helpGroupHeading ?? OWN,
    flags: option.flags,
    fallback: inWords ?? (typeof option.defaultValue === "string" ? code(option.defaultValue) : ""),
    meaning: `${text}${repeatable}`.replaceAll("<", "\\<"),
    commands: [],
  };
}

function namesOf(
  names: readonly string[],
  groups: readonly { readonly name: string; readonly members: readonly Command[] }[],
): string {
  const whole = groups.filter(({ members }) =>
    members.every((member) => names.includes(nameOf(member))),
  );
  const grouped = new Set(whole.flatMap(({ members }) => members.map(nameOf)));
  const rest = names.filter((name) => !grouped.has(name));
  return [...whole.map(({ name }) => `_${name}_`), ...rest.map(code)].join(" ");
}

function unused(): never {
  throw new Error("No command runs here.");
}

function program(): Command {
  const io = {
    print: unused,
    env: {},
    setEnv: unused,
    wallMs: unused,
    stop: AbortSignal.abort(),
    killGroup: unused,
  };
  return buildProgram({ io, finish: unused, withLog: unused }, { out: unused, err: unused });
}

function leavesOf(command: Command): readonly Command[] {
  const visible = command.createHelp().visibleCommands(command);
  const children = visible.filter((child) => child.name() !== "help");
  // `vantage` does something itself, and has commands as well.
  const isOne = children.length === 0 || (command.parent !== null && command.options.length > 0);
  return [...(isOne ? [command] : []), ...children.flatMap(leavesOf)];
}

/** "monitor add" */
function nameOf(command: Command): string {
  const parent = command.parent;
  return parent?.parent ? `${nameOf(parent)} ${command.name()}` : command.name();
}

function code(text: string): string {
  return `\`${text}\``;
}

function toTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, header.map(() => "---"), ...rows].map(
    (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`,
  );
  return lines.join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const page of REFERENCE_PAGES) writeFileSync(new URL(page, REFERENCE), generatePage(page));
