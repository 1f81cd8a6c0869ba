import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const DIST = fileURLToPath(new URL("../../dist/", import.meta.url));

/** A file of the build and everything that it imports at once. */
function loadedWith(file: string, loaded = new Map<string, string>()): Map<string, string> {
  if (loaded.has(file)) return loaded;
  const text = readFileSync(file, "utf8");
  loaded.set(file, text);
  for (const [, path = ""] of text.matchAll(/^(?:import|export)\b[^;]*?"(\.[^"]+)";/gmu))
    loadedWith(join(dirname(file), path), loaded);
  return loaded;
}

test("the help of the program loads no zod, which would take a third of its time", () => {
  const cli = join(DIST, "cli.js");
  const [, program = ""] = /import\("(\.\/program\/program-[^"]+)"\)/u.exec(
    readFileSync(cli, "utf8"),
  ) ?? [""];
  const loaded = loadedWith(join(DIST, program), loadedWith(cli));
  expect(loaded.size).toBeGreaterThan(3);
  const withZod = [...loaded].filter(([, text]) => text.includes("$ZodError"));
  expect(withZod.map(([file]) => file)).toEqual([]);
});
