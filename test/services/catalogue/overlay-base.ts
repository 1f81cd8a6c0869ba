import { readFileSync } from "node:fs";
import type { ParseResult } from "../../../src/services/catalogue/parse-catalogue.ts";

/** Three services; the second and third have only the required keys. */
export const BASE = `${readFileSync(new URL("valid.yaml", import.meta.url), "utf8")}  - slug: two
    name: Два
    category: banks
    endpoints: [{ url: "https://two.example/", what: main site }]
  - slug: three
    name: Три
    category: banks
    endpoints: [{ url: "https://three.example/", what: main site }]
`;

/** The problems or warnings of a catalogue with an overlay, as `FILE:LINE:COLUMN PATH: sentence`. */
export function linesOf(result: ParseResult): readonly string[] {
  const problems = result.kind === "ok" ? result.warnings : result.problems;
  return problems.map(({ file, line, column, path, message }) => {
    return `${file}:${line}:${column} ${path === "" ? "" : `${path}: `}${message}`;
  });
}
