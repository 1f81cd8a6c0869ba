import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/model/time.ts";
import { scriptWords } from "../../src/site/words/pages/script.ts";
import { NOW_MS, SITE_FIXTURE } from "../site/site-fixture.ts";
import { monitorOf } from "../site/monitor-fixture.ts";
import { withService } from "./site-harness.ts";
import { hide, read, settle } from "./site-visitors.ts";
import { expectedOf, only, receiveVisits, shownOn, textOf, UPDATED_MS } from "./site-visits.ts";

const WORDS = scriptWords("ru");

const visits = receiveVisits();

const isStale = (page: Page): Promise<boolean> =>
  read(page, `document.body.classList.contains("stale")`);

/** Neither heading, marks, title nor text say that something is so now. */
async function expectNothingOfNow(page: Page): Promise<void> {
  const { none } = WORDS.codes;
  expect(await page.title()).toBe(none);
  expect(await textOf(page, "h1")).toBe(none);
  expect(new Set(await page.locator(".row .label").allTextContents())).toEqual(new Set([none]));
  expect(await page.locator(".problems").isVisible()).toBe(false);
  expect(await page.locator(".totals").isVisible()).toBe(false);
  expect(await page.locator("body").innerText()).not.toMatch(/сейчас/iu);
}

describe("old data", () => {
  const STALE = WORDS.stale.replace("{time}", "12:03 МСК");

  test.each([
    ["right", 0],
    ["a year slow", -365 * 24 * HOUR_MS],
    ["a year fast", 365 * 24 * HOUR_MS],
  ])("is detected by the server's clock if the visitor's is %s", async (_name, offMs) => {
    const page = await visits.visit("/", {}, NOW_MS + offMs);
    expect(await isStale(page)).toBe(false);
    expect(await page.locator("#notice").isVisible()).toBe(false);

    visits.harness.behaviour.nowMs = UPDATED_MS + 15 * MINUTE_MS - 5 * SECOND_MS;
    await visits.pass(page);
    expect(await isStale(page)).toBe(false);
    visits.harness.behaviour.nowMs = UPDATED_MS + 15 * MINUTE_MS + SECOND_MS;
    await visits.pass(page);
    expect(await isStale(page)).toBe(true);
    expect(await textOf(page, "#notice")).toBe(STALE);
    expect(await page.locator("#notice").isVisible()).toBe(true);
    await expectNothingOfNow(page);

    await visits.harness.publishDocuments(SITE_FIXTURE, visits.harness.behaviour.nowMs);
    await visits.pass(page);
    expect(await isStale(page)).toBe(false);
    expect(await page.locator("#notice").isVisible()).toBe(false);
    expect(await shownOn(page)).toEqual(expectedOf(SITE_FIXTURE));
    expect(await textOf(page, "h1")).toBe("Сбои у 3 сервисов");
    expect(visits.complaints).toEqual([]);
  });

  test("has no colour of a state", async () => {
    const page = await visits.visit("/");
    const colors = (): Promise<readonly string[]> =>
      read(
        page,
        `[...new Set([...document.querySelectorAll("main .light")].map((light) =>
          getComputedStyle(light).backgroundColor))]`,
      );
    expect(await colors()).toHaveLength(4);
    visits.harness.behaviour.nowMs += HOUR_MS;
    await visits.pass(page);
    expect(await colors()).toHaveLength(1);
  });

  test("is detected by the Age of a cached answer", async () => {
    visits.harness.behaviour.headers = { Age: String(14 * 60) };
    const page = await visits.visit("/");
    await expect.poll(() => isStale(page)).toBe(true);
    visits.harness.behaviour.headers = {};
    await visits.harness.publishDocuments(SITE_FIXTURE, NOW_MS);
    await visits.pass(page);
    expect(await isStale(page)).toBe(false);
  });

  test("is detected by the page's own clock while the site does not answer", async () => {
    const page = await visits.visit("/status/fail");
    visits.harness.behaviour.isDown = true;
    await visits.pass(page);
    expect(await page.locator("#notice").isVisible()).toBe(false);
    await visits.pass(page);
    expect(await textOf(page, "#notice")).toBe(WORDS.offline);
    expect(await isStale(page)).toBe(false);
    expect(await page.locator(".unanswered:visible").count()).toBe(0);
    await visits.pass(page, 12 * MINUTE_MS);
    expect(await isStale(page)).toBe(true);
    // The answers are replaced by what is known of them.
    expect(await page.locator(".questions:visible, .advice:visible").count()).toBe(0);
    expect(await page.locator(".unanswered:visible").allTextContents()).toEqual([
      "Свежих проверок нет, поэтому мы не знаем, работает ли сервис.",
    ]);
    expect(await textOf(page, "#notice")).toBe(WORDS.offline);
    visits.harness.behaviour.isDown = false;
    visits.harness.behaviour.nowMs += 14 * MINUTE_MS;
    await visits.pass(page);
    expect(await textOf(page, "#notice")).toBe(STALE);
  });
});

