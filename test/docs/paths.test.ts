import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

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
