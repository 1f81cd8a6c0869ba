import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { KINDS } from "../../src/site/charts/cells.ts";
import { Filters, MOST_CATEGORIES } from "../../src/site/pages/filters.tsx";
import { renderPage } from "../../src/site/html.ts";
import { byName, parsePage } from "./page.ts";
import { CATEGORIES } from "./specimen.ts";

const CSS = readFileSync(new URL("../../assets/site.css", import.meta.url), "utf8");

test("the style sheet has a rule for each choice of a filter but the widest, and for no other", () => {
  const categories = Array.from({ length: MOST_CATEGORIES + 3 }, (_, place) => {
    return { id: `c${place}`, name: `Category ${place}` };
  });
  const page = parsePage(renderPage(Filters({ categories, language: "en" })));
  const choices = byName(page, "input").flatMap(({ attributes }) => {
    return attributes.get("type") === "radio" ? (attributes.get("id") ?? []) : [];
  });
  const known = new Set(
    [...CSS.matchAll(/body:has\(#((?:state|category)-\w+):checked\)/gu)].map(([, id]) => id),
  );
  expect(known).toEqual(new Set(choices.filter((id) => !id.endsWith("-all"))));
  expect(CATEGORIES.length).toBeLessThanOrEqual(MOST_CATEGORIES);
});

test("every kind of cell has a colour", () => {
  const colored = new Set(
    [...CSS.matchAll(/\.([\w-]+)(?=[^{}]*\{[^{}]*\bfill:)/gu)].map(([, name]) => name),
  );
  expect(KINDS.filter((kind) => !colored.has(kind))).toEqual([]);
});

test("a dark scheme has other colours and nothing else, so what else is seen in light is so in the dark", () => {
  const [light, dark, ...others] = CSS.split("@media (prefers-color-scheme: dark) {");
  expect([others, CSS.match(/prefers-color-scheme/gu)?.length]).toEqual([[], 1]);
  const block = /^\s*:root \{([^{}]*)\}\s*\}/u.exec(dark ?? "")?.[1]?.trim() ?? "";
  const lines = block.split(/\n\s*/u);
  expect(lines.length).toBeGreaterThan(10);
  for (const line of lines) {
    const [, name] = /^(--[\w-]+): #[\da-f]{3,6};$/u.exec(line) ?? [];
    expect(light, line).toMatch(new RegExp(`^ +${name}: #[\\da-f]{3,6};$`, "mu"));
  }
});

test("the style sheet asks for nothing from elsewhere", () => {
  const addresses = [...CSS.matchAll(/url\(\s*["']?([^"')]*)/gu)].map(([, address]) => address);
  expect(addresses).toEqual(["favicon.svg"]);
  expect(CSS).not.toContain("@import");
});
