import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parseSettings } from "../../src/setup/options/settings-file.ts";
import {
  EXAMPLE_SETTINGS,
  generatePage,
  generateSettings,
  REFERENCE_PAGES,
} from "../../tools/reference.ts";

const read = (page: string): string =>
  readFileSync(fileURLToPath(new URL(`../../docs/reference/${page}`, import.meta.url)), "utf8");

test.each(REFERENCE_PAGES)("%s is what `npm run reference` writes", (page) => {
  expect(generatePage(page)).toBe(read(page));
});

test("the example of a settings file is what `npm run reference` writes, and valid", () => {
  const text = readFileSync(EXAMPLE_SETTINGS, "utf8");
  expect(generateSettings()).toBe(text);
  // With every key that has a comment sign.
  const whole = text.replaceAll(/^#(?=[a-z]|  )/gmu, "");
  for (const one of [text, whole]) {
    const read = parseSettings("site.yaml", one);
    expect("problem" in read ? read.problem : "").toBe("");
  }
});

test("the details of options are about existing ones", () => {
  const [table = "", details = ""] = read("options.md").split("\n## Details\n");
  const named = [...details.matchAll(/^\| (`.*?) \|/gmu)].flatMap(
    ([, cell = ""]) => cell.match(/[\w-]+/gu) ?? [],
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !table.includes(`| \`${name}`))).toEqual([]);
});
