import { suggestWord } from "../../yaml/suggest.ts";
import { ENV_PREFIX, flagKeyOf, type Given, keyOf, nameOf, type OptionRow } from "./option-row.ts";

/* Where the values of options come from. The first source that has one wins: command line, environment, settings file, default. */

/** What was given, and where. */
export interface Found {
  readonly given: Given;
  /** A flag, `--set`, a variable, `FILE:LINE:COLUMN`; undefined: nothing was given, and the default holds. */
  readonly from: string | undefined;
}

/** A settings file, by its keys. */
export type FileValues = ReadonlyMap<string, Found>;

/** What was given for the options of a command. */
export type FoundOptions = ReadonlyMap<OptionRow, Found>;

export interface Sources {
  /** By the keys of commander. */
  readonly flags: Readonly<Record<string, Given>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly file: FileValues;
}

/** What is given for each row. Wrong texts of switches and of `--set` are problems. */
export function findGiven(
  rows: readonly OptionRow[],
  { flags, env, file }: Sources,
  addProblem: (problem: string) => void,
): FoundOptions {
  const set = readSet(rows, flags["set"], addProblem);
  const find = (row: OptionRow): Found => {
    const key = keyOf(row);
    const flag = flags[flagKeyOf(row) ?? ""];
    if (flag !== undefined) return { given: flag, from: row.formerFlag ?? nameOf(row) };
    const texts = key === undefined ? undefined : set.get(key);
    if (texts !== undefined)
      return { given: row.isRepeatable ? texts.flatMap(splitValues) : texts.at(-1), from: "--set" };
    return findInEnv(row, env, addProblem) ?? file.get(key ?? "") ?? NOTHING;
  };
  return new Map(rows.map((row) => [row, find(row)]));
}

const NOTHING: Found = { given: undefined, from: undefined };

/** Several values in one text. A file of values is named alone, because its path may have blanks. */
export function splitValues(text: string): readonly string[] {
  return text.startsWith("@") ? [text] : text.split(/[\s,]+/u).filter((part) => part !== "");
}

/** `KEY=VALUE` texts by their keys. */
function readSet(rows: readonly OptionRow[], given: Given, addProblem: (problem: string) => void) {
  const known = rows.filter(({ kind }) => kind === "value").flatMap((row) => keyOf(row) ?? []);
  const read = new Map<string, readonly string[]>();
  for (const text of Array.isArray(given) ? given : []) {
    const [, key = "", value] = /^([^=]*)=(.*)$/su.exec(text) ?? [];
    const near = suggestWord(key, known, known.length);
    const hint = near === undefined ? "`config` lists them." : `did you mean ${near}?`;
    if (value === undefined) addProblem(`--set ${text}: write KEY=VALUE, such as keepArchive=90.`);
    else if (known.includes(key)) read.set(key, [...(read.get(key) ?? []), value]);
    else addProblem(`--set ${key}: this command has no such setting; ${hint}`);
  }
  return read;
}

const SWITCHES: Readonly<Record<string, boolean>> = { true: true, 1: true, false: false, 0: false };

/** Empty variables, which compose files and CI systems leave, count as not set. */
function findInEnv(row: OptionRow, env: Sources["env"], addProblem: (problem: string) => void) {
  if (row.variable === undefined) return undefined;
  const from = ENV_PREFIX + row.variable;
  const text = env[from];
  if (text === undefined || text === "") return undefined;
  if (row.kind !== "switch") return { given: row.isRepeatable ? splitValues(text) : text, from };
  const isOn = SWITCHES[text];
  if (isOn === undefined) addProblem(`${nameOf(row)}: ${from} is ${text}; give true or false.`);
  // Of `--no-x`, the value is whether x is left.
  return isOn === true ? { given: !row.usage.startsWith("--no-"), from } : undefined;
}
