import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { servedAt, startCli, until } from "../cli/cli.ts";
import { PATIENCE_MS } from "../patience.ts";
import { openBrowser } from "./browser.ts";
import { runAxe } from "./site-axe.ts";
import { read } from "./site-visitors.ts";

const PHONE = { width: 360, height: 800 };

/** The site of an owner. */
const files = new Map<string, string>();
const shop = createServer((request, response) => {
  const text = files.get(request.url ?? "");
  response.writeHead(text === undefined ? 404 : 200).end(text ?? "nothing");
});

let browser: Browser;
let url = "";
const folder = mkdtempSync(join(tmpdir(), "status-snapshot-owners-"));

beforeAll(async () => {
  await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
  browser = await openBrowser();
  const guard = ["--allow-private", "127.0.0.1/32", "--allow-port", String(portOfShop())];
  const stores = ["--store", "file:public", "--state", "file:.state"];
  const options = [...stores, ...guard, "--self-service", "on", "--port", "0"];
  const serving = startCli(["serve", ...options], { cwd: folder, timeoutMs: 280_000 });
  url = await servedAt(serving);
  // The first request publishes the website.
  await fetch(`${url}/monitors`, { method: "POST" });
  await until(
    "the page is published",
    async () => (await fetch(`${url}/monitor/new`)).status === 200,
  );
  return async () => {
    serving.child.kill("SIGINT");
    await serving.ended;
    rmSync(folder, { recursive: true, force: true });
  };
}, PATIENCE_MS);

afterAll(async () => {
  await browser.close();
  await new Promise<void>((resolve) => void shop.close(() => resolve()));
});

function portOfShop(): number {
  return (shop.address() as AddressInfo).port;
}

/** What a browser has sent, and what its pages complained of. */
interface Visit {
  readonly page: Page;
  readonly sent: string[];
  readonly complaints: string[];
}

