import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/model/time.ts";
import { scriptWords } from "../../src/site/words/script.ts";
import { formatMoment } from "../../src/site/words/time.ts";
import { monitorOf, NOW_MS, SPECIMEN } from "../site/specimen.ts";
import { withService } from "./site-lab.ts";
import { hide, read, settle } from "./site-visitors.ts";
import { expectedOf, only, receiveVisits, shownOn, textOf, UPDATED_MS } from "./site-visits.ts";

const WORDS = scriptWords("ru");

const visits = receiveVisits();

const isStale = (page: Page): Promise<boolean> =>
  read(page, `document.body.classList.contains("stale")`);

describe("data that is old", () => {
  const STALE = WORDS.stale.replace("{time}", formatMoment(UPDATED_MS, "ru"));

  test.each([
    ["right", 0],
    ["a year slow", -365 * 24 * HOUR_MS],
    ["a year fast", 365 * 24 * HOUR_MS],
  ])(
    "is told from fresh data by the server's clock, the visitor's being %s",
    async (_name, offMs) => {
      const page = await visits.visit("/", {}, NOW_MS + offMs);
      expect(await isStale(page)).toBe(false);
      expect(await page.locator("#notice").isVisible()).toBe(false);

      visits.lab.behaviour.nowMs = UPDATED_MS + 15 * MINUTE_MS - 5 * SECOND_MS;
      await visits.pass(page);
      expect(await isStale(page)).toBe(false);
      visits.lab.behaviour.nowMs = UPDATED_MS + 15 * MINUTE_MS + SECOND_MS;
      await visits.pass(page);
      expect(await isStale(page)).toBe(true);
      expect(await textOf(page, "#notice")).toBe(STALE);
      expect(await page.locator("#notice").isVisible()).toBe(true);

      await visits.lab.publishDocuments(SPECIMEN, visits.lab.behaviour.nowMs);
      await visits.pass(page);
      expect(await isStale(page)).toBe(false);
      expect(await page.locator("#notice").isVisible()).toBe(false);
      expect(visits.complaints).toEqual([]);
    },
  );

  test("shows no colour of a state", async () => {
    const page = await visits.visit("/");
    const colors = (): Promise<readonly string[]> =>
      read(
        page,
        `[...new Set([...document.querySelectorAll("main .light")].map((light) =>
          getComputedStyle(light).backgroundColor))]`,
      );
    expect(await colors()).toHaveLength(4);
    visits.lab.behaviour.nowMs += HOUR_MS;
    await visits.pass(page);
    expect(await colors()).toHaveLength(1);
  });

  test("is known by the time that caches kept it, too", async () => {
    visits.lab.behaviour.headers = { Age: String(14 * 60) };
    const page = await visits.visit("/");
    await expect.poll(() => isStale(page)).toBe(true);
    visits.lab.behaviour.headers = {};
    await visits.lab.publishDocuments(SPECIMEN, NOW_MS);
    await visits.pass(page);
    expect(await isStale(page)).toBe(false);
  });

  test("is known while nothing answers, by the clock that runs with the page", async () => {
    const page = await visits.visit("/status/fail");
    visits.lab.behaviour.isDown = true;
    await visits.pass(page);
    expect(await page.locator("#notice").isVisible()).toBe(false);
    await visits.pass(page);
    expect(await textOf(page, "#notice")).toBe(WORDS.offline);
    expect(await isStale(page)).toBe(false);
    await visits.pass(page, 12 * MINUTE_MS);
    expect(await isStale(page)).toBe(true);
    expect(await textOf(page, "#notice")).toBe(WORDS.offline);
    visits.lab.behaviour.isDown = false;
    visits.lab.behaviour.nowMs += 14 * MINUTE_MS;
    await visits.pass(page);
    expect(await textOf(page, "#notice")).toBe(STALE);
  });
});

test("a visitor without a network is told so, and no longer once it is back", async () => {
  const page = await visits.visit("/");
  await page.context().setOffline(true);
  for (let tries = 0; tries < 2; tries += 1) {
    expect(await page.locator("#notice").isVisible()).toBe(false);
    await page.clock.fastForward(MINUTE_MS);
    await settle(page);
  }
  expect(await textOf(page, "#notice")).toBe(WORDS.offline);
  expect(await shownOn(page)).toEqual(expectedOf(SPECIMEN));
  await page.clock.fastForward(11 * SECOND_MS);
  await page.context().setOffline(false);
  await expect.poll(() => page.locator("#notice").isVisible()).toBe(false);
});

