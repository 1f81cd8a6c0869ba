import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { MINUTE_MS, SECOND_MS, toIsoSeconds, toUnixSeconds } from "../../src/model/time.ts";
import { scriptWords } from "../../src/site/words/pages/script.ts";
import { VERDICT_LABELS } from "../../src/contract/codes/verdict-words.ts";
import { HOSTILE_NAME, NOW_MS, SITE_FIXTURE } from "../site/site-fixture.ts";
import { monitorOf } from "../site/monitor-fixture.ts";
import { readScript, withService } from "./site-harness.ts";
import { NEXT_FRAME, read } from "./site-visitors.ts";
import {
  expectedOf,
  FAILING,
  hasMark,
  markMain,
  only,
  receiveVisits,
  shownOn,
  textOf,
  UPDATED_MS,
} from "./site-visits.ts";

const WORDS = scriptWords("ru");
const LIST = "/api/v1/status";

const visits = receiveVisits();

describe("the list of services", () => {
  test("shows every state as in the API", async () => {
    const page = await visits.visit("/");
    expect(await shownOn(page)).toEqual(expectedOf(SITE_FIXTURE));
    // The time of the last run stays the picture that was there from the beginning, and gets its text.
    expect(await page.locator("main img.checked").getAttribute("alt")).toBe("12:03 МСК");
    expect(await page.locator("time.checked").count()).toBe(0);
    expect(visits.complaints).toEqual([]);
  });

  test("follows the API within a minute, even if a cache has the old page", async () => {
    const page = await visits.visit("/");
    await markMain(page);
    await visits.harness.publishDocuments(FAILING, NOW_MS);
    await visits.pass(page);
    expect(await shownOn(page)).toEqual(expectedOf(FAILING));
    expect(await textOf(page, "time.checked")).toBe("12:05 МСК");
    expect(await hasMark(page)).toBe(true);
    expect(await page.locator(".outage [data-slug=ok]").count()).toBe(0);

    await visits.harness.publishPages(FAILING);
    await visits.pass(page);
    expect(await hasMark(page)).toBe(false);
    expect(await page.locator(".outage [data-slug=ok]").count()).toBe(1);
    expect(await shownOn(page)).toEqual(expectedOf(FAILING));
    expect(await page.locator("img.checked").count()).toBe(0);
    expect(await textOf(page, "main time.checked")).toBe("12:05 МСК");
    expect(visits.complaints).toEqual([]);
  });

  test("stays while nothing changes, and is replaced every half hour", async () => {
    const page = await visits.visit("/");
    await markMain(page);
    await visits.pass(page);
    await visits.pass(page);
    expect(visits.harness.requests.filter((request) => request === "GET /")).toHaveLength(1);
    expect(await hasMark(page)).toBe(true);
    await visits.pass(page, 30 * MINUTE_MS);
    expect(await hasMark(page)).toBe(false);
  });

  test("keeps focus, filters and search when it is replaced", async () => {
    const page = await visits.visit("/");
    await page.locator("#state-ok + span, label:has(#state-ok)").first().click();
    await page.locator("#search").fill("сбер");
    await page.locator("#hits [data-slug=ok] a").focus();
    await visits.harness.publishDocuments(FAILING, NOW_MS);
    await visits.harness.publishPages(FAILING);
    await markMain(page);
    await visits.pass(page);
    expect(await hasMark(page)).toBe(false);
    expect(await read(page, "document.activeElement.getAttribute('href')")).toBe("/status/ok");
    expect(await read(page, "document.activeElement.closest('li').className")).toMatch(/row/u);
    expect(await page.locator("#search").inputValue()).toBe("сбер");
    expect(await page.locator(".row:visible").count()).toBe(1);
    expect(await page.locator("#state-ok").isChecked()).toBe(true);
  });

  test("keeps the focus on the right one of two links to the same page", async () => {
    const page = await visits.visit("/");
    await page.locator(".changes a[href='/status/ok']").first().focus();
    await visits.harness.publishDocuments(FAILING, NOW_MS);
    await visits.harness.publishPages(FAILING);
    await markMain(page);
    await visits.pass(page);
    expect(await hasMark(page)).toBe(false);
    expect(await read(page, "!!document.activeElement.closest('.changes')")).toBe(true);
  });

  test("is not replaced while text is selected", async () => {
    const page = await visits.visit("/");
    await markMain(page);
    await page.evaluate(`getSelection().selectAllChildren(document.querySelector("h1"))`);
    await visits.harness.publishDocuments(FAILING, NOW_MS);
    await visits.harness.publishPages(FAILING);
    await visits.pass(page);
    expect(await hasMark(page)).toBe(true);
    expect(await shownOn(page)).toEqual(expectedOf(FAILING));
    await page.evaluate(`getSelection().removeAllRanges()`);
    await visits.pass(page);
    expect(await hasMark(page)).toBe(false);
  });

  test("ignores invalid data", async () => {
    const page = await visits.visit("/");
    const entry = { slug: "ok", name: HOSTILE_NAME, color: "bad", code: "fail", live: true };
    const services = [
      null,
      [],
      "ok",
      { ...entry, slug: ["ok"] },
      { ...entry, code: "constructor" },
      { ...entry, code: ["fail"] },
      { ...entry, color: "<b>" },
      { ...entry, color: "toString" },
      { ...entry, live: "true" },
      { ...entry, slug: "</li><script>alert(1)</script>" },
    ];
    visits.harness.behaviour.bodies.set(
      LIST,
      JSON.stringify({ updated: UPDATED_MS / 1_000, services }),
    );
    await visits.pass(page);
    expect(await shownOn(page)).toEqual(expectedOf(SITE_FIXTURE));
    for (const body of [
      "",
      "[]",
      "null",
      '{"updated":"x","services":[]}',
      '{"updated":1,"services":7}',
    ]) {
      visits.harness.behaviour.bodies.set(LIST, body);
      await visits.pass(page);
    }
    expect(await shownOn(page)).toEqual(expectedOf(SITE_FIXTURE));
    expect(await textOf(page, "#notice")).toBe(WORDS.offline);
    expect(visits.complaints).toEqual([]);
  });
});

