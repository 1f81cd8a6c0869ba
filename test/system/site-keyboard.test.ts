import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { scriptWords } from "../../src/site/words/pages/script.ts";
import { SITE_FIXTURE } from "../site/site-fixture.ts";
import { NEXT_FRAME, read } from "./site-visitors.ts";
import { receiveVisits, textOf } from "./site-visits.ts";

const WORDS = scriptWords("ru");
const PHONE = { width: 360, height: 640 };
const DESK = { width: 1280, height: 800 };

const visits = receiveVisits();

/** The focused element, and how the focus is shown. */
interface Stop {
  /** Id, address or class. */
  readonly name: string;
  readonly group: string;
  readonly outline: string;
  readonly outlinePx: number;
  /** Pixels of it beyond an edge of the screen. */
  readonly outside: number;
  /** Whether another element covers its middle. */
  readonly isCovered: boolean;
}

/** The outline of a chip is around its text, because its radio button is not drawn. */
const READ_STOP = `(() => {
  const focused = document.activeElement;
  const shown = focused.matches(".chip input") ? focused.nextElementSibling : focused;
  const { outlineStyle, outlineWidth } = getComputedStyle(shown);
  const box = shown.getClientRects()[0];
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  const top = document.elementFromPoint(x, y);
  return {
    name: focused.id || focused.getAttribute("href") || focused.className || focused.localName,
    group: focused.getAttribute("name") ?? "",
    outline: outlineStyle,
    outlinePx: parseFloat(outlineWidth),
    // Rounded down, because positions are fractions of pixels.
    outside: Math.floor(Math.max(0, -box.top, -box.left, box.bottom - innerHeight, box.right - innerWidth)),
    isCovered: !(focused.closest("label") ?? focused).contains(top),
  };
})()`;

/** Moves to the next stop; undefined after the last one, where the browser itself has the focus. */
async function tryTab(page: Page): Promise<Stop | undefined> {
  await page.keyboard.press("Tab");
  if (await read(page, `document.activeElement === document.body`)) return undefined;
  // The focused element is scrolled into view with the next frame.
  await page.evaluate(NEXT_FRAME);
  return await read(page, READ_STOP);
}

async function tab(page: Page): Promise<Stop> {
  const stop = await tryTab(page);
  if (stop === undefined) throw new Error("the page has no further stop");
  return stop;
}

/** All stops of the page, from the top. */
async function tabThrough(page: Page): Promise<readonly Stop[]> {
  const stops: Stop[] = [];
  while (stops.length < 200) {
    const stop = await tryTab(page);
    if (stop === undefined) return stops;
    stops.push(stop);
  }
  throw new Error("the focus goes round and round");
}

/** Counts visible links, buttons and fields; a group of radio buttons is one. */
const countStops = `(() => {
  const all = [...document.querySelectorAll("a[href], button, summary, textarea, input:not([type=hidden])")]
    .filter((each) => each.checkVisibility());
  const radios = all.filter(({ type }) => type === "radio");
  return all.length - radios.length + new Set(radios.map(({ name }) => name)).size;
})()`;

const PAGES = ["/", "/en/", "/status/fail", "/en/status/restricted"] as const;

test.each([PHONE, DESK])(
  "every stop shows the focus, on a screen of $width pixels",
  async (viewport) => {
    // Concurrent, because most of the time passes between frames.
    const walks = PAGES.map(async (path) => {
      const page = await visits.visit(path, { viewport, reducedMotion: "reduce" });
      return {
        path,
        stops: await tabThrough(page),
        count: await read<number>(page, countStops),
      };
    });
    for (const { path, stops, count } of await Promise.all(walks)) {
      expect([path, stops.length]).toEqual([path, count]);
      for (const stop of stops) {
        expect(stop, path).toMatchObject({ outline: "solid", outside: 0, isCovered: false });
        expect(stop.outlinePx, `${path} ${stop.name}`).toBeGreaterThanOrEqual(2);
      }
      expect(stops[0]?.name).toBe("#main");
    }
    expect(visits.complaints).toEqual([]);
  },
);

test("a report can be sent from the top of the list by keyboard alone", async () => {
  const page = await visits.visit("/", { viewport: PHONE });
  const names: string[] = [];
  let stop = await tab(page);
  for (; stop.name !== "search" && names.length < 20; stop = await tab(page)) names.push(stop.name);
  expect(names).toEqual(["#main", "/", "/", "/api", "/about", "/en/"]);
  const failing = SITE_FIXTURE.services.find(({ slug }) => slug === "fail");
  await page.keyboard.type(failing?.name ?? "");
  // Hits are directly below the field.
  expect((await tab(page)).name).toBe("/status/fail");
  await page.keyboard.press("Enter");
  await page.waitForURL(`${visits.harness.url}/status/fail`);
  await page.locator("body.fresh, body.stale").waitFor();

  for (stop = await tab(page); stop.group !== "symptom";) stop = await tab(page);
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Shift+Tab");
  expect(await read(page, "document.activeElement.type")).toBe("submit");
  await page.keyboard.press("Enter");
  await expect.poll(() => textOf(page, "#reported")).toBe(WORDS.thanks);
  expect(visits.harness.reports).toMatchObject([{ slug: "fail", symptom: "slow" }]);
});

test("the first stop leads to the main part", async () => {
  const page = await visits.visit("/");
  await tab(page);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  expect(await read(page, `!!document.activeElement.closest("main")`)).toBe(true);
});

describe("motion", () => {
  const countMotions = `document.getAnimations().length`;

  test("exists on a service with a live problem", async () => {
    const page = await visits.visit("/status/fail", { reducedMotion: "no-preference" });
    expect(await read(page, countMotions)).toBeGreaterThan(0);
  });

  test.each(PAGES)("does not exist on %s if the visitor prefers reduced motion", async (path) => {
    const page = await visits.visit(path, { reducedMotion: "reduce" });
    expect(await read(page, countMotions)).toBe(0);
    await page.locator("main a").first().hover();
    await page.keyboard.press("Tab");
    expect(await read(page, countMotions)).toBe(0);
    expect(await read(page, `getComputedStyle(document.documentElement).scrollBehavior`)).toBe(
      "auto",
    );
  });
});
