import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createSignal } from "../../src/model/stopping.ts";
import { PATIENCE_MS } from "../patience.ts";
import { expectAccessible, type OwnerSite, PHONE, startOwnerSite, textOf } from "./owner-site.ts";
import { read } from "./site-visitors.ts";

let site: OwnerSite;
beforeAll(async () => {
  site = await startOwnerSite();
}, PATIENCE_MS);
afterAll(() => site.close());

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

describe("an owner with a keyboard", () => {
  test("proves a site by its file, and is told before what is there instead", async () => {
    site.files.set("/", "<title>Shop</title>");
    const { page, complaints } = await site.visit("/monitor/new");
    await expectAccessible(page);
    await site.add(page);
    expect(await read(page, "document.activeElement.id")).toBe("prove-title");
    await page.locator("#check").press("Enter");
    await page.locator("#findings li").first().waitFor();
    expect(await textOf(page, "#findings")).toContain("файла нет (ответ 404)");
    await expectAccessible(page);
    await site.putFile(page);
    // The page looks again by itself.
    await page.locator("#done:not([hidden])").waitFor({ timeout: PATIENCE_MS });
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });

  test("proves a site by a tag, chosen with the arrow keys, after a reload", async () => {
    site.files.set("/", "<title>Shop</title>");
    const { page, complaints } = await site.visit("/monitor/new");
    await site.add(page);
    await page.reload();
    await page.locator("#prove:not([hidden])").waitFor();
    await page.locator("#tab-file").focus();
    await page.keyboard.press("ArrowRight");
    expect(await read(page, "document.activeElement.id")).toBe("tab-meta");
    site.files.set("/", `<head>${await textOf(page, "#meta-what")}</head>`);
    await page.locator("#check").press("Enter");
    await page.locator("#done:not([hidden])").waitFor();
    expect(complaints).toEqual([]);
  });

  test("is told which field is wrong, in words", async () => {
    const { page } = await site.visit("/en/monitor/new");
    await page.locator("#field-url").fill("http://10.0.0.1:22/");
    await page.keyboard.press("Enter");
    await page.locator("#fault-url:not(:empty)").waitFor();
    expect(await textOf(page, "#fault-url")).toContain("inside a network");
    expect(await read(page, "document.activeElement.id")).toBe("field-url");
  });
});

test("an owner changes settings, removes the monitor, and restores it", async () => {
  const { page, complaints } = await site.visit("/monitor/new");
  await page.goto(await site.own(page));
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

test("a page that turns to another monitor acts on none before it shows it", async () => {
  const { page, complaints } = await site.visit("/monitor/new");
  const links = [await site.own(page)];
  await page.goto(`${site.url}/monitor/new`);
  links.push(await site.own(page));
  const [[first = "", one = ""] = [], [second = "", other = ""] = []] = links.map((link) => [
    ...(/#([\w-]+)\..*/u.exec(link) ?? []),
  ]);
  await page.goto(links[0] ?? "");
  await page.locator("#remove").waitFor();
  const [asked, ask] = createSignal<void>();
  const [answered, answer] = createSignal<void>();
  await page.route(`**/monitors/${other}`, async (route) => {
    ask();
    await answered;
    await route.continue();
  });
  await page.evaluate(`location.hash = ${JSON.stringify(second)}`);
  await asked;
  expect(await page.locator("#remove").isVisible()).toBe(false);
  await page.evaluate(`location.hash = ${JSON.stringify(first)}`);
  await page.locator("#remove").waitFor();
  const late = page.waitForResponse((response) => response.url().endsWith(other));
  answer();
  await (await late).finished();
  await page.evaluate("new Promise((resolve) => setTimeout(resolve, 300))");
  expect(await textOf(page, "#badge-html")).toContain(one);
  expect(complaints).toEqual([]);
});

test("a lost link is replaced by a new proof, and the old one stops working", async () => {
  const { page, complaints } = await site.visit("/monitor/new");
  const link = await site.own(page);
  const id = /#([\w-]+)\./u.exec(link)?.[1] ?? "";
  await page.goto(`${site.url}/monitor/`);
  await page.locator("#which").fill(`${site.url}/api/m/${id}/badge.svg`);
  await page.locator("#lost").press("Enter");
  await page.locator("#prove:not([hidden])").waitFor();
  expect(await textOf(page, "#status")).toBe("Новая ссылка ждёт подтверждения");
  await expectAccessible(page);
  await site.putFile(page);
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
  const { page, sent } = await site.visit("/monitor/new");
  const link = await site.own(page);
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
  const files = await bytesBelow(site.folder);
  expect(files.length).toBeGreaterThan(100);
  for (const [name, bytes] of files) expect([name, bytes.includes(key)]).toEqual([name, false]);
});

test.each(["/monitor/new", "/monitor/", "/en/monitor/new", "/en/monitor/"])(
  "%s without a script shows the requests, and no form that cannot work",
  async (path) => {
    const context = await site.browser.newContext({ javaScriptEnabled: false, viewport: PHONE });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(site.url + path);
    expect(await page.locator("#owner form").first().isVisible()).toBe(false);
    expect(await textOf(page, "#curl")).toContain(`curl --json`);
  },
);
