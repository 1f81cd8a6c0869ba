import { readFile } from "node:fs/promises";
import { parseCatalogue } from "../catalogue/parse.ts";
import type { Catalogue } from "../model/catalogue.ts";
import { describeReadError } from "./input-files.ts";
import type { Parsed } from "./settings.ts";

/** Reads and checks a catalogue. Of a bad one every problem is told, one a line, as `FILE:LINE:COLUMN: sentence`. */
export async function readCatalogue(file: string): Promise<Parsed<Catalogue>> {
  const bytes = await readFile(file).catch(describeReadError);
  if ("problem" in bytes) return { problem: `catalogue ${file}: ${bytes.problem}` };
  const parsed = parseCatalogue(bytes);
  if (parsed.kind === "ok") return { value: parsed.catalogue };
  const lines = parsed.problems.map(({ line, column, path, message }) => {
    return `${file}:${line}:${column}: ${path === "" ? "" : `${path}: `}${message}`;
  });
  return { problem: lines.join("\n") };
}
