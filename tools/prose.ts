import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Marked, type MarkedToken, type Tokens } from "marked";
import { parse } from "yaml";
import { LANGUAGES } from "../src/contract/codes/language.ts";

/*
 * `npm run prose`: turns the Markdown of `/about`, `/accuracy`, `/api` and `/data` in `src/site/words/pages` into HTML, so that the program needs no Markdown
 * library. Beyond GitHub's Markdown: `## Title {#id}` begins a section; a paragraph `Table: …` is the caption of the table below it;
 * the words after a fence's language are its label (default: the heading above). `{{name}}` stays for `pages/prose.tsx`, and
 * `{{block:name}}` in a line of its own is no paragraph.
 */

const WORDS = new URL("../src/site/words/pages/", import.meta.url);
export const GENERATED: URL = new URL("prose.generated.json", WORDS);
const PAGES = ["about", "accuracy", "api", "data"];
const CAPTION = "Table: ";
const BLOCK = /^\{\{block:[a-z-]+\}\}$/u;

const marked = new Marked({
  renderer: {
    link({ href, tokens }) {
      const isExternal = href.startsWith("https://");
      if (!isExternal && !/^(?:#|\{\{root\}\}\/)/u.test(href))
        throw new Error(`Link to ${href}: begin it with https://, # or {{root}}/.`);
      const rel = isExternal ? ' rel="noopener noreferrer"' : "";
      return `<a href="${escape(href)}"${rel}>${this.parser.parseInline(tokens)}</a>`;
    },
    html({ text }) {
      throw new Error(`HTML in a page of text: ${text}`);
    },
  },
});

/** The content of `prose.generated.json`. Throws for Markdown that is not as described above. */
export function generateProse(): string {
  const pages = PAGES.map((name) => [name, byLanguage(name)] as const);
  return `${JSON.stringify(Object.fromEntries(pages), undefined, 2)}\n`;
}

function byLanguage(name: string): Readonly<Record<string, Page>> {
  return Object.fromEntries(
    LANGUAGES.map((language) => {
      const file = new URL(`${name}.${language}.md`, WORDS);
      return [language, toPage(readFileSync(file, "utf8"))];
    }),
  );
}

interface Page {
  readonly title: string;
  readonly description: string;
  /** The content below the title, with placeholders. */
  readonly html: string;
}

/** Exported for the test. */
export function toPage(markdown: string): Page {
  const [, front = "", body = ""] = /^---\n(.*?)\n---\n(.*)$/su.exec(markdown) ?? [];
  const description: unknown = parse(front)?.description;
  if (typeof description !== "string") throw new Error("No `description` at the top of the file.");
  // Without an extension of its own, Marked gives no tokens but these.
  const all = marked.lexer(body) as MarkedToken[];
  const [title, ...tokens] = all.filter(({ type }) => type !== "space");
  if (title?.type !== "heading" || title.depth !== 1) throw new Error("No `# Title` on top.");
  return { title: title.text, description, html: toHtml(tokens) };
}

function toHtml(tokens: readonly MarkedToken[]): string {
  let heading = "";
  let sections = 0;
  const parts = tokens.map((token, at) => {
    if (token.type === "table") return toTable(token, tokens[at - 1]);
    if (token.type === "code") return toCode(token, heading);
    if (isCaption(token)) return checkCaption(token, tokens[at + 1]);
    if (BLOCK.test(token.raw.trim())) return `${token.raw.trim()}\n`;
    if (token.type !== "heading") return marked.parser([token]);
    const { depth, text } = token;
    const [, title = text, id] = /^(.+) \{#([a-z-]+)\}$/u.exec(text) ?? [];
    heading = title;
    if (depth === 3) return `<h3>${escape(title)}</h3>\n`;
    if (depth !== 2 || id === undefined) throw new Error(`Not \`## Title {#id}\`: ${token.raw}`);
    sections += 1;
    return `${sections === 1 ? "" : "</section>\n"}<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${escape(title)}</h2>\n`;
  });
  return `${parts.join("")}${sections === 0 ? "" : "</section>"}`;
}

function isCaption(token: MarkedToken | undefined): token is Tokens.Paragraph {
  return token?.type === "paragraph" && token.text.startsWith(CAPTION);
}

/** The table below it shows it. */
function checkCaption({ text }: Tokens.Paragraph, after: MarkedToken | undefined): string {
  if (after?.type !== "table") throw new Error(`No table below: ${text}`);
  return "";
}

/** A table that scrolls by itself on a narrow screen, by keyboard too. The first cell of a row names it. */
function toTable({ header, rows }: Tokens.Table, before: MarkedToken | undefined): string {
  if (!isCaption(before)) throw new Error(`No \`${CAPTION}…\` above: ${header[0]?.text}`);
  const caption = escape(before.text.slice(CAPTION.length));
  const head = header.map((cell) => `<th scope="col">${inline(cell)}</th>`).join("");
  return `<div class="scroll" role="group" aria-label="${caption}" tabindex="0"><table>
<caption>${caption}</caption>
<thead><tr>${head}</tr></thead>
<tbody>
${rows.map(toRow).join("\n")}
</tbody>
</table></div>\n`;
}

function toRow([name, ...cells]: readonly Tokens.TableCell[]): string {
  if (name === undefined || /^\{\{rows:[^}]+\}\}$/u.test(name.text)) return name?.text ?? "";
  const rest = cells.map((cell) => `<td>${inline(cell)}</td>`).join("");
  return `<tr><th scope="row">${inline(name)}</th>${rest}</tr>`;
}

function inline({ tokens }: Tokens.TableCell): string {
  return marked.Parser.parseInline(tokens, marked.defaults);
}

/** Something to copy, as it is. */
function toCode({ lang = "", text }: Tokens.Code, heading: string): string {
  const label = lang.replace(/^\S* ?/u, "") || heading;
  return `<pre role="group" aria-label="${escape(label)}" tabindex="0"><code>${escape(text)}</code></pre>\n`;
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"]/gu, (sign) => `&#${sign.charCodeAt(0)};`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(GENERATED, generateProse());
