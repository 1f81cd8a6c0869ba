import { execFile } from "node:child_process";
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FAILURE_CODES } from "../../src/model/failures.ts";
import { VERDICT_CODES } from "../../src/contract/codes/verdict.ts";
import { CHANNEL_KINDS } from "../../src/notify/channels/kinds.ts";
import { type Addition, ADDITIONS } from "./additions.ts";

/*
 * Follows the recipes of docs/architecture.md, "How to add". One copy of the program gets what all of them add; then the files in which
 * the compiler misses something must be those that the recipe names.
 */

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

interface Recipe {
  readonly name: string;
  /** Where to begin. */
  readonly first: string;
  /** Files that the compiler names. */
  readonly found: readonly string[];
  /** What it cannot find. */
  readonly byHand: readonly string[];
}

const RECIPES = readRecipes();

function readRecipes(): readonly Recipe[] {
  const [, section = ""] = readFileSync(join(ROOT, "docs/architecture.md"), "utf8").split(
    "\n## How to add\n",
  );
  return [...section.matchAll(/^- \*\*([^*]+)\*\* †: (.*)$/gmu)].map(([, name = "", text = ""]) => {
    const [found = "", byHand = ""] = text.split(" By hand: ");
    const [all = "", example = all] = found.split(" For example: ");
    const [first = "", ...others] = pathsIn(example);
    return { name, first, found: others.filter(isFile), byHand: pathsIn(byHand) };
  });
}

function isFile(path: string): boolean {
  return /\.\w+$/u.test(path);
}