test("a notice is shown while the visitor has no network", async () => {
  const page = await visits.visit("/");
  await page.context().setOffline(true);
  for (let tries = 0; tries < 2; tries += 1) {
    expect(await page.locator("#notice").isVisible()).toBe(false);
    await page.clock.fastForward(MINUTE_MS);
    await settle(page);
  }
  expect(await textOf(page, "#notice")).toBe(WORDS.offline);
  expect(await shownOn(page)).toEqual(expectedOf(SITE_FIXTURE));
  await page.clock.fastForward(11 * SECOND_MS);
  await page.context().setOffline(false);
  await expect.poll(() => page.locator("#notice").isVisible()).toBe(false);
});

test("a hidden page requests nothing, and requests at once when it is shown", async () => {
  const page = await visits.visit("/");
  await hide(page, true);
  // The browser may request the icon even after the page is hidden.
  const asked = (): readonly string[] =>
    visits.harness.requests.filter((request) => request.includes("/api/"));
  const before = asked().length;
  await page.clock.runFor(5 * MINUTE_MS);
  expect(asked()).toHaveLength(before);
  await hide(page, false);
  await expect.poll(() => asked().slice(before)).toEqual(["GET /api/v1/status"]);
});

describe("search and filters", () => {
  const slugsOn = (page: Page): Promise<readonly string[]> =>
    read(
      page,
      `[...new Set([...document.querySelectorAll(".row")].filter((row) => row.checkVisibility())
        .map((row) => row.dataset.slug))]`,
    );
  const headingsOn = (page: Page): Promise<number> =>
    read(
      page,
      `[...document.querySelectorAll("main section:has(.row) h2")].filter((title) => title.checkVisibility()).length`,
    );
  const found = (count: number): string => WORDS.found.replace("{count}", String(count));

  test("find a service in any case, alphabet and keyboard layout", async () => {
    const page = await visits.visit("/");
    const meant = [
      ["сбер", "ok"],
      ["СБЕР", "ok"],
      ["онлайн сбер", "ok"],
      ["sberbank", "ok"],
      ["c,th", "ok"],
      ["ыеуфь", "fail-long"],
      ["rutube", "slow"],
    ] as const;
    for (const [text, slug] of meant) {
      await page.locator("#search").fill(text);
      expect([text, await slugsOn(page)]).toEqual([text, [slug]]);
      // Only hits, directly below the field.
      expect(await headingsOn(page)).toBe(0);
      expect(await textOf(page, "#found")).toBe(found(1));
    }
  });

  test("е finds ё, and ё finds е", async () => {
    const view = withService(SITE_FIXTURE, "ok", { name: "Кинопоиск Полёт", slug: "flight" });
    await visits.harness.publishPages(withService(view, "fail", { name: "Перекресток" }));
    const page = await visits.visit("/");
    await page.locator("#search").fill("полет");
    expect(await slugsOn(page)).toEqual(["flight"]);
    await page.locator("#search").fill("перекрёсток");
    expect(await slugsOn(page)).toEqual(["fail"]);
  });

  test("a search finds services that the filters hide, and Enter opens the first", async () => {
    const page = await visits.visit("/?state=ok");
    expect(await slugsOn(page)).not.toContain("slow");
    await page.locator("#search").fill("rutube");
    expect(await slugsOn(page)).toEqual(["slow"]);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/status\/slow$/u);
  });

  test("the address has search and filters, and opens with them", async () => {
    const page = await visits.visit("/");
    await page.locator("#search").fill("сбер");
    const query = (): Promise<string> => read(page, "location.search");
    expect(new URLSearchParams(await query()).get("q")).toBe("сбер");
    await page
      .locator("label", { has: page.locator("#state-problems") })
      .waitFor({ state: "hidden" });
    await page.reload();
    expect(await slugsOn(page)).toEqual(["ok"]);
    await page.locator("#all").click();
    expect(await query()).toBe("");
    await page.locator("label", { has: page.locator("#state-problems") }).click();
    expect(await query()).toBe("?state=problems");
    const shown = await slugsOn(page);
    await page.reload();
    expect(await slugsOn(page)).toEqual(shown);
  });

  test("without a hit, similar names are offered", async () => {
    const page = await visits.visit("/");
    await page.locator("#search").fill("rutuzzzz");
    expect(await textOf(page, "#hits .hint")).toBe(WORDS.near);
    expect(await slugsOn(page)).toEqual(["slow"]);
    await page.locator("#search").fill("qqqq");
    expect(await textOf(page, "#hits .hint")).toBe(WORDS.unknown);
    expect(await slugsOn(page)).toEqual([]);
  });

  test("work by keyboard alone", async () => {
    const page = await visits.visit("/");
    const all = await slugsOn(page);
    expect([...all].toSorted()).toEqual(SITE_FIXTURE.services.map(({ slug }) => slug).toSorted());
    expect(await textOf(page, "#found")).toBe("");
    const isOn = (selector: string): Promise<boolean> =>
      read(page, `document.activeElement.matches(${JSON.stringify(selector)})`);
    const tabTo = async (selector: string): Promise<void> => {
      for (let tries = 0; tries < 20 && !(await isOn(selector)); tries += 1) {
        await page.keyboard.press("Tab");
      }
      expect(await isOn(selector)).toBe(true);
    };
    await tabTo("#search");
    await page.keyboard.type("zzz");
    expect(await slugsOn(page)).toEqual([]);
    expect(await headingsOn(page)).toBe(0);
    expect(await textOf(page, "#found")).toBe(WORDS.nothing);
    await page.keyboard.press("Escape");
    expect(await page.locator("#search").inputValue()).toBe("");
    expect(await slugsOn(page)).toEqual(all);

    await tabTo("[name=state]");
    await page.keyboard.press("ArrowRight");
    const troubled = SITE_FIXTURE.services.filter(({ verdict: { color } }) =>
      ["bad", "warn"].includes(color),
    );
    expect([...(await slugsOn(page))].toSorted()).toEqual(
      troubled.map(({ slug }) => slug).toSorted(),
    );
    expect(await textOf(page, "#found")).toBe(found(troubled.length));
    await tabTo("[name=category]");
    await page.keyboard.press("ArrowRight");
    const banks = troubled.filter(({ category }) => category.id === "banks");
    expect([...(await slugsOn(page))].toSorted()).toEqual(banks.map(({ slug }) => slug).toSorted());
    expect(await textOf(page, "#found")).toBe(found(banks.length));
    await tabTo(".row a");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/status\//u);
  });
});

