import { Option } from "commander";
import { hideCredentials } from "../../model/host-name.ts";
import type { SitePeople } from "../../model/site-settings.ts";
import type { Text } from "./texts.ts";

/** Prefix of the environment variables that set options. */
export const ENV_PREFIX = "STATUS_SNAPSHOT_";

/** What is given: text, texts of a repeatable option, whether a switch is there, or the people of a settings file. */
export type Given = string | boolean | readonly string[] | SitePeople | undefined;

/** An option. Commander, the help, the environment, the settings file, the reference and the values of commands follow from it. */
export interface OptionRow<T = unknown> {
  /** The long flag with its placeholder, such as `--store <url>`. Without dashes it has no flag: `keepArchive <days>`. */
  readonly usage: string;
  /** The flag that a setting had until 2026-11-27, which the help does not show. */
  readonly formerFlag: string | undefined;
  readonly help: string;
  /** The default as it would be written. */
  readonly fallback?: string | undefined;
  /** How the help names the default. */
  readonly fallbackWords?: string | undefined;
  readonly isRepeatable: boolean;
  /** `settings`: the file of settings. `texts`: one each time, which may have blanks and commas. */
  readonly kind: "value" | "switch" | "people" | "settings" | "texts";
  /** A secret is given by the environment alone: a file is copied and committed, arguments are seen by every user of the machine. */
  readonly isSecret: boolean;
  /** Name of its environment variable without the prefix; undefined: it has none. */
  readonly variable: string | undefined;
  /** The value. A wrong text is a problem, and the default stands for it, so that the rest can be checked as well. */
  readonly read: (given: Given, addProblem: (problem: string) => void) => T;
}

/** By what the options are about, in the order of the help. */
const HEADING = {
  /** Commander's own heading, for options of few commands. */
  own: "Options:",
  settings: "Settings:",
  inputs: "Catalogue, monitors and stores:",
  reports: "Reports:",
  publishing: "Publishing:",
  network: "Network:",
  output: "Output:",
};
export const OWN = HEADING.own;
/** In the order of the help. */
export const HEADINGS: readonly string[] = Object.values(HEADING);

/** Options that commands have together, under one heading. The keys are those of the values. */
export interface OptionGroup<Rows> {
  readonly heading: string;
  readonly rows: Rows;
}

/** Rows under one heading. */
export function group<Rows>(about: keyof typeof HEADING, rows: Rows): OptionGroup<Rows> {
  return { heading: HEADING[about], rows };
}

/** How messages name an option: `--store`, or `keepArchive` if it has no flag. */
export function nameOf({ usage }: Pick<OptionRow, "usage">): string {
  return usage.split(" ", 1)[0] ?? usage;
}

/** Whether an option has a flag. The others describe the installation rather than one start. */
export function hasFlag({ usage }: Pick<OptionRow, "usage">): boolean {
  return usage.startsWith("--");
}

/** The key of an option among those that are given. */
export function attributeOf(row: Pick<OptionRow, "usage">): string {
  return hasFlag(row) ? new Option(row.usage).attributeName() : nameOf(row);
}

/** The key that commander gives to what is on the command line; undefined: nothing can be there. */
export function flagKeyOf({ usage, formerFlag }: OptionRow): string | undefined {
  const flag = formerFlag ?? usage;
  return flag.startsWith("--") ? new Option(flag).attributeName() : undefined;
}

/** The key of an option in the settings file and of `--set`; undefined: it has none. */
export function keyOf({ variable, kind, usage, isSecret }: OptionRow): string | undefined {
  if (kind === "people") return usage;
  if (variable === undefined || kind !== "value" || isSecret) return undefined;
  return variable.toLowerCase().replaceAll(/_(\w)/gu, (_, letter: string) => letter.toUpperCase());
}

/** `keepArchive` as `keep-archive`. */
function toKebab(name: string): string {
  return name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
}

/** The variable of an option, unless its row has another one or none. */
export function variableOf(usage: string): string {
  return toKebab(nameOf({ usage }).replace(/^--/u, "")).toUpperCase().replaceAll("-", "_");
}

