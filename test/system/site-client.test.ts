import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { MINUTE_MS, SECOND_MS, toUnixSeconds } from "../../src/model/time.ts";
import { scriptWords } from "../../src/site/words/script.ts";
import { formatMachine, formatMoment } from "../../src/site/words/time.ts";
import { VERDICT_LABELS } from "../../src/site/words/verdict.ts";
import { HOSTILE_NAME, monitorOf, NOW_MS, SPECIMEN } from "../site/specimen.ts";
import { readScript, type SiteLab, withService } from "./site-lab.ts";
import {
  expectedOf,
  FAILING,
  hasMark,
  markMain,
  only,
  openSpecimen,
  pass,
  read,
  receiveVisits,
  shownOn,
  textOf,
  UPDATED_MS,
} from "./site-visits.ts";

const WORDS = scriptWords("ru");
const LIST = "/api/v1/status";

const visits = receiveVisits();
let lab: SiteLab;

beforeEach(async () => {
  lab = await openSpecimen();
});

afterEach(async () => {
  await lab.close();
});

describe("the list of services", () => {
  test("shows every state as the API has it, without a complaint", async () => {
    const page = await visits.visit(lab, "/");
    expect(await shownOn(page)).toEqual(expectedOf(SPECIMEN));
    expect(await textOf(page, "time.checked")).toBe(`${formatMoment(UPDATED_MS, "ru")} МСК`);
    expect(await read(page, `document.querySelectorAll("img.checked").length`)).toBe(0);
    expect(visits.complaints).toEqual([]);
  });

  test("follows the API within a minute, in place while caches hold the page of before", async () => {
    const page = await visits.visit(lab, "/");
    await markMain(page);
    await lab.publishDocuments(FAILING, NOW_MS);
    await pass(lab, page);
    expect(await shownOn(page)).toEqual(expectedOf(FAILING));
    expect(await textOf(page, "time.checked")).toContain(formatMoment(NOW_MS, "ru"));
    expect(await hasMark(page)).toBe(true);
    expect(await page.locator(".now [data-slug=ok]").count()).toBe(0);

    await lab.publishPages(FAILING);
    await pass(lab, page);
    expect(await hasMark(page)).toBe(false);
    expect(await page.locator(".now [data-slug=ok]").count()).toBe(1);
    expect(await shownOn(page)).toEqual(expectedOf(FAILING));
    expect(await page.locator("img.checked").count()).toBe(0);
    expect(await textOf(page, "main time.checked")).toContain(formatMoment(NOW_MS, "ru"));
    expect(visits.complaints).toEqual([]);
  });

  test("is left alone while nothing changes, and drawn anew each half hour", async () => {
    const page = await visits.visit(lab, "/");
    await markMain(page);
    await pass(lab, page);
    await pass(lab, page);
    expect(lab.requests.filter((request) => request === "GET /")).toHaveLength(1);
    expect(await hasMark(page)).toBe(true);
    await pass(lab, page, 30 * MINUTE_MS);
    expect(await hasMark(page)).toBe(false);
  });

  test("is drawn anew with focus, filters and search as they were", async () => {
    const page = await visits.visit(lab, "/");
    await page.locator("#search").fill("сбер");
    await page.locator("#state-ok + span, label:has(#state-ok)").first().click();
    await page.locator("#state-all + span, label:has(#state-all)").first().click();
    await page.locator("[data-slug=ok] a").focus();
    await lab.publishDocuments(FAILING, NOW_MS);
    await lab.publishPages(FAILING);
    await markMain(page);
    await pass(lab, page);
    expect(await hasMark(page)).toBe(false);
    expect(await read(page, "document.activeElement.getAttribute('href')")).toBe("/status/ok");
    expect(await read(page, "document.activeElement.closest('li').className")).toMatch(/row/u);
    expect(await page.locator("#search").inputValue()).toBe("сбер");
    expect(await page.locator(".row:visible").count()).toBe(1);
  });

  test("leaves the focus on one of two links to the same page", async () => {
    const page = await visits.visit(lab, "/");
    await page.locator(".changes a[href='/status/ok']").first().focus();
    await lab.publishDocuments(FAILING, NOW_MS);
    await lab.publishPages(FAILING);
    await markMain(page);
    await pass(lab, page);
    expect(await hasMark(page)).toBe(false);
    expect(await read(page, "!!document.activeElement.closest('.changes')")).toBe(true);
  });

  test("is not drawn anew under a selection", async () => {
    const page = await visits.visit(lab, "/");
    await markMain(page);
    await page.evaluate(`getSelection().selectAllChildren(document.querySelector("h1"))`);
    await lab.publishDocuments(FAILING, NOW_MS);
    await lab.publishPages(FAILING);
    await pass(lab, page);
    expect(await hasMark(page)).toBe(true);
    expect(await shownOn(page)).toEqual(expectedOf(FAILING));
    await page.evaluate(`getSelection().removeAllRanges()`);
    await pass(lab, page);
    expect(await hasMark(page)).toBe(false);
  });

  test("says nothing of what makes no sense", async () => {
    const page = await visits.visit(lab, "/");
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
    lab.behaviour.bodies.set(LIST, JSON.stringify({ updated: UPDATED_MS / 1_000, services }));
    await pass(lab, page);
    expect(await shownOn(page)).toEqual(expectedOf(SPECIMEN));
    for (const body of [
      "",
      "[]",
      "null",
      '{"updated":"x","services":[]}',
      '{"updated":1,"services":7}',
    ]) {
      lab.behaviour.bodies.set(LIST, body);
      await pass(lab, page);
    }
    expect(await shownOn(page)).toEqual(expectedOf(SPECIMEN));
    expect(await textOf(page, "#notice")).toBe(WORDS.offline);
    expect(visits.complaints).toEqual([]);
  });
});

