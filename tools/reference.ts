import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { EventFields, EventRow } from "../src/model/events/event-row.ts";
import { EVENTS } from "../src/model/run-event.ts";
import { EXIT_CODES } from "../src/setup/exit-codes.ts";
import { SENTENCE_EVENTS } from "../src/setup/log.ts";
import { COMMANDS, nameOfCommand } from "../src/cli/commands.ts";
import {
  ENV_PREFIX,
  HEADINGS,
  keyOf,
  type OptionRow,
  OWN,
  variableOf,
} from "../src/setup/options/option-row.ts";
import { type GroupName, GROUPS, PROBE, PUBLISH } from "../src/setup/options/options.ts";

/*
 * `npm run reference`: writes the tables in docs/reference from the commands, the exit codes and the log events of the program. The
 * rest of those pages is written by hand, around the lines that begin and end a table.
 */

const REFERENCE = new URL("../docs/reference/", import.meta.url);
const BEGIN = "<!-- npm run reference begins -->";
const END = "<!-- npm run reference ends -->";

/** Where a whole file is written: an example of the settings, with every key. */
export const EXAMPLE_SETTINGS = fileURLToPath(new URL("../deploy/site.yaml", import.meta.url));

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
  const rows = Object.entries(events).map(([name, { level, meaning, fields, isQuiet }]) => {
    const described = Object.entries(fields).filter(([, { text }]) => text !== "");
    const plain = Object.entries(fields).filter(([, { text }]) => text === "");
    return [
      code(name),
      isQuiet === undefined ? level : `${level}, all well: debug`,
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
  const { usage, help, fallback, fallbackWords, variable, isSecret } = row;
  const [, before = "", inText = "", after = ""] =
    /^(.*?)(?: \(default: (.*?)\))?( \(repeatable\))?$/su.exec(help) ?? [];
  const byDefault = fallbackWords ?? (fallback === undefined ? inText : code(fallback));
  const regular = variableOf(usage);
  const setBy = [
    ...(isSecret ? ["a secret, so it is never in the file"] : []),
    ...(row.kind === "people"
      ? ["only in the file"]
      : variable === undefined
        ? ["only on the command line"]
        : variable === regular
          ? []
          : [`key ${code(keyOf(row) ?? "")}, variable ${code(ENV_PREFIX + variable)}`]),
  ];
  const meaning = [`${before}${after}`, ...setBy].join("; ").replaceAll("<", "\\<");
  return [code(usage), byDefault, describeCommands(namesWith([group])), meaning];
}

const EXAMPLE_HEAD = `# What describes an installation of status-snapshot. Copy it to /etc/status-snapshot/site.yaml; the units in deploy/systemd name it.
#
# Every key is here with its default; remove the # of those that you change. Flags and variables of the environment win over this file,
# and \`status-snapshot config\` prints what holds and why. Unknown keys and wrong values end every command with exit code 2.
# Passwords, access keys and the address of the heartbeat are in the environment, not here. Made by \`npm run reference\`.
`;

/** What every installation has to set. */
const EXAMPLES: Readonly<Record<string, string>> = {
  store: "s3://status-public?endpoint=https://storage.yandexcloud.net&region=ru-central1",
  state: "s3://status-private?endpoint=https://storage.yandexcloud.net&region=ru-central1",
  baseUrl: "https://status.example",
};

const EXAMPLE_PEOPLE = `#about:
#  operator: Ирина Петрова
#  measuredFrom: Франкфурт, сервер GitHub   # only if the runner is not in Moscow: every page says so
#  contact: mailto:status@status.example
#  source: https://status.example/source
#  wrongVerdict: https://status.example/issues
#  addSite: https://status.example/add
#  follow:
#    telegram: https://t.me/example
#    max: https://max.ru/example
#    categories:
#      banks: { telegram: https://t.me/example_banks }`;

/** The text of the example of a settings file. */
export function generateSettings(): string {
  const groups = Object.values(GROUPS);
  const written = new Set<string>();
  const parts = [...HEADINGS.filter((heading) => heading !== OWN), OWN].flatMap((heading) => {
    const rows = groups
      .filter((group) => group.heading === heading)
      .flatMap((group) => Object.values(group.rows))
      .filter((row) => {
        const key = keyOf(row);
        if (key === undefined || written.has(key)) return false;
        written.add(key);
        return true;
      });
    const title = heading === OWN ? "Single commands" : heading.replace(/:$/u, "");
    return rows.length === 0 ? [] : [`## ${title}`, ...rows.map(exampleOf)];
  });
  return `${[EXAMPLE_HEAD.trimEnd(), ...parts].join("\n\n")}\n`;
}

function exampleOf(row: OptionRow): string {
  const key = keyOf(row) ?? "";
  const [, placeholder = ""] = row.usage.split(" ");
  const byDefault = row.fallbackWords === undefined ? row.fallback : undefined;
  const value = EXAMPLES[key] ?? byDefault ?? placeholder;
  const line = `${EXAMPLES[key] === undefined ? "#" : ""}${key}: ${value}`;
  return `# ${row.help}\n${row.kind === "people" ? EXAMPLE_PEOPLE : line}`;
}

function describeCommands(names: readonly string[]): string {
  if (namesWith([]).every((name) => names.includes(name))) return "_every command_";
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const page of REFERENCE_PAGES) writeFileSync(new URL(page, REFERENCE), generatePage(page));
  writeFileSync(EXAMPLE_SETTINGS, generateSettings());
}