function rowOf(usage: string) {
  return {
    usage,
    formerFlag: hasFlag({ usage }) ? undefined : `--${usage.replace(/^[^ ]+/u, toKebab)}`,
    variable: variableOf(usage),
    kind: "value" as const,
    isRepeatable: false,
    isSecret: false,
  };
}

/** A setting whose flag had another name. */
export function formerly<T>(formerFlag: string, row: OptionRow<T>): OptionRow<T> {
  return { ...row, formerFlag };
}

/** An option with a value. @param fallback as it would be written; absent: without it the value is undefined. */
export function option<T, Fallback extends string | undefined = undefined>(
  usage: string,
  parse: Text<T>,
  help: string,
  fallback?: Fallback,
  fallbackWords?: string,
): OptionRow<T | Extract<Fallback, undefined>> {
  const given = fallback === undefined ? [] : [fallback];
  const [byDefault] = readEach(usage, parse, given, (problem) => {
    // A mistake in the table.
    throw new TypeError(problem);
  });
  return {
    ...rowOf(usage),
    help,
    fallback,
    fallbackWords,
    read: (given, addProblem) => {
      const [value] = typeof given === "string" ? readEach(usage, parse, [given], addProblem) : [];
      // An option with a default never gives undefined.
      return (value === undefined ? byDefault : value) as T | Extract<Fallback, undefined>;
    },
  };
}

/** A constructor of options of one kind of text. */
export function optionOf<T>(parse: Text<T>) {
  return <Fallback extends string | undefined = undefined>(
    usage: string,
    help: string,
    fallback?: Fallback,
    fallbackWords?: string,
  ) => option(usage, parse, help, fallback, fallbackWords);
}

/**
 * An option that may be given several times. One value, and so an environment variable, may list several, separated by blanks or commas.
 *
 * @param fallback as they would be written; the help names them in words, if at all.
 */
export function repeatable<T>(
  usage: string,
  parse: Text<T>,
  help: string,
  fallback: readonly string[] = [],
): OptionRow<readonly T[]> {
  return {
    ...rowOf(usage),
    help: `${help} (repeatable)`,
    isRepeatable: true,
    read: (given, addProblem) =>
      readEach(usage, parse, Array.isArray(given) ? given : fallback, addProblem),
  };
}

/** The values of the texts that can be parsed. The others are problems. */
function readEach<T>(
  usage: string,
  parse: Text<T>,
  texts: readonly string[],
  addProblem: (problem: string) => void,
): readonly T[] {
  return texts.flatMap((text) => {
    const read = parse(text);
    if ("value" in read) return [read.value];
    const said = `${nameOf({ usage })}${read.isBare === true ? "" : ` ${text}`}: ${read.problem}`;
    const shown = hideCredentials(text);
    addProblem(shown === text ? said : said.replaceAll(text, () => shown));
    return [];
  });
}

/** An option without a value. The value of `--no-x` is whether x is left. */
export function toggle(usage: string, help: string): OptionRow<boolean> {
  const byDefault = usage.startsWith("--no-");
  return {
    ...rowOf(usage),
    kind: "switch",
    help,
    read: (given) => (typeof given === "boolean" ? given : byDefault),
  };
}

/** Puts a group in front of the variable of an option whose name another option has, too. */
export function ofGroup<T>(group: string, row: OptionRow<T>): OptionRow<T> {
  return { ...row, variable: `${group}_${row.variable ?? ""}` };
}

/** Without a variable: it belongs to one call, and would be forgotten in the environment. */
export function onlyGiven<T>(row: OptionRow<T>): OptionRow<T> {
  return { ...row, variable: undefined };
}

/** The people behind the website, which only a settings file names; it has checked them. */
export function people(usage: string, help: string): OptionRow<SitePeople | undefined> {
  return {
    ...rowOf(usage),
    kind: "people",
    formerFlag: undefined,
    variable: undefined,
    help,
    read: (given) => (isPeople(given) ? given : undefined),
  };
}

function isPeople(given: Given): given is SitePeople {
  return typeof given === "object" && !Array.isArray(given);
}
