import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { generatePage, REFERENCE_PAGES } from "../../tools/reference.ts";

const read = (page: string): string =>
  readFileSync(fileURLToPath(new URL(`../../docs/reference/${page}`, import.meta.url)), "utf8");

test.each(REFERENCE_PAGES)("%s is what `npm run reference` writes", (page) => {
  expect(generatePage(page)).toBe(read(page));
});

test("the details of options are about existing ones", () => {
  const [table = "", details = ""] = read("options.md").split("\n## Details\n");
  const named = [...details.matchAll(/^\| (`--.*?) \|/gmu)].flatMap(
    ([, cell = ""]) => cell.match(/--[a-z-]+/gu) ?? [],
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !table.includes(`| \`${name}`))).toEqual([]);
});
