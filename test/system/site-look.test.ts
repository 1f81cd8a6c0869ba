import { mkdirSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { renderAccuracy } from "../../src/site/pages/accuracy.tsx";
import { renderAbout } from "../../src/site/pages/about.tsx";
import { renderApi } from "../../src/site/pages/api.tsx";
import { renderData } from "../../src/site/pages/data.tsx";
import { renderNotFound } from "../../src/site/pages/not-found.tsx";
import type { ServiceView } from "../../src/site/view.ts";
import {
  ADDRESS,
  ASSETS,
  NOW_MS,
  ODD_SERVICES,
  SITE_FIXTURE,
  frameOf,
} from "../site/site-fixture.ts";
import { MONITORS } from "../site/monitor-fixture.ts";
import { openBrowser } from "./browser.ts";
import { openSiteHarness, type SiteHarness } from "./site-harness.ts";
import { ALL_SHOWINGS, findObjections } from "./site-axe.ts";
import { read } from "./site-visitors.ts";
import { awaitScript, beginWalk, type Walk } from "./site-walk.ts";

/** Folder for screenshots of every page. */
const FOLDER = process.env["SITE_SCREENSHOTS"];
const WIDTHS = [360, 768, 1280] as const;
const SCHEMES = ["light", "dark"] as const;
const PATHS = [
  "/",
  "/en/",
  ...SITE_FIXTURE.services.map(({ slug }) => `/status/${slug}`),
  "/en/status/fail",
  ...MONITORS.map(({ id }) => `/m/${id}`),
  "/en/m/failing",
  "/api",
  "/about",
  "/accuracy",
  "/data",
  "/no-such-page",
];

/** Pages that the demo does not have; axe checks all others in `site-pages`. */
const ODD_PATHS = ["/", ...ODD_SERVICES.map(({ slug }) => `/status/${slug}`), "/no-such-page"];

let harness: SiteHarness;
let browser: Browser;
let walk: Walk;

beforeAll(async () => {
  if (FOLDER !== undefined) mkdirSync(FOLDER, { recursive: true });
  browser = await openBrowser();
  harness = await openSiteHarness({ nowMs: NOW_MS });
  walk = beginWalk(browser, harness.url);
  await harness.publishDocuments(SITE_FIXTURE, NOW_MS);
  await harness.publishPages(SITE_FIXTURE, MONITORS);
  await harness.put("api", renderApi(frameOf("ru")));
  await harness.put("accuracy", renderAccuracy(frameOf("ru"), SITE_FIXTURE));
  await harness.put("about", renderAbout(frameOf("ru")));
  await harness.put("data", renderData(frameOf("ru"), SITE_FIXTURE.archive));
  await harness.put("404.html", renderNotFound({ address: ADDRESS, assets: ASSETS }));
});

afterAll(async () => {
  await browser?.close();
  await harness?.close();
});

const screenOf = (width: number) =>
  ({ viewport: { width, height: 800 }, reducedMotion: "reduce" }) as const;

test("axe finds no violation on pages that the demo does not have", async () => {
  const objections = await walk.through(ODD_PATHS, {}, async (page) => {
    await awaitScript(page);
    return await findObjections(page, ALL_SHOWINGS);
  });
  expect(objections).toHaveLength(ODD_PATHS.length);
  expect(objections.flat()).toEqual([]);
});

/** What moved, until two frames after the last change. */
const READ_SHIFTS = `new Promise((resolve) => {
  const moved = [];
  const add = (entries) => {
    for (const { value, sources } of entries) {
      moved.push([value, ...sources.map(({ node, previousRect, currentRect }) => [
        (node?.outerHTML ?? node?.parentElement?.outerHTML)?.slice(0, 60),
        JSON.stringify(previousRect), JSON.stringify(currentRect)].join(" "))].join(" "));
    }
  };
  const observer = new PerformanceObserver((list) => add(list.getEntries()));
  observer.observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => {
    add(observer.takeRecords());
    resolve(moved);
  }));
})`;

/** Controls that are less than this high or wide, except for links in sentences. Source: WCAG 2.2, 2.5.8 and 2.5.5. */
const readSmaller = (
  pixels: number,
): string => `[...document.querySelectorAll("a, button, input, textarea, summary")]
  .filter((element) => element.checkVisibility())
  .filter((element) => !element.closest(".prose p, .prose li, .prose td, .annotations, .skip, [hidden]") && element.type !== "hidden")
  .map((element) => element.closest("label") ?? element)
  .filter((element) => {
    const { width, height } = element.getBoundingClientRect();
    return Math.round(width) < ${pixels} || Math.round(height) < ${pixels};
  })
  .map(({ outerHTML }) => outerHTML.slice(0, 100))`;

test.each([320, 360])("by touch at %i pixels, every control has 44 pixels", async (width) => {
  const touch = { ...screenOf(width), hasTouch: true, isMobile: true };
  const looks = await walk.through(PATHS, touch, async (page, path) => {
    await awaitScript(page);
    return { path, small: await read(page, readSmaller(44)) };
  });
  expect(looks).toEqual(PATHS.map((path) => ({ path, small: [] })));
});

test.each([320, ...WIDTHS])(
  "at %i pixels, every page fits, does not shift, and has large enough controls",
  async (width) => {
    const fine = { isWide: false, shifts: [], small: [] };
    const looks = await walk.through(PATHS, screenOf(width), async (page, path) => {
      await awaitScript(page);
      const isWide = await read(page, `document.documentElement.scrollWidth > innerWidth`);
      const small = await read(page, readSmaller(24));
      return { path, isWide, small, shifts: await page.evaluate(READ_SHIFTS) };
    });
    expect(looks).toEqual(PATHS.map((path) => ({ path, ...fine })));
  },
);

const PIECED = ["/", "/status/fail", "/m/failing", "/about", "/no-such-page"];

test.each([360, 1_280])(
  "nothing moves at %i pixels while pages arrive in pieces",
  async (width) => {
    // So small and slow that most are painted by themselves.
    harness.behaviour.pieces = { bytes: 12, waitMs: 12 };
    const all = await walk.through(PIECED, screenOf(width), async (page, path) => {
      await awaitScript(page);
      return { path, shifts: await page.evaluate(READ_SHIFTS) };
    });
    harness.behaviour.pieces = null;
    expect(all).toEqual(PIECED.map((path) => ({ path, shifts: [] })));
  },
);

const SHOTS = SCHEMES.flatMap((scheme) => WIDTHS.map((width) => [scheme, width] as const));

test.each(FOLDER === undefined ? [] : SHOTS)(
  "screenshots are taken in a %s scheme at %i pixels",
  async (colorScheme, width) => {
    await walk.through(PATHS, { ...screenOf(width), colorScheme }, async (page, path) => {
      const name = path === "/" ? "index" : path.slice(1).replaceAll("/", "-");
      const file = `${FOLDER}/${name}-${width}-${colorScheme}.png`;
      await page.screenshot({ path: file, fullPage: true });
    });
  },
  300_000,
);

describe("filters, without a script", () => {
  type Choice = (service: ServiceView) => boolean;

  const slugsOf = (isWanted: Choice): readonly string[] =>
    SITE_FIXTURE.services
      .filter(isWanted)
      .map(({ slug }) => slug)
      .toSorted();

  const READ_SHOWN = `[...new Set([...document.querySelectorAll("[data-slug]")]
    .filter((row) => row.getClientRects().length > 0).map((row) => row.dataset.slug))].sort()`;

  /** Number of visible services in each visible group. */
  const READ_GROUPS = `[...document.querySelectorAll(".group")].filter((group) => group.checkVisibility())
    .map((group) => [...group.querySelectorAll(".row")].filter((row) => row.checkVisibility()).length)`;

  let page: Page;

  beforeAll(async () => {
    const context = await browser.newContext({ ...screenOf(1280), javaScriptEnabled: false });
    page = await context.newPage();
  });

  beforeEach(() => page.goto(`${harness.url}/`));

  test.each([
    ["all", "all", () => true],
    ["problems", "all", ({ verdict }) => verdict.color === "bad" || verdict.color === "warn"],
    ["ok", "all", ({ verdict }) => verdict.color === "ok"],
    ["none", "all", ({ verdict }) => verdict.color === "none"],
    ["all", "4", ({ category }) => category.id === "games"],
    ["ok", "4", ({ category, verdict }) => category.id === "games" && verdict.color === "ok"],
    ["problems", "0", ({ category, verdict }) => category.id === "banks" && verdict.color !== "ok"],
    ["none", "4", () => false],
  ] satisfies readonly (readonly [string, string, Choice])[])(
    "state %s and category %s show the right services, and no empty group",
    async (state, category, isWanted) => {
      await page.locator(`#state-${state}`).check();
      await page.locator(`#category-${category}`).check();
      const wanted = slugsOf(isWanted);
      expect(await read(page, READ_SHOWN)).toEqual(wanted);
      expect(await page.locator(".no-services").isVisible()).toBe(wanted.length === 0);
      const groups: readonly number[] = await read(page, READ_GROUPS);
      expect(groups.length > 0).toBe(wanted.length > 0);
      expect(groups).not.toContain(0);
      expect(await page.locator("#search").isVisible()).toBe(false);
    },
  );

  test("can be used by keyboard alone", async () => {
    await page.locator("#state-all").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    expect(await read(page, READ_SHOWN)).toEqual(slugsOf(({ verdict }) => verdict.color === "ok"));
    const outline = `getComputedStyle(document.querySelector("#state-ok + span")).outlineStyle`;
    expect(await read(page, outline)).toBe("solid");
  });
});
