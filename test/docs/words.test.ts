import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/* The worst patterns of the words in CONTRIBUTING.md; the rest needs an editor. */

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FOLDERS = ["src", "test", "bench", "tools", "docs"];

const FILES = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(?:ts|tsx|mjs|md)$/u.test(file))
    .map((file) => `${folder}/${file}`),
);

const BANNED = /\b(?:lest|whoever|nobody|somebody|for want of|anew|mend(?:s|ed)?|of chance)\b/iu;
const MAX_WORDS = 100;
const MAX_NAME_LENGTH = 80;

const NAMES = /\b(?:test|describe)(?:\.\w+(?:\([^()]*\))?)*\(\s*"(?<name>[^"]+)"/gu;
const COMMENTS = /^[ \t]*\/\*.*?\*\/|^[ \t]*\/\/.*?$/gmsu;

/** What people read in a file: comments and test names of code, all of a page. Quoted code does not count. */
function readWords(file: string): readonly string[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  const parts = file.endsWith(".md")
    ? text.replaceAll(/^```[^]*?^```/gmu, "").split("\n")
    : [
        ...(text.match(COMMENTS) ?? []),
        ...[...text.matchAll(NAMES)].map(({ groups }) => groups?.["name"] ?? ""),
      ];
  return parts.map((part) => part.replaceAll(/`[^`]*`/gu, ""));
}

test("no comment, page or test name has a banned word", () => {
  const found = FILES.flatMap((file) =>
    readWords(file)
      .filter((words) => BANNED.test(words))
      .map((words) => `${file}: ${words.trim()}`),
  );
  expect(found).toEqual([]);
});

test("a comment has at most a hundred words", () => {
  const long = FILES.filter((file) => !file.endsWith(".md")).flatMap((file) =>
    readWords(file)
      .filter((words) => (words.match(/[^\s*/]\S*/gu) ?? []).length > MAX_WORDS)
      .map((words) => `${file}: ${words.trim().slice(0, MAX_NAME_LENGTH)}`),
  );
  expect(long).toEqual([]);
});

test("a test name has at most 80 characters", () => {
  // In `src`, `describe` gives a schema its description, which may be longer.
  const long = FILES.filter((file) => !file.startsWith("src/")).flatMap((file) =>
    [...readFileSync(join(ROOT, file), "utf8").matchAll(NAMES)]
      .map(({ groups }) => groups?.["name"] ?? "")
      .filter((name) => name.length > MAX_NAME_LENGTH)
      .map((name) => `${file}: ${name}`),
  );
  expect(long).toEqual([]);
});