/** Only counts are other ones: another verdict may well take another line. */
const BUSY = withService(SPECIMEN, "ok", { reports: { hour: 31, day: 777, isSurging: false } });

test.each(
  ["/", "/en/", "/status/ok", "/en/status/ok", "/m/my-shop"].flatMap((path) =>
    [360, 768, 1_280].map((width) => [path, width] as const),
  ),
)(
  "nothing of %s moves at %i px while it is loaded, brought up to date and cut off",
  async (path, width) => {
    const page = await visits.visit(lab, path, { viewport: { width, height: 740 } });
    await page.evaluate(`{
    window.shifts = [];
    new PerformanceObserver((list) => {
      for (const { sources } of list.getEntries()) {
        window.shifts.push(sources.map(({ node }) => node?.outerHTML?.slice(0, 60)));
      }
    }).observe({ type: "layout-shift", buffered: true });
  }`);
    await lab.publishDocuments(BUSY, NOW_MS);
    await pass(lab, page);
    lab.behaviour.isDown = true;
    await pass(lab, page);
    await pass(lab, page);
    expect(await textOf(page, "#notice")).not.toBe("");
    expect(await read(page, "window.shifts")).toEqual([]);
  },
);

test("a page that never got an answer says so, and claims no age", async () => {
  lab.behaviour.bodies.set(LIST, '{"updated":"1","services":[]}');
  const page = await visits.visit(lab, "/");
  await pass(lab, page);
  await expect.poll(() => textOf(page, "#notice")).toBe(WORDS.offline);
  expect(await read(page, "document.body.className")).toBe("");
  expect(await page.locator("img.checked").first().isVisible()).toBe(true);
  expect(await shownOn(page)).toEqual(expectedOf(SPECIMEN));
});

test("a page of somebody on the way is not taken for ours", async () => {
  const page = await visits.visit(lab, "/");
  lab.behaviour.bodies.set("/", "<!doctype html><main>Sign in to the network</main>");
  await lab.publishDocuments(FAILING, NOW_MS);
  await pass(lab, page);
  expect(lab.requests.filter((request) => request === "GET /")).toHaveLength(2);
  expect(await shownOn(page)).toEqual(expectedOf(FAILING));
});

