import { expect, test } from "vitest";
import { renderApi } from "../../src/site/pages/api.tsx";
import { dataExamples } from "../../src/site/pages/examples.ts";
import { renderData } from "../../src/site/pages/data.tsx";
import { scriptWords } from "../../src/site/words/pages/script.ts";
import { ADDRESS, SITE_FIXTURE, frameOf } from "../site/site-fixture.ts";
import { read } from "./site-visitors.ts";
import { receiveVisits, textOf } from "./site-visits.ts";

/* The controls of the pages of the API and of the open data, and the badges of a monitor's page. */

const WORDS = scriptWords("ru");

/** Layout shifts since the page was opened. */
const COUNT_SHIFTS = `new Promise((resolve) => {
  let count = 0;
  const observer = new PerformanceObserver((list) => (count += list.getEntries().length));
  observer.observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(count + observer.takeRecords().length)));
})`;

const visits = receiveVisits();

const openApi = async () => {
  await visits.harness.put("api", renderApi(frameOf("ru")));
  return visits.visit("/api", { permissions: ["clipboard-read", "clipboard-write"] });
};

test("a request from the page shows the answer of the API, and what it cannot get", async () => {
  const page = await openApi();
  const ask = async (slug: string): Promise<void> => {
    await page.locator("#try-slug").fill(slug);
    await page.locator(".try button").click();
  };
  await ask("fail");
  await expect.poll(() => textOf(page, "#try-answer")).toContain(`"code": "fail"`);
  expect(await textOf(page, "#try-answer")).toMatch(/^GET \/api\/v1\/status\/fail\n/u);
  await ask("");
  await expect.poll(() => textOf(page, "#try-answer")).toContain(`"services"`);
  await ask("../no such");
  await expect.poll(() => textOf(page, "#try-answer")).toContain("HTTP 404");
});

test("each example can be copied, and nothing moves when its button comes", async () => {
  const page = await openApi();
  const example = page.locator("#embed .code").first();
  await example.locator(".copy").click();
  await expect.poll(() => example.locator(".copy").textContent()).toBe(WORDS.copied);
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(
    await example.locator("code").textContent(),
  );
  expect(await page.evaluate(COUNT_SHIFTS)).toBe(0);
});

test("a command of the page of the open data is copied by keyboard, whole", async () => {
  await visits.harness.put("data", renderData(frameOf("ru"), SITE_FIXTURE.archive));
  const page = await visits.visit("/data", { permissions: ["clipboard-read", "clipboard-write"] });
  const command = page.locator("#archive .code").first();
  await command.locator("pre").focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect.poll(() => command.locator(".copy").textContent()).toBe(WORDS.copied);
  // Without the places where a narrow screen may break it.
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(
    dataExamples(ADDRESS.origin, "2026-11-20")["example:duckdb"],
  );
  expect(await page.evaluate(COUNT_SHIFTS)).toBe(0);
});

test.each(["api", "data"])("the page /%s fits 360 pixels, code and tables too", async (key) => {
  await visits.harness.put("api", renderApi(frameOf("ru")));
  await visits.harness.put("data", renderData(frameOf("ru"), SITE_FIXTURE.archive));
  const page = await visits.visit(`/${key}`, { viewport: { width: 360, height: 740 } });
  const cut = `[...document.querySelectorAll("pre, .scroll, td, tbody th")]
    .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent.slice(0, 60))`;
  expect(await read(page, cut)).toEqual([]);
});

test("the badge of a monitor and its snippets take the chosen form", async () => {
  const page = await visits.visit("/m/my-shop");
  await page.locator("label:has([id='badge-badge-7d.svg'])").click();
  expect(await page.locator(".badge img").getAttribute("src")).toMatch(/badge-7d\.svg$/u);
  for (const name of ["html", "markdown", "bbcode"]) {
    expect(await page.locator(`#snippet-${name}`).inputValue()).toContain("/badge-7d.svg");
  }
  await page.locator("label:has([id='badge-badge.png'])").click();
  expect(await page.locator("#snippet-html").inputValue()).toContain("/badge.png");
});