/** Only the counts differ, because another verdict may take another line. */
const BUSY = withService(SITE_FIXTURE, "ok", { reports: { hour: 31, day: 777, isSurging: false } });

const WATCH_SHIFTS = `{
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { sources } of list.getEntries()) {
      window.shifts.push(sources.map(({ node, previousRect, currentRect }) =>
        [(node?.outerHTML ?? node?.textContent)?.slice(0, 60), JSON.stringify(previousRect), JSON.stringify(currentRect)].join(" ")));
    }
  }).observe({ type: "layout-shift", buffered: true });
}`;

test.each(["/", "/en/", "/status/ok", "/en/status/ok", "/m/my-shop"])(
  "nothing on %s moves while it is loaded, updated and cut off",
  async (path) => {
    const widths = [360, 768, 1_280];
    const screens = widths.map((width) => ({ viewport: { width, height: 740 } }));
    const pages = await Promise.all(screens.map((screen) => visits.visit(path, screen)));
    for (const page of pages) await page.evaluate(WATCH_SHIFTS);
    await visits.harness.publishDocuments(BUSY, NOW_MS);
    for (const page of pages) await visits.pass(page);
    visits.harness.behaviour.isDown = true;
    for (const page of pages) {
      await visits.pass(page);
      await visits.pass(page);
      expect(await textOf(page, "#notice")).not.toBe("");
      await page.evaluate(NEXT_FRAME);
      expect(await read(page, "window.shifts"), `${page.viewportSize()?.width}`).toEqual([]);
    }
  },
);

test("a page that never got an answer says so, and shows no age", async () => {
  visits.harness.behaviour.bodies.set(LIST, '{"updated":"1","services":[]}');
  const page = await visits.visit("/");
  await visits.pass(page);
  await expect.poll(() => textOf(page, "#notice")).toBe(WORDS.offline);
  expect(await read(page, "document.body.className")).toBe("");
  expect(await page.locator("img.checked").first().isVisible()).toBe(true);
  expect(await shownOn(page)).toEqual(expectedOf(SITE_FIXTURE));
});

test("the page of a captive portal does not replace ours", async () => {
  const page = await visits.visit("/");
  visits.harness.behaviour.bodies.set("/", "<!doctype html><main>Sign in to the network</main>");
  await visits.harness.publishDocuments(FAILING, NOW_MS);
  await visits.pass(page);
  expect(visits.harness.requests.filter((request) => request === "GET /")).toHaveLength(2);
  expect(await shownOn(page)).toEqual(expectedOf(FAILING));
});

