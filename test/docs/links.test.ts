import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
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

const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");

/** Without code blocks, which can contain text that looks like a link or a heading. */
const proseOf = (text: string): string => text.replaceAll(/^```[^]*?^```/gmu, "");

/** The anchor of a heading on GitHub. */
function anchorOf(heading: string): string {
  const words = heading
    .replaceAll(/[`*]|\]\([^)]*\)|\[/gu, "")
    .trim()
    .toLowerCase();
  return words.replaceAll(/[^\p{L}\p{N}\- _]/gu, "").replaceAll(" ", "-");
}

function anchorsIn(file: string): ReadonlySet<string> {
  const headings = [...proseOf(read(file)).matchAll(/^#{1,6} (.*)$/gmu)];
  return new Set(headings.map(([, heading = ""]) => anchorOf(heading)));
}

test.each(PAGES)("every link of %s leads to an existing file and heading", (page) => {
  const prose = proseOf(read(page)).replaceAll(/`[^`\n]*`/gu, "");
  const links = [...prose.matchAll(/\]\((?!https?:)([^)\s]+)\)/gu)].map(([, link = ""]) => link);
  const dead = links.filter((link) => {
    const [path = "", anchor] = link.split("#");
    const file = path === "" ? page : normalize(join(dirname(page), path));
    if (!existsSync(join(ROOT, file))) return true;
    return anchor !== undefined && file.endsWith(".md") && !anchorsIn(file).has(anchor);
  });
  expect(dead).toEqual([]);
});
