import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/* Comments and messages name a page, and often a heading in it: docs/website.md, "The address". */

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const FILES = ["src", "test", "bench", "tools", "deploy"].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/\.(?:png|svg|ttf|gz|bin|json)$/u.test(file)),
);

const POINTER = /(?<!\/)(?<page>docs\/[\w/-]+\.md)(?:, "(?<heading>[A-Z\d][^"\n]*?)\.?")?/gu;

/** A page, or a heading or bold words in it, that a file names and that does not exist. */
function deadPointersIn(file: string): readonly string[] {
  const text = readFileSync(file, "utf8").replaceAll(/\n\s*(?:\*|#|\/\/)? ?/gu, " ");
  return [...text.matchAll(POINTER)]
    .filter(({ groups }) => {
      const { page = "", heading } = groups ?? {};
      if (!existsSync(join(ROOT, page))) return true;
      if (heading === undefined) return false;
      const lines = readFileSync(join(ROOT, page), "utf8").split("\n");
      return !lines.some(
        (line) =>
          line.replace(/^#+ /u, "").replaceAll("`", "") === heading ||
          line.includes(`**${heading}`),
      );
    })
    .map(([pointer]) => `${file.slice(ROOT.length)}: ${pointer}`);
}

test("every page and heading that a comment or a message names exists", () => {
  expect(FILES.flatMap(deadPointersIn)).toEqual([]);
});