describe("the page of a service", () => {
  test("updates label, colour, mark, beginning and counts", async () => {
    const page = await visits.visit("/status/ok");
    expect(await shownOn(page)).toEqual(expectedOf(only(SITE_FIXTURE, "ok")));
    await visits.harness.publishDocuments(FAILING, NOW_MS);
    await visits.pass(page);
    expect(await shownOn(page)).toEqual(expectedOf(only(FAILING, "ok")));
    const sinceMs = NOW_MS - 7 * MINUTE_MS;
    expect(await textOf(page, "time.since")).toBe("11:58 МСК");
    expect(await textOf(page, ".age")).toBe("(7 минут)");
    expect(await page.locator("time.since").getAttribute("datetime")).toBe(toIsoSeconds(sinceMs));
    expect(await textOf(page, ".reports-hour")).toBe("31");
    expect(await textOf(page, ".reports-day")).toBe("77");
    expect(await read(page, `{ ...document.querySelector("article").dataset }`)).toMatchObject({
      since: String(toUnixSeconds(sinceMs)),
      hour: "31",
      day: "77",
    });
    await visits.harness.publishPages(FAILING);
    await visits.pass(page);
    expect(await page.title()).toContain(VERDICT_LABELS.ru.fail);
    expect(await shownOn(page)).toEqual(expectedOf(only(FAILING, "ok")));
    expect(visits.complaints).toEqual([]);
  });

  test("is updated in English if it is in English", async () => {
    const page = await visits.visit("/en/status/ok");
    await visits.harness.publishDocuments(FAILING, NOW_MS);
    await visits.pass(page);
    expect(await textOf(page, ".label")).toBe(VERDICT_LABELS.en.fail);
    expect(await textOf(page, "time.since")).toBe("11:58 MSK");
    expect(await textOf(page, ".age")).toBe("(7 minutes)");
    expect(await textOf(page, "time.checked")).toBe("12:05 MSK");
  });

  test("is not replaced while the form is filled in, and keeps the choice", async () => {
    const page = await visits.visit("/status/ok");
    await markMain(page);
    await page.locator("#symptom-payments").focus();
    await page.keyboard.press("Space");
    await visits.harness.publishDocuments(FAILING, NOW_MS);
    await visits.harness.publishPages(FAILING);
    await visits.pass(page);
    expect(await hasMark(page)).toBe(true);
    expect(await read(page, "document.activeElement.id")).toBe("symptom-payments");
    expect(await textOf(page, ".label")).toBe(VERDICT_LABELS.ru.fail);

    await page.evaluate("document.activeElement.blur()");
    await visits.pass(page);
    expect(await hasMark(page)).toBe(false);
    expect(await page.locator("#symptom-payments").isChecked()).toBe(true);
    expect(await page.locator("form.report").count()).toBe(1);
  });

  test("ignores invalid numbers", async () => {
    const page = await visits.visit("/status/ok");
    const before = await page.locator("article").innerHTML();
    const ok = SITE_FIXTURE.services.find(({ slug }) => slug === "ok");
    const detail = { slug: "ok", name: ok?.name, color: "ok", code: "ok", live: false };
    const odd = [
      { since: 1e300, reportsHour: -1, reportsDay: 1.5 },
      { since: "1", reportsHour: "7", reportsDay: null },
    ];
    for (const fields of odd) {
      visits.harness.behaviour.bodies.set(`${LIST}/ok`, JSON.stringify({ ...detail, ...fields }));
      await visits.pass(page);
      expect(await page.locator("article").innerHTML()).toBe(before);
    }
    expect(visits.complaints).toEqual([]);
  });
});

describe("a page of a monitor", () => {
  test("is replaced after each run, and its button copies a snippet", async () => {
    const page = await visits.visit("/m/my-shop", {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const button = page.locator("[data-copy=snippet-markdown]");
    const label = await button.textContent();
    await button.click();
    await expect.poll(() => button.textContent()).toBe(WORDS.copied);
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(
      await page.locator("#snippet-markdown").inputValue(),
    );
    await page.clock.runFor(3 * SECOND_MS);
    expect(await button.textContent()).toBe(label);

    await markMain(page);
    await visits.pass(page);
    expect(await hasMark(page)).toBe(true);
    await visits.harness.publishDocuments(SITE_FIXTURE, NOW_MS);
    await visits.harness.publishPages(SITE_FIXTURE, [
      monitorOf({ condition: "failing", code: "http-server-error" }),
    ]);
    await visits.pass(page);
    expect(await page.locator("article").getAttribute("data-condition")).toBe("failing");
    expect(await read(page, "document.activeElement.dataset.copy")).toBe("snippet-markdown");
    expect(await page.locator("[data-copy=snippet-markdown]").isVisible()).toBe(true);
    expect(visits.complaints).toEqual([]);
  });
});

test("a website below a path uses only the API and pages below that path", async () => {
  const root = "/site";
  const address = { ...SITE_FIXTURE.address, root };
  await visits.reopen({ root });
  await visits.harness.publishPages({ ...SITE_FIXTURE, address });
  const page = await visits.visit("/en/status/ok");
  await visits.harness.publishDocuments(FAILING, NOW_MS);
  await visits.harness.publishPages({ ...FAILING, address });
  await visits.pass(page);
  expect(await textOf(page, ".label")).toBe(VERDICT_LABELS.en.fail);
  expect(await page.title()).toContain(VERDICT_LABELS.en.fail);
  expect(visits.harness.requests.every((request) => request.startsWith(`GET ${root}/`))).toBe(true);
  expect(visits.complaints).toEqual([]);
});

test("the script takes at most 8 KB of the wire", () => {
  expect(gzipSync(readScript("site.js")).byteLength).toBeLessThanOrEqual(8 * 1_024);
});
