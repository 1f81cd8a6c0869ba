import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { scriptWords } from "../../src/site/words/script.ts";
import { SPECIMEN } from "../site/specimen.ts";
import { NEXT_FRAME, read } from "./site-visitors.ts";
import { receiveVisits, textOf } from "./site-visits.ts";

const WORDS = scriptWords("ru");
const PHONE = { width: 360, height: 640 };
const DESK = { width: 1280, height: 800 };

const visits = receiveVisits();

/** Where the focus is, and how that shows. */
interface Stop {
  /** Id, class or address: whatever names it. */
  readonly name: string;
  readonly group: string;
  readonly outline: string;
  readonly outlinePx: number;
  /** So many pixels of it are beyond an edge of the screen. */
  readonly outside: number;
  /** Whether something else lies over its middle. */
  readonly isCovered: boolean;
}

/** The mark of a chip is around its text, for the radio button itself is not drawn. */
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
    // In pixels, of which a part may be lost to rounding.
    outside: Math.floor(Math.max(0, -box.top, -box.left, box.bottom - innerHeight, box.right - innerWidth)),
    isCovered: !(focused.closest("label") ?? focused).contains(top),
  };
})()`;

/** Goes on to the next stop; undefined: there is none behind the last one but the browser itself. */
async function tryTab(page: Page): Promise<Stop | undefined> {
  await page.keyboard.press("Tab");
  if (await read(page, `document.activeElement === document.body`)) return undefined;
  // What has the focus is brought into view with the next frame.
  await page.evaluate(NEXT_FRAME);
  return await read(page, READ_STOP);
}

async function tab(page: Page): Promise<Stop> {
  const stop = await tryTab(page);
  if (stop === undefined) throw new Error("the page has no further stop");
  return stop;
}

/** Every stop from the top of the page to its end. */
async function tabThrough(page: Page): Promise<readonly Stop[]> {
  const stops: Stop[] = [];
  while (stops.length < 200) {
    const stop = await tryTab(page);
    if (stop === undefined) return stops;
    stops.push(stop);
  }
  throw new Error("the focus goes round and round");
}

/** Links, buttons and fields that are there to see, a group of radio buttons being one. */
const countStops = `(() => {
  const all = [...document.querySelectorAll("a[href], button, textarea, input:not([type=hidden])")]
    .filter((each) => each.checkVisibility());
  const radios = all.filter(({ type }) => type === "radio");
  return all.length - radios.length + new Set(radios.map(({ name }) => name)).size;
})()`;

const PAGES = ["/", "/en/", "/status/fail", "/en/status/restricted"] as const;

test.each([PHONE, DESK])(
  "every stop shows where the focus is, on a screen of $width pixels",
  async (viewport) => {
    // At once, for most of the time goes by between two frames.
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

test("from the top of the list to a report that is sent, without a mouse", async () => {
  const page = await visits.visit("/", { viewport: PHONE });
  const names: string[] = [];
  let stop = await tab(page);
  for (; stop.name !== "search" && names.length < 20; stop = await tab(page)) names.push(stop.name);
  expect(names).toEqual(["#main", "/", "/", "/api", "/about", "/en/"]);
  const failing = SPECIMEN.services.find(({ slug }) => slug === "fail");
  await page.keyboard.type(failing?.name ?? "");
  expect((await tab(page)).group).toBe("state");
  await page.keyboard.press("ArrowRight");
  expect((await tab(page)).group).toBe("category");
  expect((await tab(page)).name).toBe("/status/fail");
  await page.keyboard.press("Enter");
  await page.waitForURL(`${visits.lab.url}/status/fail`);
  await page.locator("time.checked").first().waitFor();

  for (stop = await tab(page); stop.group !== "symptom";) stop = await tab(page);
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowDown");
  await tab(page);
  expect(await read(page, "document.activeElement.type")).toBe("submit");
  await page.keyboard.press("Enter");
  await expect.poll(() => textOf(page, "#reported")).toBe(WORDS.thanks);
  expect(visits.lab.reports).toMatchObject([{ slug: "fail", symptom: "slow" }]);
});

test("the first stop leads past everything to the main part", async () => {
  const page = await visits.visit("/");
  await tab(page);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  expect(await read(page, `!!document.activeElement.closest("main")`)).toBe(true);
});

describe("motion", () => {
  const countMotions = `document.getAnimations().length`;

  test("there is a little, where something happens right now", async () => {
    const page = await visits.visit("/status/fail", { reducedMotion: "no-preference" });
    expect(await read(page, countMotions)).toBeGreaterThan(0);
  });

  test.each(PAGES)("there is none on %s for those who want none", async (path) => {
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
