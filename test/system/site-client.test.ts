import { describe, expect, test } from "vitest";
import { MINUTE_MS, SECOND_MS, toUnixSeconds } from "../../src/model/time.ts";
import { scriptWords } from "../../src/site/words/script.ts";
import { formatMachine, formatMoment } from "../../src/site/words/time.ts";
import { VERDICT_LABELS } from "../../src/site/words/verdict.ts";
import { HOSTILE_NAME, monitorOf, NOW_MS, SPECIMEN } from "../site/specimen.ts";
import { readScript, withService } from "./site-lab.ts";
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
  test("shows every state as the API has it, without a complaint", async () => {
    const page = await visits.visit("/");
    expect(await shownOn(page)).toEqual(expectedOf(SPECIMEN));
    expect(await textOf(page, "time.checked")).toBe(`${formatMoment(UPDATED_MS, "ru")} МСК`);
    expect(await read(page, `document.querySelectorAll("img.checked").length`)).toBe(0);
    expect(visits.complaints).toEqual([]);
  });

  test("follows the API within a minute, in place while caches hold the page of before", async () => {
    const page = await visits.visit("/");
    await markMain(page);
    await visits.lab.publishDocuments(FAILING, NOW_MS);
    await visits.pass(page);
    expect(await shownOn(page)).toEqual(expectedOf(FAILING));
    expect(await textOf(page, "time.checked")).toContain(formatMoment(NOW_MS, "ru"));
    expect(await hasMark(page)).toBe(true);
    expect(await page.locator(".now [data-slug=ok]").count()).toBe(0);

    await visits.lab.publishPages(FAILING);
    await visits.pass(page);
    expect(await hasMark(page)).toBe(false);
    expect(await page.locator(".now [data-slug=ok]").count()).toBe(1);
    expect(await shownOn(page)).toEqual(expectedOf(FAILING));
    expect(await page.locator("img.checked").count()).toBe(0);
    expect(await textOf(page, "main time.checked")).toContain(formatMoment(NOW_MS, "ru"));
    expect(visits.complaints).toEqual([]);
  });

  test("is left alone while nothing changes, and drawn anew each half hour", async () => {
    const page = await visits.visit("/");
    await markMain(page);
    await visits.pass(page);
    await visits.pass(page);
    expect(visits.lab.requests.filter((request) => request === "GET /")).toHaveLength(1);
    expect(await hasMark(page)).toBe(true);
    await visits.pass(page, 30 * MINUTE_MS);
    expect(await hasMark(page)).toBe(false);
  });

  test("is drawn anew with focus, filters and search as they were", async () => {
    const page = await visits.visit("/");
    await page.locator("#search").fill("сбер");
    await page.locator("#state-ok + span, label:has(#state-ok)").first().click();
    await page.locator("#state-all + span, label:has(#state-all)").first().click();
    await page.locator("[data-slug=ok] a").focus();
    await visits.lab.publishDocuments(FAILING, NOW_MS);
    await visits.lab.publishPages(FAILING);
    await markMain(page);
    await visits.pass(page);
    expect(await hasMark(page)).toBe(false);
    expect(await read(page, "document.activeElement.getAttribute('href')")).toBe("/status/ok");
    expect(await read(page, "document.activeElement.closest('li').className")).toMatch(/row/u);
    expect(await page.locator("#search").inputValue()).toBe("сбер");
    expect(await page.locator(".row:visible").count()).toBe(1);
  });

  test("leaves the focus on one of two links to the same page", async () => {
    const page = await visits.visit("/");
    await page.locator(".changes a[href='/status/ok']").first().focus();
    await visits.lab.publishDocuments(FAILING, NOW_MS);
    await visits.lab.publishPages(FAILING);
    await markMain(page);
    await visits.pass(page);
    expect(await hasMark(page)).toBe(false);
    expect(await read(page, "!!document.activeElement.closest('.changes')")).toBe(true);
  });

  test("is not drawn anew under a selection", async () => {
    const page = await visits.visit("/");
    await markMain(page);
    await page.evaluate(`getSelection().selectAllChildren(document.querySelector("h1"))`);
    await visits.lab.publishDocuments(FAILING, NOW_MS);
    await visits.lab.publishPages(FAILING);
    await visits.pass(page);
    expect(await hasMark(page)).toBe(true);
    expect(await shownOn(page)).toEqual(expectedOf(FAILING));
    await page.evaluate(`getSelection().removeAllRanges()`);
    await visits.pass(page);
    expect(await hasMark(page)).toBe(false);
  });

  test("says nothing of what makes no sense", async () => {
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
    visits.lab.behaviour.bodies.set(
      LIST,
      JSON.stringify({ updated: UPDATED_MS / 1_000, services }),
    );
    await visits.pass(page);
    expect(await shownOn(page)).toEqual(expectedOf(SPECIMEN));
    for (const body of [
      "",
      "[]",
      "null",
      '{"updated":"x","services":[]}',
      '{"updated":1,"services":7}',
    ]) {
      visits.lab.behaviour.bodies.set(LIST, body);
      await visits.pass(page);
    }
    expect(await shownOn(page)).toEqual(expectedOf(SPECIMEN));
    expect(await textOf(page, "#notice")).toBe(WORDS.offline);
    expect(visits.complaints).toEqual([]);
  });
});

