import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { KINDS } from "../../src/site/charts/strip.tsx";
import { Filters, MAX_CATEGORIES } from "../../src/site/pages/parts/list.tsx";
import { renderPage } from "../../src/site/html.ts";
import { byName, parsePage } from "./page.ts";
import { CATEGORIES, frameOf, SITE_FIXTURE } from "./site-fixture.ts";

const CSS = readFileSync(new URL("../../data/assets/site.css", import.meta.url), "utf8");

test("the style sheet has exactly one rule for each filter choice except “all”", () => {
  const categories = Array.from({ length: MAX_CATEGORIES + 3 }, (_, place) => {
    return { id: `c${place}`, name: `Category ${place}` };
  });
  const page = parsePage(
    renderPage(Filters({ ...frameOf("en"), view: { ...SITE_FIXTURE, categories } })),
  );
  const choices = byName(page, "input").flatMap(({ attributes }) => {
    return attributes.get("type") === "radio" ? (attributes.get("id") ?? []) : [];
  });
  const known = new Set(
    [...CSS.matchAll(/body:has\(#((?:state|category)-\w+):checked\)/gu)].map(([, id]) => id),
  );
  expect(known).toEqual(new Set(choices.filter((id) => !id.endsWith("-all"))));
  expect(CATEGORIES.length).toBeLessThanOrEqual(MAX_CATEGORIES);
});

test("every kind of cell has a colour", () => {
  const colored = new Set(
    [...CSS.matchAll(/\.([\w-]+)(?=[^{}]*\{[^{}]*\bfill:)/gu)].map(([, name]) => name),
  );
  expect(KINDS.filter((kind) => !colored.has(kind))).toEqual([]);
});

test("the dark scheme only changes colours", () => {
  const [light, dark, ...others] = CSS.split("@media screen and (prefers-color-scheme: dark) {");
  expect([others, CSS.match(/prefers-color-scheme/gu)?.length]).toEqual([[], 1]);
  const block = /^\s*:root \{([^{}]*)\}\s*\}/u.exec(dark ?? "")?.[1]?.trim() ?? "";
  const lines = block.split(/\n\s*/u);
  expect(lines.length).toBeGreaterThan(10);
  for (const line of lines) {
    const [, name] = /^(--[\w-]+): #[\da-f]{3,6};$/u.exec(line) ?? [];
    expect(light, line).toMatch(new RegExp(`^ +${name}: #[\\da-f]{3,6};$`, "mu"));
  }
});

test("the style sheet loads nothing from elsewhere", () => {
  const addresses = [...CSS.matchAll(/url\(\s*["']?([^"')]*)/gu)].map(([, address]) => address);
  expect(addresses).toEqual(["favicon.svg"]);
  expect(CSS).not.toContain("@import");
});
