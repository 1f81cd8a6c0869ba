import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { MINUTE_MS } from "../../src/model/time.ts";
import type { SiteView } from "../../src/site/view.ts";
import { VERDICT_LABELS } from "../../src/site/words/verdict.ts";
import { monitorOf, NOW_MS, SPECIMEN } from "../site/specimen.ts";
import { openBrowser } from "./browser.ts";
import { openSiteLab, type SiteLab, type SiteLabOptions, withService } from "./site-lab.ts";

export const UPDATED_MS: number = NOW_MS - 2 * MINUTE_MS;

/** The service `ok` fails, and people say so. */
export const FAILING: SiteView = withService(SPECIMEN, "ok", {
  verdict: { code: "fail", color: "bad", live: true, sinceMs: NOW_MS - 7 * MINUTE_MS },
  reports: { hour: 31, day: 77, isSurging: false },
});

/** A website with the specimen published, which closes after the test. */
export async function openSpecimen(options: Partial<SiteLabOptions> = {}): Promise<SiteLab> {
  const lab = await openSiteLab({ nowMs: NOW_MS, ...options });
  await lab.publishDocuments(SPECIMEN, UPDATED_MS);
  await lab.publishPages(SPECIMEN, [monitorOf()]);
  return lab;
}

export interface Visits {
  /** What pages complained about in this test. */
  readonly complaints: readonly string[];
  /** Shows a page, after its first look at the API, to a visitor with any clock. */
  visit(lab: SiteLab, path: string, options?: BrowserContextOptions, nowMs?: number): Promise<Page>;
}

/** A browser for the tests of a file; each visitor is a new one, and gone after the test. */
export function receiveVisits(): Visits {
  const contexts: BrowserContext[] = [];
  const complaints: string[] = [];
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map(async (context) => await context.close()));
    complaints.length = 0;
  });
  return {
    complaints,
    async visit(lab, path, options = {}, nowMs = NOW_MS) {
      const context = await browser.newContext({ locale: "ru-RU", ...options });
      contexts.push(context);
      const page = await context.newPage();
      page.on("console", (message) => complaints.push(message.text()));
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("dialog", (dialog) => complaints.push(dialog.message()));
      await page.clock.install({ time: nowMs });
      await page.goto(lab.url + path);
      const isSilent = options.javaScriptEnabled === false || lab.behaviour.bodies.size > 0;
      if (!isSilent) await page.locator("time.checked").first().waitFor();
      return page;
    },
  };
}

/** Lets a minute pass for the page, and waits until it has asked. */
export async function pass(lab: SiteLab, page: Page, ms: number = MINUTE_MS): Promise<void> {
  const countLists = (): number =>
    lab.requests.filter((request) => request.endsWith("/api/v1/status")).length;
  const before = countLists();
  await page.clock.fastForward(ms);
  await expect.poll(countLists).toBeGreaterThan(before);
  // What is asked for has to arrive, and perhaps a new version of the page after it.
  for (let asked = -1; asked < lab.requests.length;) {
    asked = lab.requests.length;
    await page.waitForTimeout(300);
  }
}

export interface ShownService {
  readonly slug: string;
  readonly code: string;
  readonly color: string;
  readonly live: string;
  readonly label: string;
  readonly isMarked: boolean;
}

export async function read<T>(page: Page, expression: string): Promise<T> {
  return JSON.parse(String(await page.evaluate(`JSON.stringify(${expression})`)));
}

/** Every service that the page shows, with what it says of it. */
export const shownOn = (page: Page): Promise<readonly ShownService[]> =>
  read(
    page,
    `[...document.querySelectorAll("[data-slug]")].map((element) => ({
      slug: element.dataset.slug,
      code: element.dataset.code,
      color: element.dataset.color,
      live: element.dataset.live,
      label: element.querySelector(".label").textContent,
      isMarked: !element.querySelector(".live").hidden,
    })).sort((a, b) => a.slug < b.slug ? -1 : 1)`,
  );

export const expectedOf = ({ services }: SiteView): readonly ShownService[] =>
  services
    .map(({ slug, verdict: { code, color, live } }) => ({
      slug,
      code,
      color,
      live: String(live),
      label: VERDICT_LABELS.ru[code],
      isMarked: live,
    }))
    .toSorted((a, b) => (a.slug < b.slug ? -1 : 1));

export const only = (view: SiteView, slug: string): SiteView => ({
  ...view,
  services: view.services.filter((service) => service.slug === slug),
});

export const textOf = async (page: Page, selector: string): Promise<string> =>
  (await page.locator(selector).first().textContent()) ?? "";

/** Puts a mark on the main part, which goes when that is replaced. */
export const markMain = (page: Page): Promise<unknown> =>
  page.evaluate(`document.querySelector("main").firstElementChild.dataset.mark = "old"`);
export const hasMark = (page: Page): Promise<boolean> =>
  read(page, `!!document.querySelector("[data-mark]")`);