/** Only counts are other ones: another verdict may well take another line. */
const BUSY = withService(SPECIMEN, "ok", { reports: { hour: 31, day: 777, isSurging: false } });

const WATCH_SHIFTS = `{
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { sources } of list.getEntries()) {
      window.shifts.push(sources.map(({ node }) => node?.outerHTML?.slice(0, 60)));
    }
  }).observe({ type: "layout-shift", buffered: true });
}`;

test.each(["/", "/en/", "/status/ok", "/en/status/ok", "/m/my-shop"])(
  "nothing of %s moves while it is loaded, brought up to date and cut off",
  async (path) => {
    const widths = [360, 768, 1_280];
    const screens = widths.map((width) => ({ viewport: { width, height: 740 } }));
    const pages = await Promise.all(screens.map((screen) => visits.visit(path, screen)));
    for (const page of pages) await page.evaluate(WATCH_SHIFTS);
    await visits.lab.publishDocuments(BUSY, NOW_MS);
    for (const page of pages) await visits.pass(page);
    visits.lab.behaviour.isDown = true;
    for (const page of pages) {
      await visits.pass(page);
      await visits.pass(page);
      expect(await textOf(page, "#notice")).not.toBe("");
      await page.evaluate(NEXT_FRAME);
      expect(await read(page, "window.shifts"), `${page.viewportSize()?.width}`).toEqual([]);
    }
  },
);

test("a page that never got an answer says so, and claims no age", async () => {
  visits.lab.behaviour.bodies.set(LIST, '{"updated":"1","services":[]}');
  const page = await visits.visit("/");
  await visits.pass(page);
  await expect.poll(() => textOf(page, "#notice")).toBe(WORDS.offline);
  expect(await read(page, "document.body.className")).toBe("");
  expect(await page.locator("img.checked").first().isVisible()).toBe(true);
  expect(await shownOn(page)).toEqual(expectedOf(SPECIMEN));
});

test("a page of somebody on the way is not taken for ours", async () => {
  const page = await visits.visit("/");
  visits.lab.behaviour.bodies.set("/", "<!doctype html><main>Sign in to the network</main>");
  await visits.lab.publishDocuments(FAILING, NOW_MS);
  await visits.pass(page);
  expect(visits.lab.requests.filter((request) => request === "GET /")).toHaveLength(2);
  expect(await shownOn(page)).toEqual(expectedOf(FAILING));
});

