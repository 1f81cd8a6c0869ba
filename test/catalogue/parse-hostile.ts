import { parseCatalogue } from "../../src/catalogue/parse.ts";
import { HOSTILE_FILES } from "./hostile-files.ts";

/** Started by `parse.test.ts` with a small heap: one line of JSON for each hostile file, its name and what the parser said. */
const size = Number(process.argv[2]);
for (const [name, make] of Object.entries(HOSTILE_FILES)) {
  const result = parseCatalogue(new TextEncoder().encode(make(size)));
  process.stdout.write(`${JSON.stringify([name, result.kind])}\n`);
}
