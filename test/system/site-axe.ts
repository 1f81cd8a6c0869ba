import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import type { Language } from "../../src/contract/codes/language.ts";
import { read } from "./site-visitors.ts";

const AXE = readFileSync(
  new URL("../../node_modules/axe-core/axe.min.js", import.meta.url),
  "utf8",
);

/** Success criteria of WCAG 2.2, levels A and AA, and axe's best practices. */
const EVERYTHING = {
  type: "tag",
  values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
};
/** The rules about colours. */
const COLORS = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

/** Omits unused results (selectors of elements, elements without violations), and does not load anything again. */
const QUICKLY = { resultTypes: ["violations"], selectors: false, preload: false };

const SCREENS = {
  narrow: { width: 360, height: 640 },
  wide: { width: 1280, height: 800 },
} as const;

/** The findings of axe on one page. Rules that need a human decision are not violations. */
export interface Look {
  /** Each rule with the first element that violates it. */
  readonly violations: readonly string[];
  /** Number of rules that applied to an element and found no violation. */
  readonly passed: number;
}

/** Runs axe on an expression: `document`, or a selector in quotes. */
export async function runAxe(
  page: Page,
  context: string,
  runOnly: object = EVERYTHING,
): Promise<Look> {
  const options = { ...QUICKLY, runOnly };
  if ((await page.evaluate("typeof axe")) === "undefined") await page.evaluate(AXE);
  await page.evaluate(
    `axe.run(${context}, ${JSON.stringify(options)}).then((result) => { globalThis.looked = result; })`,
  );
  return await read(
    page,
    `{
      violations: looked.violations.map(({ id, nodes }) => id + ": " + nodes[0].html.slice(0, 200)),
      passed: looked.passes.length,
    }`,
  );
}

/** Dark schemes differ only in colours (tested in `test/site/style.test.ts`), so only colour rules run again. */
const SCHEMES = {
  light: { runOnly: EVERYTHING, leastPassed: 21 },
  dark: { runOnly: COLORS, leastPassed: 1 },
} as const;

/** Screen and colour scheme of a page. */
export type Showing = readonly [screen: keyof typeof SCREENS, colorScheme: keyof typeof SCHEMES];

export const ALL_SHOWINGS: readonly Showing[] = [
  ["narrow", "light"],
  ["narrow", "dark"],
  ["wide", "light"],
  ["wide", "dark"],
];

/**
 * Half of them for a page in two languages: every pair of page, language, screen and scheme occurs. All combinations would check
 * everything twice.
 */
export const SHOWINGS_IN: Readonly<Record<Language, readonly Showing[]>> = {
  ru: [
    ["narrow", "light"],
    ["wide", "dark"],
  ],
  en: [
    ["wide", "light"],
    ["narrow", "dark"],
  ],
};

/** The violations on the open page, for each screen and scheme. */
export async function findObjections(
  page: Page,
  showings: readonly Showing[],
): Promise<readonly string[]> {
  const objections: string[] = [];
  for (const [screen, colorScheme] of showings) {
    await page.setViewportSize(SCREENS[screen]);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const { runOnly, leastPassed } = SCHEMES[colorScheme];
    const { violations, passed } = await runAxe(page, "document", runOnly);
    const where = `${page.url()} ${colorScheme} ${screen}`;
    objections.push(...violations.map((violation) => `${where}: ${violation}`));
    // A rule that applies to no element does not pass.
    if (passed < leastPassed) objections.push(`${where}: ${passed} rules passed`);
  }
  return objections;
}
