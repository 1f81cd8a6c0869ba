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

/** What a row says of a text, with a placeholder in its place. */
function sayOf(row: OptionRow, text: string): readonly string[] {
  const problems: string[] = [];
  const given = row.isRepeatable || row.kind === "texts" ? [text] : text;
  row.read(given, (problem) => void problems.push(problem));
  return problems.map((problem) => (text.trim() === "" ? problem : problem.replace(text, "TEXT")));
}

test("what each option is, which texts it takes, and what it says of the others", async () => {
  const lines = ALL_ROWS.flatMap((row) => {
    const { usage, help, read: _, ...about } = row;
    const said = TEXTS.map((text) => [text, sayOf(row, text)] as const);
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