test("a page that nobody sees asks nothing, and asks at once when somebody does", async () => {
  const page = await visits.visit("/");
  await hide(page, true);
  const before = visits.lab.requests.length;
  await page.clock.runFor(5 * MINUTE_MS);
  expect(visits.lab.requests).toHaveLength(before);
  await hide(page, false);
  await expect.poll(() => visits.lab.requests.slice(before)).toEqual(["GET /api/v1/status"]);
});

describe("search and filters", () => {
  const slugsOn = (page: Page): Promise<readonly string[]> =>
    read(
      page,
      `[...document.querySelectorAll(".row")].filter((row) => row.checkVisibility())
        .map((row) => row.dataset.slug)`,
    );
  const headingsOn = (page: Page): Promise<number> =>
    read(
      page,
      `[...document.querySelectorAll("main section:has(.row) h2")].filter((title) => title.checkVisibility()).length`,
    );
  const found = (count: number): string => WORDS.found.replace("{count}", String(count));

  test("find what was meant, whatever the keyboard and the letters", async () => {
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
      expect(await headingsOn(page)).toBe(1);
      expect(await textOf(page, "#found")).toBe(found(1));
    }
  });

  test("е finds ё, and ё finds е", async () => {
    const view = withService(SPECIMEN, "ok", { name: "Кинопоиск Полёт", slug: "flight" });
    await visits.lab.publishPages(withService(view, "fail", { name: "Перекресток" }));
    const page = await visits.visit("/");
    await page.locator("#search").fill("полет");
    expect(await slugsOn(page)).toEqual(["flight"]);
    await page.locator("#search").fill("перекрёсток");
    expect(await slugsOn(page)).toEqual(["fail"]);
  });

  test("work by keyboard alone", async () => {
    const page = await visits.visit("/");
    const all = await slugsOn(page);
    expect([...all].toSorted()).toEqual(SPECIMEN.services.map(({ slug }) => slug).toSorted());
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
    const troubled = SPECIMEN.services.filter(({ verdict: { color } }) =>
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

describe("a report", () => {
  /** Counts that grow with each report, which are published with it. */
  async function openCounting(burst?: number): Promise<void> {
    let count = 4;
    const publish = async (): Promise<void> => {
      const reports = { hour: count, day: count + 10, isSurging: false };
      await visits.lab.publishDocuments(withService(SPECIMEN, "ok", { reports }), UPDATED_MS);
    };
    await visits.reopen({
      ...(burst === undefined ? {} : { burst }),
      async onReport() {
        count += 1;
        await publish();
      },
      countsOf: () => ({ hour: count, day: count + 10 }),
    });
    await publish();
  }

  test("counts on the page of who sent it, and is thanked for", async () => {
    await openCounting();
    const page = await visits.visit("/status/ok");
    await expect.poll(() => textOf(page, ".reports-hour")).toBe("4");
    await page.locator("label:has(#symptom-payments)").click();
    await page.locator(".report button").click();
    await expect.poll(() => textOf(page, ".reports-hour"), { interval: 20 }).toBe("5");
    expect(await textOf(page, ".reports-day")).toBe("15");
    expect(await textOf(page, "#reported")).toBe(WORDS.thanks);
    expect(visits.lab.reports).toMatchObject([{ slug: "ok", symptom: "payments" }]);
    expect(visits.complaints).toEqual([]);
  });

  test("needs no symptom, is sent by keyboard, and leaves the focus on its button", async () => {
    await openCounting();
    const page = await visits.visit("/status/ok");
    await page.locator(".report button").focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => textOf(page, "#reported")).toBe(WORDS.thanks);
    expect(visits.lab.reports).toHaveLength(1);
    expect(visits.lab.reports[0]?.symptom).toBeUndefined();
    expect(await read(page, "document.activeElement.type")).toBe("submit");
  });

  test("is not taken back by a cache that does not know of it yet", async () => {
    await openCounting();
    const page = await visits.visit("/status/ok");
    const old = visits.lab.behaviour.bodies;
    const before = await (await fetch(`${visits.lab.url}/api/v1/status/ok`)).text();
    await page.locator(".report button").click();
    await expect.poll(() => textOf(page, ".reports-hour")).toBe("5");
    old.set("/api/v1/status/ok", before);
    await visits.pass(page);
    expect(await textOf(page, ".reports-hour")).toBe("5");
    await visits.pass(page, 2 * MINUTE_MS);
    expect(await textOf(page, ".reports-hour")).toBe("4");
  });

  test("that is one too many is told so, and one that cannot be sent", async () => {
    await openCounting(1);
    const page = await visits.visit("/status/ok");
    const press = (): Promise<void> => page.locator(".report button").click();
    // Where a plain form has led to, no two things are said at once.
    await page.evaluate(`location.hash = "reported"`);
    expect(await page.locator(".thanks").isVisible()).toBe(true);
    await press();
    await expect.poll(() => textOf(page, "#reported")).toBe(WORDS.thanks);
    await press();
    await expect.poll(() => textOf(page, "#reported")).toBe(WORDS.tooMany);
    expect(await page.locator(".thanks").isVisible()).toBe(false);
    expect(await textOf(page, ".reports-hour")).toBe("5");
    await page.context().setOffline(true);
    await press();
    await expect.poll(() => textOf(page, "#reported")).toBe(WORDS.failed);
  });
});

describe("without JavaScript", () => {
  const options = { javaScriptEnabled: false };

  test("every label, light and number reads, and nothing offers what does not work", async () => {
    const page = await visits.visit("/", options);
    const labels = await page.locator(".row .label").allTextContents();
    expect(labels.toSorted()).toEqual(
      expectedOf(SPECIMEN)
        .map(({ label }) => label)
        .toSorted(),
    );
    expect(await page.locator(".row:visible").count()).toBe(SPECIMEN.services.length);
    expect(await page.locator("#search").isVisible()).toBe(false);
    expect(await page.locator("img.checked").first().isVisible()).toBe(true);
    await page.locator("label:has(#state-none)").click();
    const silent = SPECIMEN.services.filter(({ verdict }) => verdict.color === "none");
    expect(await page.locator(".row:visible").count()).toBe(silent.length);

    await page.goto(`${visits.lab.url}/status/fail`);
    expect(await textOf(page, ".label")).toBe(expectedOf(only(SPECIMEN, "fail"))[0]?.label);
    expect(await textOf(page, ".reports-day")).toBe("1213");
    await page.goto(`${visits.lab.url}/m/${monitorOf().id}`);
    expect(await page.locator(".copy:visible").count()).toBe(0);
  });

  test("the form reports, and leads back to the page", async () => {
    const page = await visits.visit("/status/fail", options);
    await page.locator("label:has(#symptom-login)").click();
    await page.locator(".report button").click();
    await page.waitForURL(`${visits.lab.url}/status/fail#reported`);
    expect(visits.lab.reports).toMatchObject([{ slug: "fail", symptom: "login" }]);
    expect(visits.lab.requests).toContain("POST /report/fail");
    expect(await textOf(page, "h1")).toBe("ВТБ Онлайн");
  });

  test.each([
    ["", "Спасибо, жалоба принята."],
    ["/en", "Thank you, your report was accepted."],
  ])("the form of %s/status/fail thanks, in its language", async (prefix, thanks) => {
    const phone = { ...options, viewport: { width: 360, height: 640 } };
    const page = await visits.visit(`${prefix}/status/fail`, phone);
    expect(await page.locator(".thanks").isVisible()).toBe(false);
    await page.locator(".report button").click();
    await page.waitForURL(`${visits.lab.url}${prefix}/status/fail#reported`);
    expect(await page.locator(".thanks").isVisible()).toBe(true);
    expect(await textOf(page, ".thanks")).toBe(thanks);
    const box = await page.locator(".thanks").boundingBox();
    expect(box?.y).toBeGreaterThan(0);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(640);
    // Where it was pressed, not cut off at the edge.
    expect((await page.locator(".report button").boundingBox())?.y).toBeGreaterThan(0);
  });
});
