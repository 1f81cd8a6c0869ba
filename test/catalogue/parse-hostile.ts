import { readFile } from "node:fs/promises";
import { parseCatalogue } from "../../src/catalogue/parse.ts";
import { HOSTILE_FILES } from "./hostile-files.ts";

/**
 * Started by `parse.test.ts` with a small heap: one line of JSON for each hostile file, its name, what the parser said of it, and what
 * of a good catalogue with it for an overlay.
 */
const valid = await readFile(new URL("valid.yaml", import.meta.url));
const size = Number(process.argv[2]);
for (const [name, make] of Object.entries(HOSTILE_FILES)) {
  const bytes = new TextEncoder().encode(make(size));
  const kinds = [parseCatalogue(bytes).kind, parseCatalogue(valid, bytes).kind];
  process.stdout.write(`${JSON.stringify([name, ...kinds])}\n`);
}
