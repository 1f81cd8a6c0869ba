import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import type { Language } from "../../src/site/language.ts";
import { read } from "./site-visitors.ts";

const AXE = readFileSync(
  new URL("../../node_modules/axe-core/axe.min.js", import.meta.url),
  "utf8",
);

/** Success criteria of WCAG 2.2, levels A and AA, and what axe thinks good beyond them. */
const EVERYTHING = {
  type: "tag",
  values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
};
/** Those among them that look at colours. */
const COLORS = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

/** What nobody reads is not worked out: the way to each element, and the elements to which no rule objects. Nor is anything loaded again. */
const QUICKLY = { resultTypes: ["violations"], selectors: false, preload: false };

const SCREENS = {
  narrow: { width: 360, height: 640 },
  wide: { width: 1280, height: 800 },
} as const;

/** What axe says of one page as it is shown. Rules that only a human can decide are no objections. */
export interface Look {
  /** Rule, and the first element that it objects to. */
  readonly violations: readonly string[];
  /** Rules that found something to look at and nothing wrong with it. */
  readonly passed: number;
}

/** Lets axe look at what an expression names: `document`, or a selector as a text in quotes. */
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

/** A dark scheme is other colours and nothing else, as `test/site/style.test.ts` holds, so no other rule has to look again. */
const SCHEMES = {
  light: { runOnly: EVERYTHING, leastPassed: 21 },
  dark: { runOnly: COLORS, leastPassed: 1 },
} as const;

/** On what a page is shown, and how. */
export type Showing = readonly [screen: keyof typeof SCREENS, colorScheme: keyof typeof SCHEMES];

export const ALL_SHOWINGS: readonly Showing[] = [
  ["narrow", "light"],
  ["narrow", "dark"],
  ["wide", "light"],
  ["wide", "dark"],
];

/**
 * Half of them for a page that is there in two languages. Any two of page, language, screen and scheme meet; all four together
 * would look at everything twice.
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

/** What axe has to say against the page that is open, shown in each of these ways. */
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
    // A rule that finds nothing to look at passes nowhere.
    if (passed < leastPassed) objections.push(`${where}: ${passed} rules passed`);
  }
  return objections;
}
