import { readFile } from "node:fs/promises";
import { parseCatalogue } from "../../../src/services/catalogue/parse-catalogue.ts";
import { HOSTILE_FILES } from "./hostile-files.ts";

/**
 * A program that `parse-catalogue.test.ts` starts with a small heap. It prints one JSON line per hostile file: its name, and the
 * results of parsing it as a catalogue and as an overlay.
 */
const valid = await readFile(new URL("valid.yaml", import.meta.url));
const size = Number(process.argv[2]);
for (const [name, make] of Object.entries(HOSTILE_FILES)) {
  const bytes = new TextEncoder().encode(make(size));
  const kinds = [parseCatalogue(bytes).kind, parseCatalogue(valid, bytes).kind];
  process.stdout.write(`${JSON.stringify([name, ...kinds])}\n`);
}
