import { Option } from "commander";
import type { Text } from "./texts.ts";

/** What the command line or the environment gives: text, texts of a repeatable option, or whether a switch is there. */
export type Given = string | boolean | readonly string[] | undefined;

/** An option. Commander, the help, the environment, the reference and the values of commands follow from it. */
export interface OptionRow<T = unknown> {
  /** The long flag with its placeholder. */
  readonly flag: string;
  readonly help: string;
  /** The default as it would be written. */
  readonly fallback?: string | undefined;
  /** How the help names the default. */
  readonly fallbackWords?: string | undefined;
  readonly isRepeatable: boolean;
  /** Name of its environment variable without the prefix; undefined: it has none. */
  readonly variable: string | undefined;
  /** The value. A wrong text is a problem, and the default stands for it, so that the rest can be checked as well. */
  readonly read: (given: Given, addProblem: (problem: string) => void) => T;
}

export const INPUTS = "Catalogue, monitors and stores:";
export const REPORTS = "Reports:";
export const PUBLISHING = "Publishing:";
export const NETWORK = "Network:";
export const OUTPUT = "Output:";
/** Commander's own heading, for options of few commands. */
export const OWN = "Options:";
/** In the order of the help. */
export const HEADINGS: readonly string[] = [OWN, INPUTS, REPORTS, PUBLISHING, NETWORK, OUTPUT];

/** Options that commands have together, under one heading. The keys are those of the values. */
export interface OptionGroup<Rows> {
  readonly heading: string;
  readonly rows: Rows;
}

/** Rows under one heading. */
export function group<Rows>(heading: string, rows: Rows): OptionGroup<Rows> {
  return { heading, rows };
}

/** The key that commander gives to an option. */
export function attributeOf({ flag }: Pick<OptionRow, "flag">): string {
  return new Option(flag).attributeName();
}

function rowOf(flag: string) {
  const variable = new Option(flag).name().toUpperCase().replaceAll("-", "_");
  return { flag, variable, isRepeatable: false };
}

/** An option with a value. @param fallback as it would be written; absent: without it the value is undefined. */
export function option<T>(flag: string, parse: Text<T>, help: string): OptionRow<T | undefined>;
export function option<T>(
  flag: string,
  parse: Text<T>,
  help: string,
  fallback: string,
  fallbackWords?: string,
): OptionRow<T>;
export function option<T>(
  flag: string,
  parse: Text<T>,
  help: string,
  fallback?: string,
  fallbackWords?: string,
): OptionRow<T | undefined> {
  const [byDefault] = readEach(flag, parse, fallback === undefined ? [] : [fallback], refuse);
  return {
    ...rowOf(flag),
    help,
    fallback,
    fallbackWords,
    read: (given, addProblem) => {
      const [value] = typeof given === "string" ? readEach(flag, parse, [given], addProblem) : [];
      return value === undefined ? byDefault : value;
    },
  };
}

/**
 * An option that may be given several times. One value, and so an environment variable, may list several, separated by blanks or commas.
 *
 * @param fallback as they would be written; the help names them in words, if at all.
 */
export function repeatable<T>(
  flag: string,
  parse: Text<T>,
  help: string,
  fallback: readonly string[] = [],
): OptionRow<readonly T[]> {
  return {
    ...rowOf(flag),
    help: `${help} (repeatable)`,
    isRepeatable: true,
    read: (given, addProblem) =>
      readEach(flag, parse, Array.isArray(given) ? given : fallback, addProblem),
  };
}

/** The values of the texts that can be parsed. The others are problems. */
function readEach<T>(
  flag: string,
  parse: Text<T>,
  texts: readonly string[],
  addProblem: (problem: string) => void,
): readonly T[] {
  const [name = ""] = flag.split(" ");
  return texts.flatMap((text) => {
    const read = parse(text);
    if ("value" in read) return [read.value];
    addProblem(`${name}${read.isBare === true ? "" : ` ${text}`}: ${read.problem}`);
    return [];
  });
}

/** A default that cannot be parsed is a mistake in the table. */
function refuse(problem: string): never {
  throw new TypeError(problem);
}

/** An option without a value. The value of `--no-x` is whether x is left. */
export function toggle(flag: string, help: string): OptionRow<boolean> {
  const byDefault = flag.startsWith("--no-");
  return {
    ...rowOf(flag),
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
