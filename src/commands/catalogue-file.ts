import { open } from "node:fs/promises";
import { parseCatalogue } from "../catalogue/parse.ts";
import type { Catalogue } from "../model/catalogue.ts";
import { describeReadError } from "./input-files.ts";
import type { Parsed } from "./settings.ts";

/** A byte more than a catalogue may have, so that the parser sees that it is too long. Source: docs/catalogue.md, "Limits". */
const READ_BYTES = 4 * 1024 * 1024 + 1;

/** Reads and checks a catalogue. Of a bad one every problem is told, one a line, as `FILE:LINE:COLUMN: sentence`. */
export async function readCatalogue(file: string): Promise<Parsed<Catalogue>> {
  return checkCatalogueText(file, await readCatalogueText(file));
}

/** The bytes of a catalogue, as far as one may be long, or why there are none. */
export async function readCatalogueText(file: string): Promise<Parsed<Uint8Array>> {
  const bytes = await readStart(file).catch(describeReadError);
  if ("problem" in bytes) return { problem: `catalogue ${file}: ${bytes.problem}` };
  return { value: bytes };
}

/** The catalogue in the bytes, or every problem with them. */
export function checkCatalogueText(file: string, text: Parsed<Uint8Array>): Parsed<Catalogue> {
  if ("problem" in text) return text;
  const parsed = parseCatalogue(text.value);
  if (parsed.kind === "ok") return { value: parsed.catalogue };
  const lines = parsed.problems.map(({ line, column, path, message }) => {
    return `${file}:${line}:${column}: ${path === "" ? "" : `${path}: `}${message}`;
  });
  return { problem: lines.join("\n") };
}

/** The file's beginning: whatever was named by mistake (a disk image, a device), no more of it is taken into memory. */
async function readStart(file: string): Promise<Uint8Array> {
  const handle = await open(file);
  try {
    const chunks: Uint8Array[] = [];
    let total = 0;
    for await (const chunk of handle.createReadStream({ end: READ_BYTES - 1, autoClose: false })) {
      const bytes: Uint8Array = chunk;
      chunks.push(bytes);
      total += bytes.length;
    }
    return Buffer.concat(chunks, total);
  } finally {
    await handle.close();
  }
}
