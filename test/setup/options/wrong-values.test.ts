import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { PROGRAM_FOLDER } from "../../../src/model/program-folder.ts";
import type { OptionRow } from "../../../src/setup/options/option-row.ts";
import { ALL_ROWS } from "../../../src/setup/options/options.ts";

/** Most options refuse most of these. */
const TEXTS = [
  "",
  " ",
  "x",
  "A_b",
  "é",
  "-1",
  "0",
  "1.5",
  "70000",
  "99999999999",
  "a b",
  "1,,2",
  "host:0",
  "http://",
  "https://a.example/?q",
  "ftp://a.example",
  "s3://",
  "@",
  "2026-13-01",
  "a".repeat(300),
];

/** What a row says of a text. */
function sayOf(row: OptionRow, text: string): readonly string[] {
  const problems: string[] = [];
  const given = row.isRepeatable || row.kind === "texts" ? [text] : text;
  row.read(given, (problem) => void problems.push(problem));
  return problems;
}

test("what each option is, which texts it takes, and what it says of the others", async () => {
  const lines = ALL_ROWS.flatMap((row) => {
    const { usage, help, read: _, ...about } = row;
    const sayWithout = (text: string) =>
      sayOf(row, text).map((one) => (text.trim() === "" ? one : one.replace(text, "TEXT")));
    const said = TEXTS.map((text) => [text, sayWithout(text)] as const);
    const taken = said.filter(([, problems]) => problems.length === 0).map(([text]) => text);
    return [
      `${usage}: ${help}`,
      `  ${JSON.stringify(about)}`,
      `  takes ${JSON.stringify(taken)}`,
      ...new Set(said.flatMap(([, problems]) => problems.map((one) => `  ${one}`))),
      "",
    ];
  });
  const text = lines.join("\n").replaceAll(fileURLToPath(PROGRAM_FOLDER), "/");
  await expect(text).toMatchFileSnapshot("golden/options.txt");
});

test.each([
  "https://user:HUN/TER@a.example/",
  "tls://user:HUNTER@a.example:4222",
  "s3://user:HUN/TER@bucket/x",
  "s3://bucket?endpoint=http://user:HUN/TER@a.example",
  "s3://bucket?endpoint=http%3A%2F%2Fuser%3AHUNTER%40a.example",
])("no option repeats the password of %s", (text) => {
  const problems = ALL_ROWS.flatMap((row) => sayOf(row, text));
  expect(problems.length).toBeGreaterThan(20);
  expect(problems.filter((one) => /HUN|TER/u.test(one))).toEqual([]);
});
