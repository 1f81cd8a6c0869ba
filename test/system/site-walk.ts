import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { PATIENCE_MS } from "../patience.ts";

/** Visits many pages of a website, and records everything that they report. */
export interface Walk {
  readonly complaints: readonly string[];
  /** Opens pages, some concurrently, and calls `look` on each. The results are in the order of the paths. */
  through<T>(
    paths: readonly string[],
    options: BrowserContextOptions,
    look: (page: Page, path: string) => Promise<T>,
  ): Promise<readonly T[]>;
}

/** Pages that are loaded at the same time. */
const AT_ONCE = 3;

/** @param url address of the website, without a final slash. */
export function beginWalk(browser: Browser, url: string): Walk {
  const complaints: string[] = [];
  return {
    complaints,
    async through(paths, options, look) {
      const context = await browser.newContext({
        locale: "ru-RU",
        timezoneId: "Europe/Moscow",
        ...options,
      });
      context.setDefaultTimeout(PATIENCE_MS);
      const left = [...paths.entries()];
      const results: { readonly at: number; readonly value: Awaited<ReturnType<typeof look>> }[] =
        [];
      const walk = async (): Promise<void> => {
        const page = await context.newPage();
        listen(page, complaints);
        for (let next = left.shift(); next !== undefined; next = left.shift()) {
          const [at, path] = next;
          await page.goto(url + path);
          results.push({ at, value: await look(page, path) });
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, walk));
      await context.close();
      return results.toSorted((a, b) => a.at - b.at).map(({ value }) => value);
    },
  };
}

function listen(page: Page, complaints: string[]): void {
  const complain = (text: string): void => void complaints.push(`${page.url()}: ${text}`);
  page.on("console", (message) => complain(message.text()));
  page.on("pageerror", (error) => complain(error.message));
  page.on("dialog", (dialog) => complain(dialog.message()));
  page.on("requestfailed", (request) => {
    // Requests that the next navigation aborts are not faults.
    const { errorText = "" } = request.failure() ?? {};
    if (errorText !== "net::ERR_ABORTED") complain(`${request.url()} ${errorText}`);
  });
}

/** Waits for the first answers of the API, if the page has a script that requests them. */
export async function awaitScript(page: Page): Promise<void> {
  const isAsking = await page.evaluate(`document.body.dataset.page !== "static"`);
  if (isAsking === true) await page.locator("body.fresh, body.stale").waitFor();
}
