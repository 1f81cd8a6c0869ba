import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { PATIENCE_MS } from "../patience.ts";
import { openBrowser } from "./browser.ts";

/** Counts pending answers of the site and their bodies, for which the script waits. */
const COUNT_PENDING = `
  globalThis.pending = 0;
  const count = (work) => {
    pending += 1;
    const done = () => { pending -= 1; };
    work.then(done, done);
    return work;
  };
  const { fetch } = globalThis;
  globalThis.fetch = (...request) => count(fetch(...request));
  for (const name of ["json", "text"]) {
    const read = Response.prototype[name];
    Response.prototype[name] = function () { return count(read.call(this)); };
  }
`;

/** Waits until a page has processed all answers to its requests, including its own new version. */
export async function settle(page: Page): Promise<void> {
  // Evaluated between two tasks of the page: a further request of a processed answer is already counted.
  await expect.poll(() => page.evaluate("pending"), { interval: 10 }).toBe(0);
}

/** An expression that waits until the page was drawn. */
export const NEXT_FRAME: string = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))`;

/** The value of an expression in a page, transferred as JSON. */
export async function read<T>(page: Page, expression: string): Promise<T> {
  return JSON.parse(String(await page.evaluate(`JSON.stringify(${expression})`)));
}

/** Makes the page think that it is hidden, or visible again. */
export async function hide(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(`{
    Object.defineProperty(document, "hidden", { configurable: true, value: ${isHidden} });
    document.dispatchEvent(new Event("visibilitychange"));
  }`);
}

/** Differences from a normal visitor. */
export interface VisitorOptions extends BrowserContextOptions {
  /** The visitor's clock, which runs, and which `page.clock` can move. */
  readonly nowMs: number;
}

export interface Visitors {
  /** Console messages, errors and dialogs of pages in this test. */
  readonly complaints: readonly string[];
  /** Shows a page to a new visitor, and waits for its first answers. */
  visit(url: string, options: VisitorOptions): Promise<Page>;
}

/** A browser for the tests of a file; visitors are removed after their test. */
export function receiveVisitors(): Visitors {
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
    async visit(url, { nowMs, ...options }) {
      const context = await browser.newContext({
        locale: "ru-RU",
        timezoneId: "Europe/Moscow",
        ...options,
      });
      context.setDefaultTimeout(PATIENCE_MS);
      contexts.push(context);
      const page = await context.newPage();
      page.on("console", (message) => complaints.push(message.text()));
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("dialog", (dialog) => complaints.push(dialog.message()));
      await page.clock.install({ time: nowMs });
      await page.addInitScript(COUNT_PENDING);
      await page.goto(url);
      if (options.javaScriptEnabled !== false) await settle(page);
      return page;
    },
  };
}
