import type { BrowserContextOptions, Page } from "playwright-core";
import { afterEach, beforeEach, expect } from "vitest";
import { MINUTE_MS } from "../../src/model/time.ts";
import type { SiteView } from "../../src/site/view.ts";
import { VERDICT_LABELS } from "../../src/site/words/verdict.ts";
import { monitorOf, NOW_MS, SPECIMEN } from "../site/specimen.ts";
import { openSiteLab, type SiteLab, type SiteLabOptions, withService } from "./site-lab.ts";
import { read, receiveVisitors, settle } from "./site-visitors.ts";

export const UPDATED_MS: number = NOW_MS - 2 * MINUTE_MS;

/** The service `ok` fails, and people say so. */
export const FAILING: SiteView = withService(SPECIMEN, "ok", {
  verdict: { code: "fail", color: "bad", live: true, sinceMs: NOW_MS - 7 * MINUTE_MS },
  reports: { hour: 31, day: 77, isSurging: false },
});

export interface Visits {
  /** The website of the test. */
  readonly lab: SiteLab;
  /** What pages complained about in this test. */
  readonly complaints: readonly string[];
  /** Another website in its place. */
  reopen(options: Partial<SiteLabOptions>): Promise<void>;
  /** Shows a page, after its first look at the API, to a visitor with any clock. */
  visit(path: string, options?: BrowserContextOptions, nowMs?: number): Promise<Page>;
  /** Lets a minute pass for a page, and waits until it has asked and done what the answers say. */
  pass(page: Page, ms?: number): Promise<void>;
}

/** A website with the specimen published and a browser, for the tests of a file: each test has a website of its own. */
export function receiveVisits(): Visits {
  let lab: SiteLab;
  beforeEach(async () => {
    lab = await openSpecimen({});
  });
  // What is said first is done last: a server waits for the connections that visitors keep.
  afterEach(() => lab.close());
  const visitors = receiveVisitors();
  return {
    get lab() {
      return lab;
    },
    complaints: visitors.complaints,
    async reopen(options) {
      await lab.close();
      lab = await openSpecimen(options);
    },
    visit: (path, options = {}, nowMs = NOW_MS) =>
      visitors.visit(lab.url + path, { ...options, nowMs }),
    async pass(page, ms = MINUTE_MS) {
      const before = countLists(lab);
      await page.clock.fastForward(ms);
      await settle(page);
      expect(countLists(lab)).toBeGreaterThan(before);
    },
  };
}

async function openSpecimen(options: Partial<SiteLabOptions>): Promise<SiteLab> {
  const lab = await openSiteLab({ nowMs: NOW_MS, ...options });
  await lab.publishDocuments(SPECIMEN, UPDATED_MS);
  await lab.publishPages(SPECIMEN, [monitorOf()]);
  return lab;
}

function countLists({ requests }: SiteLab): number {
  return requests.filter((request) => request.endsWith("/api/v1/status")).length;
}

export interface ShownService {
  readonly slug: string;
  readonly code: string;
  readonly color: string;
  readonly live: string;
  readonly label: string;
  readonly isMarked: boolean;
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
