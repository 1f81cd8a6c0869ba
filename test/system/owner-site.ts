import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { servedAt, startCli, until } from "../cli/cli.ts";
import { openBrowser } from "./browser.ts";
import { runAxe } from "./site-axe.ts";
import { read } from "./site-visitors.ts";

export const PHONE = { width: 360, height: 800 };

/** A message that the site of an owner has received. */
export interface ReceivedPost {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** What a browser has sent, and what its pages complained of. */
export interface Visit {
  readonly page: Page;
  readonly sent: string[];
  readonly complaints: string[];
}

/** Our website with self-service, a site of an owner, and a browser. */
export interface OwnerSite {
  readonly url: string;
  /** Of the stores. */
  readonly folder: string;
  /** What the guard needs to let the owner's site through. */
  readonly guard: readonly string[];
  readonly shopUrl: string;
  /** Pages of the owner's site, by path. */
  readonly files: Map<string, string>;
  /** Requests with a body that the owner's site has taken. */
  readonly received: readonly ReceivedPost[];
  readonly browser: Browser;
  readonly visit: (
    path: string,
    language?: string,
    prepare?: (page: Page) => Promise<void>,
  ) => Promise<Visit>;
  /** Types an address, and presses Enter: no mouse. */
  readonly add: (page: Page) => Promise<void>;
  readonly putFile: (page: Page) => Promise<void>;
  /** Adds a site and proves it by its file. Returns the manage link. */
  readonly own: (page: Page) => Promise<string>;
  readonly close: () => Promise<void>;
}

/** @param options of `serve`, in addition. */
export async function startOwnerSite(options: readonly string[] = []): Promise<OwnerSite> {
  const folder = mkdtempSync(join(tmpdir(), "status-snapshot-owners-"));
  const shop = await startShop();
  const browser = await openBrowser();
  const guard = ["--allow-private", "127.0.0.1/32", "--allow-port", String(shop.port)];
  const stores = ["--store", "file:public", "--state", "file:.state"];
  const serving = startCli(
    ["serve", ...stores, ...guard, "--set", "selfService=on", "--port", "0", ...options],
    { cwd: folder, timeoutMs: 280_000 },
  );
  const url = await servedAt(serving);
  // The first request publishes the website.
  await fetch(`${url}/monitors`, { method: "POST" });
  await until(
    "the page is published",
    async () => (await fetch(`${url}/monitor/new`)).status === 200,
  );
  const shopUrl = `http://127.0.0.1:${shop.port}/`;
  const add = (page: Page): Promise<void> => addSite(page, shopUrl);
  const putFile = async (page: Page): Promise<void> => {
    const where = await textOf(page, "#file-where");
    shop.files.set(new URL(where).pathname, await textOf(page, "#file-what"));
  };
  return {
    url,
    folder,
    guard,
    shopUrl,
    files: shop.files,
    received: shop.received,
    browser,
    visit: (path, language = "ru", prepare) => visitPage(browser, url + path, language, prepare),
    add,
    putFile,
    own: async (page) => {
      await add(page);
      await putFile(page);
      await page.locator("#check").press("Enter");
      await page.locator("#done:not([hidden])").waitFor();
      return (await page.locator("#to-manage").getAttribute("href")) ?? "";
    },
    close: async () => {
      await browser.close();
      serving.child.kill("SIGINT");
      await serving.ended;
      await shop.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startShop() {
  const files = new Map<string, string>();
  const received: ReceivedPost[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const path = request.url ?? "";
      if (request.method === "POST") {
        const headers = request.headers as Record<string, string>;
        received.push({ path, headers, body: Buffer.concat(chunks) });
        response.writeHead(201).end();
        return;
      }
      const text = files.get(path);
      response.writeHead(text === undefined ? 404 : 200).end(text ?? "nothing");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> => new Promise((resolve) => void server.close(() => resolve()));
  return { port, files, received, close };
}

async function visitPage(
  browser: Browser,
  url: string,
  language: string,
  prepare?: (page: Page) => Promise<void>,
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: PHONE,
    locale: language,
    permissions: ["clipboard-read", "clipboard-write", "notifications"],
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const [sent, complaints]: [string[], string[]] = [[], []];
  page.on("request", (request) => {
    const { authorization: _, ...headers } = request.headers();
    sent.push(request.url().split("#")[0] ?? "", JSON.stringify(headers), request.postData() ?? "");
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  await prepare?.(page);
  await page.goto(url);
  return { page, sent, complaints };
}

async function addSite(page: Page, shopUrl: string): Promise<void> {
  await page.keyboard.press("Tab");
  await page.locator("#field-url").focus();
  await page.keyboard.type(shopUrl);
  await page.keyboard.press("Tab");
  await page.keyboard.type("Мой магазин");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");
  await page.locator("#prove:not([hidden])").waitFor();
}

export async function textOf(page: Page, selector: string): Promise<string> {
  return (await page.locator(selector).textContent()) ?? "";
}

/** On a phone, as it is now. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations, passed } = await runAxe(page, "document");
  expect(violations).toEqual([]);
  expect(passed).toBeGreaterThan(10);
  const width = await read<number>(page, "document.documentElement.scrollWidth");
  expect(width).toBeLessThanOrEqual(PHONE.width);
}