describe("the page of a service", () => {
  test("follows label, colour, mark, beginning and counts", async () => {
    const page = await visits.visit("/status/ok");
    expect(await shownOn(page)).toEqual(expectedOf(only(SPECIMEN, "ok")));
    await visits.lab.publishDocuments(FAILING, NOW_MS);
    await visits.pass(page);
    expect(await shownOn(page)).toEqual(expectedOf(only(FAILING, "ok")));
    const sinceMs = NOW_MS - 7 * MINUTE_MS;
    expect(await textOf(page, "time.since")).toBe(formatMoment(sinceMs, "ru"));
    expect(await page.locator("time.since").getAttribute("datetime")).toBe(formatMachine(sinceMs));
    expect(await textOf(page, ".reports-hour")).toBe("31");
    expect(await textOf(page, ".reports-day")).toBe("77");
    expect(await read(page, `{ ...document.querySelector("article").dataset }`)).toMatchObject({
      since: String(toUnixSeconds(sinceMs)),
      hour: "31",
      day: "77",
    });
    await visits.lab.publishPages(FAILING);
    await visits.pass(page);
    expect(await page.title()).toContain(VERDICT_LABELS.ru.fail);
    expect(await shownOn(page)).toEqual(expectedOf(only(FAILING, "ok")));
    expect(visits.complaints).toEqual([]);
  });

  test("speaks English where it is English", async () => {
    const page = await visits.visit("/en/status/ok");
    await visits.lab.publishDocuments(FAILING, NOW_MS);
    await visits.pass(page);
    expect(await textOf(page, ".label")).toBe(VERDICT_LABELS.en.fail);
    expect(await textOf(page, "time.since")).toBe(formatMoment(NOW_MS - 7 * MINUTE_MS, "en"));
    expect(await textOf(page, "time.checked")).toBe(`${formatMoment(NOW_MS, "en")} MSK`);
  });

  test("does not interrupt whoever fills in the form, and keeps what was chosen", async () => {
    const page = await visits.visit("/status/ok");
    await markMain(page);
    await page.locator("#symptom-payments").focus();
    await page.keyboard.press("Space");
    await visits.lab.publishDocuments(FAILING, NOW_MS);
    await visits.lab.publishPages(FAILING);
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

  test("says nothing of numbers that are none", async () => {
    const page = await visits.visit("/status/ok");
    const before = await page.locator("article").innerHTML();
    const ok = SPECIMEN.services.find(({ slug }) => slug === "ok");
    const detail = { slug: "ok", name: ok?.name, color: "ok", code: "ok", live: false };
    const odd = [
      { since: 1e300, reportsHour: -1, reportsDay: 1.5 },
      { since: "1", reportsHour: "7", reportsDay: null },
    ];
    for (const fields of odd) {
      visits.lab.behaviour.bodies.set(`${LIST}/ok`, JSON.stringify({ ...detail, ...fields }));
      await visits.pass(page);
      expect(await page.locator("article").innerHTML()).toBe(before);
    }
    expect(visits.complaints).toEqual([]);
  });
});

describe("a page of a monitor", () => {
  test("is drawn anew after each run, and a snippet is copied by its button", async () => {
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
    await visits.lab.publishDocuments(SPECIMEN, NOW_MS);
    await visits.lab.publishPages(SPECIMEN, [
      monitorOf({ condition: "failing", code: "http-server-error" }),
    ]);
    await visits.pass(page);
    expect(await page.locator("article").getAttribute("data-condition")).toBe("failing");
    expect(await read(page, "document.activeElement.dataset.copy")).toBe("snippet-markdown");
    expect(await page.locator("[data-copy=snippet-markdown]").isVisible()).toBe(true);
    expect(visits.complaints).toEqual([]);
  });
});

test("a website below a path follows its own API, and draws its own pages", async () => {
  const root = "/site";
  const address = { ...SPECIMEN.address, root };
  await visits.reopen({ root });
  await visits.lab.publishPages({ ...SPECIMEN, address });
  const page = await visits.visit("/en/status/ok");
  await visits.lab.publishDocuments(FAILING, NOW_MS);
  await visits.lab.publishPages({ ...FAILING, address });
  await visits.pass(page);
  expect(await textOf(page, ".label")).toBe(VERDICT_LABELS.en.fail);
  expect(await page.title()).toContain(VERDICT_LABELS.en.fail);
  expect(visits.lab.requests.every((request) => request.startsWith(`GET ${root}/`))).toBe(true);
  expect(visits.complaints).toEqual([]);
});

test("the script is no longer than 6 KB before it is packed", () => {
  expect(readScript("site.js").byteLength).toBeLessThanOrEqual(6 * 1_024);
});
