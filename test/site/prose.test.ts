import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { renderPage } from "../../src/site/html.ts";
import { fillPlaceholders } from "../../src/site/pages/parts/prose.tsx";
import PROSE from "../../src/site/words/pages/prose.generated.json" with { type: "json" };
import { GENERATED, generateProse, toPage } from "../../tools/prose.ts";

const FRONT = "---\ndescription: About.\n---\n\n";
const htmlOf = (body: string): string => toPage(`${FRONT}# Title\n\n${body}`).html;

test("the generated pages are those of the Markdown (if not: npm run prose)", () => {
  expect(readFileSync(GENERATED, "utf8")).toBe(generateProse());
});

test.each(Object.entries(PROSE))("%s has the same placeholders in both languages", (_, page) => {
  const [ru, en] = [page.ru, page.en].map(({ html }) => html.match(/\{\{[^}]*\}\}/gu)?.toSorted());
  expect(en).toEqual(ru);
});

test("a placeholder becomes its escaped value; one without a value throws", () => {
  const fill = (html: string): string => renderPage(fillPlaceholders(html, { a: `<"&` }));
  expect(fill(`<p title="{{a}}">{{a}}&amp;</p>`)).toBe(
    `<!doctype html><p title="&lt;&quot;&amp;">&lt;&quot;&amp;&amp;</p>`,
  );
  const error = new Error("Unknown placeholder {{b}} in a page.");
  expect(() => fill("{{b}}")).toThrow(error);
});

test("sections have ids, tables have captions, and code has a label", () => {
  const html = htmlOf(
    "## One & two {#one}\n\nTable: A\n\n| B |\n| --- |\n| c |\n| {{rows:d}} |\n\n```sh\n<e>\n```\n\n```sh F g\n```",
  );
  expect(html).toContain(`<section id="one" aria-labelledby="one-title">\n<h2 id="one-title">`);
  expect(html).toContain(`<caption>A</caption>`);
  expect(html).toContain(`<tr><th scope="row">c</th></tr>\n{{rows:d}}\n</tbody>`);
  expect(html).toContain(`aria-label="One &#38; two" tabindex="0"><code>&#60;e&#62;</code></pre>`);
  expect(html).toMatch(/aria-label="F g" .*\n<\/section>$/u);
});

test.each([
  ["a section without an id", "## One", "## Title {#id}"],
  ["a table without a caption", "| B |\n| --- |", "No `Table: …` above: B"],
  ["a caption without a table", "Table: A", "No table below: Table: A"],
  ["a link whose kind is unclear", "[a](/api)", "Link to /api"],
  ["HTML", "<b>a</b>", "HTML in a page of text: <b>"],
])("Markdown with %s is refused", (_, body, message) => {
  expect(() => htmlOf(body)).toThrow(message);
});

test("a page needs a description and a title", () => {
  expect(() => toPage("# Title")).toThrow("No `description`");
  expect(() => toPage(`${FRONT}Text`)).toThrow("No `# Title`");
});
