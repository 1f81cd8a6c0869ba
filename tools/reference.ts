import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Option } from "commander";
import type { EventFields, EventRow } from "../src/model/events/event-row.ts";
import { EVENTS } from "../src/model/run-event.ts";
import { EXIT_CODES } from "../src/setup/exit-codes.ts";
import { SENTENCE_EVENTS } from "../src/setup/log.ts";
import { COMMANDS, nameOfCommand } from "../src/cli/commands.ts";
import { ENV_PREFIX } from "../src/setup/io.ts";
import { HEADINGS, type OptionRow, OWN } from "../src/setup/options/option-row.ts";
import { type GroupName, GROUPS, PROBE, PUBLISH } from "../src/setup/options/options.ts";

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

/** Commands with the same groups of options, which rows name by one word. */
const ALIKE = new Map([
  ["_publishing_", namesWith(PUBLISH)],
  ["_probing_", namesWith(PROBE)],
]);

function namesWith(groups: readonly GroupName[]): readonly string[] {
  return COMMANDS.filter(
    (row) => row.isHidden !== true && groups.every((one) => row.groups.includes(one)),
  ).map(nameOfCommand);
}

/** One table for each heading of the help, in its order; options of few commands come last. */
function optionTables(): string {
  const all = Object.entries(GROUPS) as [GroupName, (typeof GROUPS)[GroupName]][];
  const tables = [...HEADINGS.filter((heading) => heading !== OWN), OWN].map((heading) => {
    const rows = all
      .filter(([, group]) => group.heading === heading)
      .flatMap(([name, group]) => Object.values(group.rows).map((row) => toCells(row, name)));
    const title = heading === OWN ? "Options of single commands" : heading.replace(/:$/u, "");
    return `## ${title}\n\n${toTable(["option", "default", "commands", "meaning"], rows)}`;
  });
  const legend = [...ALIKE].map(([word, names]) => `${word}: ${names.map(code).join(" ")}.`);
  return [...legend, ...tables].join("\n\n");
}

/** The help gives some defaults as part of the sentence. */
function toCells(row: OptionRow, group: GroupName): readonly string[] {
  const { flag, help, fallback, fallbackWords, variable } = row;
  const [, before = "", inText = "", after = ""] =
    /^(.*?)(?: \(default: (.*?)\))?( \(repeatable\))?$/su.exec(help) ?? [];
  const byDefault = fallbackWords ?? (fallback === undefined ? inText : code(fallback));
  const name = new Option(flag).name().toUpperCase().replaceAll("-", "_");
  const setBy =
    variable === name
      ? ""
      : variable === undefined
        ? "; no variable"
        : `; variable ${code(ENV_PREFIX + variable)}`;
  const meaning = `${before}${after}${setBy}`.replaceAll("<", "\\<");
  return [code(flag), byDefault, describeCommands(namesWith([group])), meaning];
}

function describeCommands(names: readonly string[]): string {
  const whole = [...ALIKE].filter(([, alike]) => alike.every((name) => names.includes(name)));
  const rest = names.filter((name) => !whole.some(([, alike]) => alike.includes(name)));
  return [...whole.map(([word]) => word), ...rest.map(code)].join(" ");
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