describe("without JavaScript", () => {
  const options = { javaScriptEnabled: false };

  test("labels and counts are readable, and controls that need a script are hidden", async () => {
    const page = await visits.visit("/", options);
    const labels = await page.locator(".groups .row .label").allTextContents();
    expect(labels.toSorted()).toEqual(
      expectedOf(SITE_FIXTURE)
        .map(({ label }) => label)
        .toSorted(),
    );
    // Each service once: a problem in its group, any other in its category.
    expect(await page.locator("main .row:visible").count()).toBe(SITE_FIXTURE.services.length);
    expect(await page.locator("#search").isVisible()).toBe(false);
    expect(await page.locator("img.checked").first().isVisible()).toBe(true);
    await page.locator("label:has(#state-none)").click();
    const silent = SITE_FIXTURE.services.filter(({ verdict }) => verdict.color === "none");
    expect(await page.locator(".row:visible").count()).toBe(silent.length);

    await page.goto(`${visits.harness.url}/status/fail`);
    expect(await textOf(page, ".label")).toBe(expectedOf(only(SITE_FIXTURE, "fail"))[0]?.label);
    expect(await textOf(page, ".reports-day")).toBe("1213");
    await page.goto(`${visits.harness.url}/m/${monitorOf().id}`);
    expect(await page.locator(".copy:visible").count()).toBe(0);
  });

  test("the form sends a report, and leads back to the page", async () => {
    const page = await visits.visit("/status/fail", options);
    await page.locator("label:has(#symptom-login)").click();
    await page.locator(".report button").click();
    await page.waitForURL(`${visits.harness.url}/status/fail#reported`);
    expect(visits.harness.reports).toMatchObject([{ slug: "fail", symptom: "login" }]);
    expect(visits.harness.requests).toContain("POST /report/fail");
    expect(await textOf(page, "h1")).toBe("ВТБ Онлайн");
  });

  test.each([
    ["", "Спасибо, жалоба принята."],
    ["/en", "Thank you, your report was accepted."],
  ])("the form of %s/status/fail thanks in its language", async (prefix, thanks) => {
    const phone = { ...options, viewport: { width: 360, height: 640 } };
    const page = await visits.visit(`${prefix}/status/fail`, phone);
    expect(await page.locator(".thanks").isVisible()).toBe(false);
    await page.locator(".report button").click();
    await page.waitForURL(`${visits.harness.url}${prefix}/status/fail#reported`);
    expect(await page.locator(".thanks").isVisible()).toBe(true);
    expect(await textOf(page, ".thanks")).toBe(thanks);
    const box = await page.locator(".thanks").boundingBox();
    expect(box?.y).toBeGreaterThan(0);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(640);
    // The page stays where the button was pressed.
    expect((await page.locator(".report button").boundingBox())?.y).toBeGreaterThan(0);
  });
});