async function visit(path: string, language = "ru"): Promise<Visit> {
  const context = await browser.newContext({
    viewport: PHONE,
    locale: language,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const [sent, complaints]: [string[], string[]] = [[], []];
  page.on("request", (request) => {
    const { authorization: _, ...headers } = request.headers();
    sent.push(request.url().split("#")[0] ?? "", JSON.stringify(headers), request.postData() ?? "");
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(url + path);
  return { page, sent, complaints };
}

/** Types an address, and presses Enter: no mouse. */
async function add(page: Page): Promise<void> {
  await page.keyboard.press("Tab");
  await page.locator("#field-url").focus();
  await page.keyboard.type(`http://127.0.0.1:${portOfShop()}/`);
  await page.keyboard.press("Tab");
  await page.keyboard.type("Мой магазин");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");
  await page.locator("#prove:not([hidden])").waitFor();
}

const textOf = async (page: Page, selector: string): Promise<string> =>
  (await page.locator(selector).textContent()) ?? "";

async function putFile(page: Page): Promise<void> {
  const where = await textOf(page, "#file-where");
  files.set(new URL(where).pathname, await textOf(page, "#file-what"));
}

/** Adds a site and proves it by its file. Returns the manage link. */
async function own(page: Page): Promise<string> {
  await add(page);
  await putFile(page);
  await page.locator("#check").press("Enter");
  await page.locator("#done:not([hidden])").waitFor();
  return (await page.locator("#to-manage").getAttribute("href")) ?? "";
}

/** Every file below a folder, unpacked. Temporary ones of a publish may go at any time. */
async function bytesBelow(path: string): Promise<readonly (readonly [string, Buffer])[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  const found = entries.map(async (entry) => {
    const inside = join(path, entry.name);
    if (entry.isDirectory()) return bytesBelow(inside);
    const bytes = await readFile(inside).catch(() => undefined);
    if (bytes === undefined) return [];
    return [[inside, inside.endsWith(".gz") ? gunzipSync(bytes) : bytes] as const];
  });
  return (await Promise.all(found)).flat();
}

async function expectAccessible(page: Page): Promise<void> {
  const { violations, passed } = await runAxe(page, "document");
  expect(violations).toEqual([]);
  expect(passed).toBeGreaterThan(10);
  const width = await read<number>(page, "document.documentElement.scrollWidth");
  expect(width).toBeLessThanOrEqual(PHONE.width);
}

describe("an owner with a keyboard", () => {
  test("proves a site by its file, and is told before what is there instead", async () => {
    files.set("/", "<title>Shop</title>");
    const { page, complaints } = await visit("/monitor/new");
    await expectAccessible(page);
    await add(page);
    expect(await read(page, "document.activeElement.id")).toBe("prove-title");
    await page.locator("#check").press("Enter");
    await page.locator("#findings li").first().waitFor();
    expect(await textOf(page, "#findings")).toContain("файла нет (ответ 404)");
    await expectAccessible(page);
    await putFile(page);
    // The page looks again by itself.
    await page.locator("#done:not([hidden])").waitFor({ timeout: PATIENCE_MS });
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });

  test("proves a site by a tag, chosen with the arrow keys, after a reload", async () => {
    files.set("/", "<title>Shop</title>");
    const { page, complaints } = await visit("/monitor/new");
    await add(page);
    await page.reload();
    await page.locator("#prove:not([hidden])").waitFor();
    await page.locator("#tab-file").focus();
    await page.keyboard.press("ArrowRight");
    expect(await read(page, "document.activeElement.id")).toBe("tab-meta");
    files.set("/", `<head>${await textOf(page, "#meta-what")}</head>`);
    await page.locator("#check").press("Enter");
    await page.locator("#done:not([hidden])").waitFor();
    expect(complaints).toEqual([]);
  });

  test("is told which field is wrong, in words", async () => {
    const { page } = await visit("/en/monitor/new");
    await page.locator("#field-url").fill("http://10.0.0.1:22/");
    await page.keyboard.press("Enter");
    await page.locator("#fault-url:not(:empty)").waitFor();
    expect(await textOf(page, "#fault-url")).toContain("public site");
    expect(await read(page, "document.activeElement.id")).toBe("field-url");
  });
});

test("an owner changes settings, removes the monitor, and restores it", async () => {
  const { page, complaints } = await visit("/monitor/new");
  await page.goto(await own(page));
  await page.locator("#edit:not([hidden])").waitFor();
  expect(await textOf(page, "#status")).toBe("Подтверждён");
  expect(await textOf(page, "#badge-html")).toContain("/badge.svg");
  await expectAccessible(page);
  await page.locator("#field-label").fill("Аптайм");
  await page.locator("#field-expect").fill("200, 204");
  await page.locator("#edit button[type=submit]").press("Enter");
  await expect.poll(() => textOf(page, "#edit .answer")).toBe("Сохранено.");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.locator("#data").press("Enter"),
  ]);
  const data: unknown = JSON.parse(await readFile(await download.path(), "utf8"));
  expect(data).toMatchObject({ label: "Аптайм", expect: [200, 204], public: true });
  await page.locator("#remove").press("Enter");
  expect(await textOf(page, "#remove")).toContain("ещё раз");
  await page.locator("#remove").press("Enter");
  await page.locator("#restore:not([hidden])").waitFor();
  expect(await textOf(page, "#status")).toBe("Удалён");
  await page.locator("#restore").press("Enter");
  await page.locator("#edit:not([hidden])").waitFor();
  expect(complaints).toEqual([]);
});

test("a lost link is replaced by a new proof, and the old one stops working", async () => {
  const { page, complaints } = await visit("/monitor/new");
  const link = await own(page);
  const id = /#([\w-]+)\./u.exec(link)?.[1] ?? "";
  await page.goto(`${url}/monitor/`);
  await page.locator("#which").fill(`${url}/api/m/${id}/badge.svg`);
  await page.locator("#lost").press("Enter");
  await page.locator("#prove:not([hidden])").waitFor();
  expect(await textOf(page, "#status")).toBe("Новая ссылка ждёт подтверждения");
  await expectAccessible(page);
  await putFile(page);
  await page.locator("#check").press("Enter");
  await page.locator("#edit:not([hidden])").waitFor();
  const now = page.url();
  await page.goto("about:blank");
  await page.goto(link);
  await expect.poll(() => textOf(page, "#enter .answer")).toContain("не подходит");
  await expectAccessible(page);
  await page.goto("about:blank");
  await page.goto(now);
  await page.locator("#edit:not([hidden])").waitFor();
  expect(complaints).toEqual([]);
});

test("a key is sent in one header alone, and is in no file of the stores", async () => {
  const { page, sent } = await visit("/monitor/new");
  const link = await own(page);
  const key = /\.([\w-]{43})$/u.exec(link)?.[1] ?? "";
  expect(key).not.toBe("");
  await page.goto(link);
  await page.locator("#edit:not([hidden])").waitFor();
  // To another page of the site, and back.
  await page.locator(".brand").click();
  await page.goBack();
  await page.locator("#edit:not([hidden])").waitFor();
  expect(sent.filter((text) => text.includes(key))).toEqual([]);
  const stored = await read<string>(page, "JSON.stringify([localStorage, sessionStorage])");
  expect(stored).not.toContain(key);
  const files = await bytesBelow(folder);
  expect(files.length).toBeGreaterThan(100);
  for (const [name, bytes] of files) expect([name, bytes.includes(key)]).toEqual([name, false]);
});

test.each(["/monitor/new", "/monitor/", "/en/monitor/new", "/en/monitor/"])(
  "%s without a script shows the requests, and no form that cannot work",
  async (path) => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: PHONE });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(url + path);
    expect(await page.locator("#owner form").first().isVisible()).toBe(false);
    expect(await textOf(page, "#curl")).toContain(`curl --json`);
  },
);
