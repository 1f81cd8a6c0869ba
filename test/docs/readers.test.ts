import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const DOCS = fileURLToPath(new URL("../../docs/", import.meta.url));

const PAGES = readdirSync(DOCS, { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".md"),
);

test.each(PAGES)("docs/%s says in its first line for whom it is", (page) => {
  const [heading, blank, first] = readFileSync(join(DOCS, page), "utf8").split("\n");
  expect(heading).toMatch(/^# /u);
  expect(blank).toBe("");
  expect(first).toMatch(/^For /u);
});
