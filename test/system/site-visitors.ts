import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { PATIENCE_MS } from "../patience.ts";
import { openBrowser } from "./browser.ts";

/** Counts what a script of ours waits for: answers of the site, and their bodies. */
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

/** Waits until a page has done all that it can with the answers it asked for; a new version of itself is one of them. */
export async function settle(page: Page): Promise<void> {
  // Between two tasks of the page: whatever follows from an answer has followed, or is counted again.
  await expect.poll(() => page.evaluate("pending"), { interval: 10 }).toBe(0);
}

/** An expression that waits until the page has been drawn. */
export const NEXT_FRAME: string = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))`;

/** What an expression is in a page, by way of JSON. */
export async function read<T>(page: Page, expression: string): Promise<T> {
  return JSON.parse(String(await page.evaluate(`JSON.stringify(${expression})`)));
}

/** Lets the page believe that nobody sees it, or that somebody does again. */
export async function hide(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(`{
    Object.defineProperty(document, "hidden", { configurable: true, value: ${isHidden} });
    document.dispatchEvent(new Event("visibilitychange"));
  }`);
}

/** How a visitor differs from the usual one. */
export interface VisitorOptions extends BrowserContextOptions {
  /** The visitor's clock. It goes on by itself, and by `page.clock`. */
  readonly nowMs: number;
}

export interface Visitors {
  /** What pages complained about in this test. */
  readonly complaints: readonly string[];
  /** Shows a page to a new visitor, with the first answers that its script gets. */
  visit(url: string, options: VisitorOptions): Promise<Page>;
}

/** A browser for the tests of a file; visitors are gone after their test. */
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
      const context = await browser.newContext({ locale: "ru-RU", ...options });
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