describe("the page of a service", () => {
  test("follows label, colour, mark, beginning and counts", async () => {
    const page = await visits.visit(lab, "/status/ok");
    expect(await shownOn(page)).toEqual(expectedOf(only(SPECIMEN, "ok")));
    await lab.publishDocuments(FAILING, NOW_MS);
    await pass(lab, page);
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
    await lab.publishPages(FAILING);
    await pass(lab, page);
    expect(await page.title()).toContain(VERDICT_LABELS.ru.fail);
    expect(await shownOn(page)).toEqual(expectedOf(only(FAILING, "ok")));
    expect(visits.complaints).toEqual([]);
  });

  test("speaks English where it is English", async () => {
    const page = await visits.visit(lab, "/en/status/ok");
    await lab.publishDocuments(FAILING, NOW_MS);
    await pass(lab, page);
    expect(await textOf(page, ".label")).toBe(VERDICT_LABELS.en.fail);
    expect(await textOf(page, "time.since")).toBe(formatMoment(NOW_MS - 7 * MINUTE_MS, "en"));
    expect(await textOf(page, "time.checked")).toBe(`${formatMoment(NOW_MS, "en")} MSK`);
  });

  test("does not interrupt whoever fills in the form, and keeps what was chosen", async () => {
    const page = await visits.visit(lab, "/status/ok");
    await markMain(page);
    await page.locator("#symptom-payments").focus();
    await page.keyboard.press("Space");
    await lab.publishDocuments(FAILING, NOW_MS);
    await lab.publishPages(FAILING);
    await pass(lab, page);
    expect(await hasMark(page)).toBe(true);
    expect(await read(page, "document.activeElement.id")).toBe("symptom-payments");
    expect(await textOf(page, ".label")).toBe(VERDICT_LABELS.ru.fail);

    await page.evaluate("document.activeElement.blur()");
    await pass(lab, page);
    expect(await hasMark(page)).toBe(false);
    expect(await page.locator("#symptom-payments").isChecked()).toBe(true);
    expect(await page.locator("form.report").count()).toBe(1);
  });

  test("says nothing of numbers that are none", async () => {
    const page = await visits.visit(lab, "/status/ok");
    const before = await page.locator("article").innerHTML();
    const ok = SPECIMEN.services.find(({ slug }) => slug === "ok");
    const detail = { slug: "ok", name: ok?.name, color: "ok", code: "ok", live: false };
    const odd = [
      { since: 1e300, reportsHour: -1, reportsDay: 1.5 },
      { since: "1", reportsHour: "7", reportsDay: null },
    ];
    for (const fields of odd) {
      lab.behaviour.bodies.set(`${LIST}/ok`, JSON.stringify({ ...detail, ...fields }));
      await pass(lab, page);
      expect(await page.locator("article").innerHTML()).toBe(before);
    }
    expect(visits.complaints).toEqual([]);
  });
});

describe("a page of a monitor", () => {
  test("is drawn anew after each run, and a snippet is copied by its button", async () => {
    const page = await visits.visit(lab, "/m/my-shop", {
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
    await pass(lab, page);
    expect(await hasMark(page)).toBe(true);
    await lab.publishDocuments(SPECIMEN, NOW_MS);
    await lab.publishPages(SPECIMEN, [
      monitorOf({ condition: "failing", code: "http-server-error" }),
    ]);
    await pass(lab, page);
    expect(await page.locator("article").getAttribute("data-condition")).toBe("failing");
    expect(await read(page, "document.activeElement.dataset.copy")).toBe("snippet-markdown");
    expect(await page.locator("[data-copy=snippet-markdown]").isVisible()).toBe(true);
    expect(visits.complaints).toEqual([]);
  });
});

test("a website below a path follows its own API, and draws its own pages", async () => {
  await lab.close();
  const root = "/site";
  const address = { ...SPECIMEN.address, root };
  lab = await openSpecimen({ root });
  await lab.publishPages({ ...SPECIMEN, address });
  const page = await visits.visit(lab, "/en/status/ok");
  await lab.publishDocuments(FAILING, NOW_MS);
  await lab.publishPages({ ...FAILING, address });
  await pass(lab, page);
  expect(await textOf(page, ".label")).toBe(VERDICT_LABELS.en.fail);
  expect(await page.title()).toContain(VERDICT_LABELS.en.fail);
  expect(lab.requests.every((request) => request.startsWith(`GET ${root}/`))).toBe(true);
  expect(visits.complaints).toEqual([]);
});

test("the script is no longer than 6 KB before it is packed", () => {
  expect(readScript("site.js").byteLength).toBeLessThanOrEqual(6 * 1_024);
});
