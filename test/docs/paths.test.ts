import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { ENV_PREFIX } from "../../src/setup/options/option-row.ts";
import { findUnknown } from "../../src/setup/options/options.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const PAGES = [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => `docs/${file}`),
];

const SPAN = /`((?:src|test|deploy|docs|bench|data|tools)\/[^`\s]+)`/gu;

test.each(PAGES)("every path in backticks of %s exists", (page) => {
  const prose = readFileSync(join(ROOT, page), "utf8").replaceAll(/^```[^]*?^```/gmu, "");
  const paths = [...prose.matchAll(SPAN)].map(([, path = ""]) => path);
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test("every variable that operators read of is one of an option", () => {
  const files = ["deploy", ".github"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name)),
  );
  const texts = [...PAGES.map((page) => join(ROOT, page)), ...files].map((file) =>
    readFileSync(file, "utf8"),
  );
  const named = texts.flatMap(
    (text) => text.match(new RegExp(`${ENV_PREFIX}[A-Z_]*[A-Z]`, "gu")) ?? [],
  );
  expect(new Set(named).size).toBeGreaterThan(20);
  expect(findUnknown(Object.fromEntries(named.map((name) => [name, "x"])))).toEqual([]);
});