function pathsIn(text: string): readonly string[] {
  return [...text.matchAll(/`((?:src|test|deploy)\/[^`]+)`/gu)].map(([, path = ""]) => path);
}

function recipeOf(name: string): Recipe {
  const recipe = RECIPES.find((one) => one.name === name);
  if (recipe === undefined) throw new Error(`No recipe in docs/architecture.md: ${name}`);
  return recipe;
}

/** Adds to the copy what the recipe says, where it begins. Throws if that place has changed. */
function follow(copy: string, { first }: Recipe, { before, text }: Addition): void {
  const files = isFile(first)
    ? [first]
    : readdirSync(join(copy, first)).map((name) => `${first}/${name}`);
  const file = files.find((one) => before.test(readFileSync(join(copy, one), "utf8")));
  if (file === undefined) throw new Error(`Nothing in ${first} matches ${String(before)}.`);
  const written = readFileSync(join(copy, file), "utf8");
  writeFileSync(
    join(copy, file),
    written.replace(before, (found) => `${text}${found}`),
  );
}

interface CompilerError {
  readonly file: string;
  readonly message: string;
}

/** The errors of `npm run types`. */
async function compile(copy: string): Promise<readonly CompilerError[]> {
  const errors: CompilerError[] = [];
  for (const project of [".", "src/site/browser"]) {
    const tsc = join(ROOT, "node_modules/.bin/tsc");
    const args = ["--noEmit", "--pretty", "false", "-p", project];
    // It ends with 1 or 2 if there are errors.
    const { stdout } = await run(tsc, args, { cwd: copy }).catch(
      (error: unknown) => error as Output,
    );
    for (const line of stdout.split("\n")) {
      const [, file, message] = /^([^\s(]+)\(\d+,\d+\): error TS\d+: (.*)$/u.exec(line) ?? [];
      const last = errors.at(-1);
      if (file !== undefined && message !== undefined) errors.push({ file, message });
      else if (line.startsWith(" ") && last !== undefined)
        errors.splice(-1, 1, { ...last, message: `${last.message}\n${line}` });
    }
  }
  return errors;
}

interface Output {
  readonly stdout: string;
}

const run = promisify(execFile);

const copy = mkdtempSync(join(tmpdir(), "recipes-"));
let errors: readonly CompilerError[] = [];

beforeAll(async () => {
  const parts = ["src", "test", "bench", "tools", "data", "deploy", "docs/reference"];
  for (const part of [...parts, "package.json", "tsconfig.json", "catalogue.yaml"])
    cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  for (const [name, addition] of Object.entries(ADDITIONS)) follow(copy, recipeOf(name), addition);
  errors = await compile(copy);
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

function sorted(names: Iterable<string>): readonly string[] {
  return [...new Set(names)].toSorted();
}

test("every marked recipe is followed here", () => {
  expect(RECIPES.map(({ name }) => name).toSorted()).toEqual(
    [...Object.keys(ADDITIONS), "A page"].toSorted(),
  );
});

/** In quotes, because the name also stands in the types of other messages. */
function isAbout(marker: string, { message }: CompilerError): boolean {
  return message.includes(`'${marker}'`) || message.includes(`'"${marker}"'`);
}

describe("the compiler", () => {
  test.each(Object.entries(ADDITIONS))(
    "names exactly the files of the recipe: %s",
    (name, { marker }) => {
      const about = errors.filter((error) => isAbout(marker, error));
      expect(sorted(about.map(({ file }) => file))).toEqual(sorted(recipeOf(name).found));
    },
  );

  test("finds nothing else in the copy", () => {
    const markers = Object.values(ADDITIONS).map(({ marker }) => marker);
    expect(errors.filter((error) => !markers.some((marker) => isAbout(marker, error)))).toEqual([]);
  });
});

test("`npm run reference` writes the row of an option and of an event", async () => {
  await run(join(ROOT, "node_modules/.bin/tsx"), ["tools/reference.ts"], { cwd: copy });
  const read = (page: string): string => readFileSync(join(copy, "docs/reference", page), "utf8");
  expect(read("options.md")).toContain(
    "| `--recipe-option <n>` | `7` | `catalogue trial` | what a recipe adds |",
  );
  expect(read("log-events.md")).toContain("| `recipe-event` | info | what a recipe adds |  |");
});

/** Files in these folders that match all of the patterns outside their comments, or all but so many. */
function filesWith(
  folders: readonly string[],
  patterns: readonly RegExp[],
  mayLack = 0,
): readonly string[] {
  const files = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter(({ name }) => /(?:\.tsx?|\.conf|\.vcl|file)$/u.test(name))
      .map(({ parentPath, name }) => join(parentPath, name).slice(ROOT.length)),
  );
  return files.filter((file) => {
    const text = readFileSync(join(ROOT, file), "utf8").replaceAll(
      /\/\*.*?\*\/|^ *\/\/.*?$/gmsu,
      "",
    );
    return patterns.filter((pattern) => !pattern.test(text)).length <= mayLack;
  });
}

function wordsOf(words: readonly string[], after = ""): readonly RegExp[] {
  return words.map((word) => new RegExp(`(?<![\\w.-])${word}${after}(?![\\w-])`, "u"));
}

/** A copy by hand, which the compiler cannot find, would be missing in the recipe. */
describe("the recipe has every file of the program with", () => {
  const inProgram = (paths: readonly string[]): readonly string[] =>
    sorted(paths.filter((path) => path.startsWith("src/") && isFile(path)));

  test("all verdict codes", () => {
    const { first, found, byHand } = recipeOf("A verdict code");
    const listing = filesWith(["src"], wordsOf(VERDICT_CODES));
    expect(sorted(listing)).toEqual(inProgram([first, ...found, ...byHand]));
  });

  test("nearly all outcomes of a probe", () => {
    const { first, found } = recipeOf("An outcome of a probe");
    const listing = filesWith(["src"], wordsOf(FAILURE_CODES), 2);
    expect(sorted(listing)).toEqual(inProgram([first, ...found]));
  });

  test("all kinds of channels", () => {
    const { first } = recipeOf("A channel");
    expect(filesWith(["src"], wordsOf(Object.keys(CHANNEL_KINDS), ":"))).toEqual([first]);
  });

  test("four pages of the website", () => {
    const { byHand } = recipeOf("A page");
    const pages = ["about", "accuracy", "api", "data"].map(
      (page) => new RegExp(`["'\`/|(]${page}["'\`/|)]`, "u"),
    );
    expect(sorted(filesWith(["src", "deploy"], pages))).toEqual(sorted(byHand));
  });
});
