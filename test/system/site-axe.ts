import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { read } from "./site-visits.ts";

const AXE = readFileSync(
  new URL("../../node_modules/axe-core/axe.min.js", import.meta.url),
  "utf8",
);

/** Success criteria of WCAG 2.2, levels A and AA, and what axe thinks good beyond them. */
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

const SCREENS = [
  { width: 360, height: 640 },
  { width: 1280, height: 800 },
] as const;
const SCHEMES = ["light", "dark"] as const;

/** What axe says of one page on each screen in each scheme. */
export interface Looks {
  readonly objections: readonly string[];
  /** Rules that found something to look at and nothing wrong with it, look by look. */
  readonly passed: readonly number[];
}

/** Lets axe look at the page that is open. Rules that only a human can decide are no objections. */
export async function findObjections(page: Page, path: string): Promise<Looks> {
  const objections: string[] = [];
  const passed: number[] = [];
  await page.evaluate(AXE);
  const options = JSON.stringify({ runOnly: { type: "tag", values: TAGS } });
  for (const screen of SCREENS) {
    await page.setViewportSize(screen);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.evaluate(
        `axe.run(document, ${options}).then((result) => { globalThis.looked = result; })`,
      );
      const found: { readonly violations: readonly string[]; readonly passes: number } = await read(
        page,
        `{
          violations: looked.violations.map(({ id, nodes }) => id + ": " + nodes[0].html.slice(0, 200)),
          passes: looked.passes.length,
        }`,
      );
      const where = `${path} ${colorScheme} ${screen.width}`;
      objections.push(...found.violations.map((violation) => `${where}: ${violation}`));
      passed.push(found.passes);
    }
  }
  return { objections, passed };
}
