import type { BrowserContextOptions, Page } from "playwright-core";
import { afterEach, beforeEach, expect } from "vitest";
import { MINUTE_MS } from "../../src/model/time.ts";
import type { SiteView } from "../../src/site/view.ts";
import { VERDICT_LABELS } from "../../src/contract/codes/verdict-words.ts";
import { NOW_MS, SITE_FIXTURE } from "../site/site-fixture.ts";
import { monitorOf } from "../site/monitor-fixture.ts";
import {
  openSiteHarness,
  type SiteHarness,
  type SiteHarnessOptions,
  withService,
} from "./site-harness.ts";
import { read, receiveVisitors, settle } from "./site-visitors.ts";

export const UPDATED_MS: number = NOW_MS - 2 * MINUTE_MS;

/** The service `ok` fails, and users report it. */
export const FAILING: SiteView = withService(SITE_FIXTURE, "ok", {
  verdict: { code: "fail", color: "bad", live: true, sinceMs: NOW_MS - 7 * MINUTE_MS },
  reports: { hour: 31, day: 77, isSurging: false },
});

export interface Visits {
  /** The website of the test. */
  readonly harness: SiteHarness;
  /** Console messages, errors and dialogs of pages in this test. */
  readonly complaints: readonly string[];
  /** Replaces the website. */
  reopen(options: Partial<SiteHarnessOptions>): Promise<void>;
  /** Shows a page to a visitor with any clock, and waits for its first answers. */
  visit(path: string, options?: BrowserContextOptions, nowMs?: number): Promise<Page>;
  /** Lets a minute pass on a page, and waits for its requests and updates. */
  pass(page: Page, ms?: number): Promise<void>;
}

/** A browser for the tests of a file, and a website with the published fixture for each test. */
export function receiveVisits(): Visits {
  let harness: SiteHarness;
  beforeEach(async () => {
    harness = await openSiteFixture({});
  });
  // Hooks run in reverse order: the server is closed last, because it waits for the connections of visitors.
  afterEach(() => harness.close());
  const visitors = receiveVisitors();
  return {
    get harness() {
      return harness;
    },
    complaints: visitors.complaints,
    async reopen(options) {
      await harness.close();
      harness = await openSiteFixture(options);
    },
    visit: (path, options = {}, nowMs = NOW_MS) =>
      visitors.visit(harness.url + path, { ...options, nowMs }),
    async pass(page, ms = MINUTE_MS) {
      const before = countLists(harness);
      await page.clock.fastForward(ms);
      await settle(page);
      expect(countLists(harness)).toBeGreaterThan(before);
    },
  };
}

async function openSiteFixture(options: Partial<SiteHarnessOptions>): Promise<SiteHarness> {
  const harness = await openSiteHarness({ nowMs: NOW_MS, ...options });
  await harness.publishDocuments(SITE_FIXTURE, UPDATED_MS);
  await harness.publishPages(SITE_FIXTURE, [monitorOf()]);
  return harness;
}

function countLists({ requests }: SiteHarness): number {
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

/** All services on the page, once each if all elements of one agree. */
export const shownOn = (page: Page): Promise<readonly ShownService[]> =>
  read(
    page,
    `[...new Set([...document.querySelectorAll("[data-slug]")].map((element) => JSON.stringify({
      slug: element.dataset.slug,
      code: element.dataset.code,
      color: element.dataset.color,
      live: element.dataset.live,
      label: element.querySelector(".label").textContent,
      isMarked: !element.querySelector(".live").hidden,
    })))].map((text) => JSON.parse(text)).sort((a, b) => a.slug < b.slug ? -1 : 1)`,
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

/** Marks the main part; the mark disappears when that is replaced. */
export const markMain = (page: Page): Promise<unknown> =>
  page.evaluate(`document.querySelector("main").firstElementChild.dataset.mark = "old"`);
export const hasMark = (page: Page): Promise<boolean> =>
  read(page, `!!document.querySelector("[data-mark]")`);
