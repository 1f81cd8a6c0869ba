import { mkdirSync, readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { renderAbout } from "../../src/site/pages/about.tsx";
import { renderApi } from "../../src/site/pages/api.tsx";
import { renderMissing } from "../../src/site/pages/missing.tsx";
import { ADDRESS, ASSETS, MONITORS, NOW_MS, SPECIMEN } from "../site/specimen.ts";
import { openBrowser } from "./browser.ts";
import { openSiteLab, type SiteLab } from "./site-lab.ts";
import { read } from "./site-visits.ts";

const AXE = readFileSync(
  new URL("../../node_modules/axe-core/axe.min.js", import.meta.url),
  "utf8",
);
/** Where pictures of every page are kept, to be looked at. */
const FOLDER = process.env["SITE_SCREENSHOTS"];
const WIDTHS = [360, 768, 1280] as const;
const SCHEMES = ["light", "dark"] as const;
const PATHS = [
  "/",
  "/en/",
  ...SPECIMEN.services.map(({ slug }) => `/status/${slug}`),
  "/en/status/fail",
  ...MONITORS.map(({ id }) => `/m/${id}`),
  "/en/m/failing",
  "/api",
  "/about",
  "/no-such-page",
];

let lab: SiteLab;
let browser: Browser;

beforeAll(async () => {
  if (FOLDER !== undefined) mkdirSync(FOLDER, { recursive: true });
  browser = await openBrowser();
  lab = await openSiteLab({ nowMs: NOW_MS });
  await lab.publishDocuments(SPECIMEN, NOW_MS);
  await lab.publishPages(SPECIMEN, MONITORS);
  await lab.put("api", renderApi(ADDRESS, "ru", ASSETS));
  await lab.put("about", renderAbout(ADDRESS, "ru", ASSETS));
  await lab.put("404.html", renderMissing(ADDRESS, ASSETS));
});

afterAll(async () => {
  await browser?.close();
  await lab?.close();
});

interface Screen {
  readonly width: number;
  readonly colorScheme?: (typeof SCHEMES)[number];
  readonly javaScriptEnabled?: boolean;
}

/** Shows pages to one visitor. */
async function lookAt(screen: Screen, look: (page: Page) => Promise<void>): Promise<void> {
  const { width, ...options } = screen;
  const viewport = { width, height: 800 };
  const context = await browser.newContext({ viewport, reducedMotion: "reduce", ...options });
  await look(await context.newPage());
  await context.close();
}

const countLabels = `[...document.querySelectorAll("[data-slug]")].filter((row) => row.getClientRects().length > 0)
  .map((row) => row.dataset.slug)`;

describe.each(SCHEMES)("in a %s scheme", (colorScheme) => {
  test("axe objects to nothing on any page", async () => {
    await lookAt({ width: 360, colorScheme }, async (page) => {
      for (const path of PATHS) {
        await page.goto(lab.url + path);
        await page.evaluate(AXE);
        const found = await page.evaluate(`axe.run(document).then(({ violations, passes }) =>
          JSON.stringify({ violations: violations.map(({ id, nodes }) => [id, nodes[0].html]), passed: passes.length }))`);
        const { violations, passed } = JSON.parse(String(found));
        expect(violations, path).toEqual([]);
        expect(passed, path).toBeGreaterThan(20);
      }
    });
  }, 300_000);

  test.each(FOLDER === undefined ? [] : WIDTHS)(
    "pictures are taken at %i pixels",
    async (width) => {
      await lookAt({ width, colorScheme }, async (page) => {
        for (const path of PATHS) {
          await page.goto(lab.url + path);
          const name = path === "/" ? "index" : path.slice(1).replaceAll("/", "-");
          await page.screenshot({
            path: `${FOLDER}/${name}-${width}-${colorScheme}.png`,
            fullPage: true,
          });
        }
      });
    },
    300_000,
  );
});

describe.each([320, ...WIDTHS])("at %i pixels", (width) => {
  test("no page is wider than the screen, nor moves while it loads", async () => {
    await lookAt({ width }, async (page) => {
      for (const path of PATHS) {
        await page.goto(lab.url + path);
        const isWide = `document.documentElement.scrollWidth > innerWidth`;
        expect(await read(page, isWide), path).toBe(false);
        const shift = `new Promise((resolve) => {
          let sum = 0;
          new PerformanceObserver((list) => { for (const { value } of list.getEntries()) sum += value; })
            .observe({ type: "layout-shift", buffered: true });
          setTimeout(() => resolve(sum), 100);
        })`;
        expect(await page.evaluate(shift), path).toBe(0);
      }
    });
  }, 120_000);

  test("whatever can be pressed is 24 pixels high and wide, but for links inside a sentence", async () => {
    await lookAt({ width }, async (page) => {
      for (const path of PATHS) {
        await page.goto(lab.url + path);
        const small = `[...document.querySelectorAll("a, button, input, textarea, summary")]
          .filter((element) => !element.closest(".prose p, .prose li, .prose td, .annotations, .skip, [hidden]") && element.type !== "hidden" && !element.matches(".skip"))
          .map((element) => element.closest("label") ?? element)
          .filter((element) => {
            const { width, height } = element.getBoundingClientRect();
            return width < 24 || height < 24;
          })
          .map(({ outerHTML }) => outerHTML.slice(0, 100))`;
        expect(await read(page, small), path).toEqual([]);
      }
    });
  }, 120_000);
});

describe("filters, without a script", () => {
  const slugsOf = (isWanted: (service: (typeof SPECIMEN.services)[number]) => boolean) =>
    SPECIMEN.services
      .filter(isWanted)
      .map(({ slug }) => slug)
      .toSorted();

  test.each([
    ["all", "all", () => true],
    ["problems", "all", ({ verdict }) => verdict.color === "bad" || verdict.color === "warn"],
    ["ok", "all", ({ verdict }) => verdict.color === "ok"],
    ["none", "all", ({ verdict }) => verdict.color === "none"],
    ["all", "4", ({ category }) => category.id === "games"],
    ["ok", "4", ({ category, verdict }) => category.id === "games" && verdict.color === "ok"],
    ["problems", "0", ({ category, verdict }) => category.id === "banks" && verdict.color !== "ok"],
    ["none", "4", () => false],
  ] satisfies readonly (readonly [string, string, Parameters<typeof slugsOf>[0]])[])(
    "state %s and category %s show what they say, and no heading of nothing",
    async (state, category, isWanted) => {
      await lookAt({ width: 1280, javaScriptEnabled: false }, async (page) => {
        await page.goto(`${lab.url}/`);
        await page.locator(`#state-${state}`).check();
        await page.locator(`#category-${category}`).check();
        const shown: string[] = await read(page, countLabels);
        expect(shown.toSorted()).toEqual(slugsOf(isWanted));
        expect(await page.locator(".nothing").isVisible()).toBe(shown.length === 0);
        const groups = page.locator(".group:visible");
        for (const group of await groups.all()) {
          expect(await group.locator(".row:visible").count()).toBeGreaterThan(0);
        }
        expect(await page.locator("#search").isVisible()).toBe(false);
      });
    },
  );

  test("are worked by the keyboard alone", async () => {
    await lookAt({ width: 1280, javaScriptEnabled: false }, async (page) => {
      await page.goto(`${lab.url}/`);
      await page.locator("#state-all").focus();
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ArrowRight");
      const shown: string[] = await read(page, countLabels);
      expect(shown.toSorted()).toEqual(slugsOf(({ verdict }) => verdict.color === "ok"));
      const outline = `getComputedStyle(document.querySelector("#state-ok + span")).outlineStyle`;
      expect(await read(page, outline)).toBe("solid");
    });
  });
});
