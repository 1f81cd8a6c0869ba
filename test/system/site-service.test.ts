import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../src/model/time.ts";
import { scriptWords } from "../../src/site/words/pages/script.ts";
import { SITE_FIXTURE } from "../site/site-fixture.ts";
import { withService } from "./site-harness.ts";
import { read } from "./site-visitors.ts";
import { receiveVisits, textOf, UPDATED_MS } from "./site-visits.ts";

const WORDS = scriptWords("ru");

const visits = receiveVisits();

test("a day without an hour stays as it was published", async () => {
  await visits.harness.publishDocuments(SITE_FIXTURE, UPDATED_MS);
  const page = await visits.visit("/status/restricted");
  await expect.poll(() => read(page, "document.body.classList.contains('fresh')")).toBe(true);
  expect(await textOf(page, ".annotations time")).toMatch(/^\d{1,2} \S+ \d{4}$/u);
});

describe("the operators of reports", () => {
  const shown = (page: Page): Promise<readonly string[]> =>
    page.locator(".operators tbody tr:visible th").allTextContents();

  test("begin with that of the visitor, if the front tells it", async () => {
    visits.harness.behaviour.bodies.set("/operator.txt", "rostelecom");
    const page = await visits.visit("/status/spike");
    await expect.poll(() => shown(page)).toEqual(["Ростелеком ваш", "МТС", "T2"]);
    await visits.pass(page, 31 * MINUTE_MS);
    await expect.poll(() => shown(page)).toEqual(["Ростелеком ваш", "МТС", "T2"]);
    expect(visits.harness.requests.filter((line) => line.endsWith("/operator.txt"))).toHaveLength(
      1,
    );
  });

  test("have a line for a visitor whose operator has few reports", async () => {
    visits.harness.behaviour.bodies.set("/operator.txt", "beeline");
    const page = await visits.visit("/en/status/spike");
    await expect.poll(() => shown(page)).toEqual(["Beeline yours", "MTS", "Rostelecom", "T2"]);
    expect(await page.locator(".own td").allTextContents()).toEqual(["few", "few", "–", "–"]);
  });

  test.each(["unknown", "<p>a page of another</p>"])(
    "stay as they were published after %j",
    async (body) => {
      visits.harness.behaviour.bodies.set("/operator.txt", body);
      const page = await visits.visit("/status/spike");
      await expect.poll(() => visits.harness.requests).toContain("GET /operator.txt");
      expect(await shown(page)).toEqual(["МТС", "Ростелеком", "T2"]);
    },
  );
});

describe("a report", () => {
  /** Opens a website that publishes a higher count with each report. */
  async function openCounting(burst?: number): Promise<void> {
    let count = 4;
    const publish = async (): Promise<void> => {
      const reports = { hour: count, day: count + 10, isSurging: false };
      await visits.harness.publishDocuments(
        withService(SITE_FIXTURE, "ok", { reports }),
        UPDATED_MS,
      );
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

  test("is counted on the sender's page, with thanks", async () => {
    await openCounting();
    const page = await visits.visit("/status/ok");
    await expect.poll(() => textOf(page, ".reports-hour")).toBe("4");
    await page.locator("label:has(#symptom-payments)").click();
    await page.locator(".report button").click();
    await expect.poll(() => textOf(page, ".reports-hour"), { interval: 20 }).toBe("5");
    expect(await textOf(page, ".reports-day")).toBe("15");
    expect(await textOf(page, "#reported")).toBe(WORDS.thanks);
    expect(visits.harness.reports).toMatchObject([{ slug: "ok", symptom: "payments" }]);
    expect(visits.complaints).toEqual([]);
  });

  test("needs no symptom, is sent by keyboard, and leaves the focus on its button", async () => {
    await openCounting();
    const page = await visits.visit("/status/ok");
    await page.locator(".report button").focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => textOf(page, "#reported")).toBe(WORDS.thanks);
    expect(visits.harness.reports).toHaveLength(1);
    expect(visits.harness.reports[0]?.symptom).toBeUndefined();
    expect(await read(page, "document.activeElement.type")).toBe("submit");
  });

  test("stays counted while a cache has the old document", async () => {
    await openCounting();
    const page = await visits.visit("/status/ok");
    const old = visits.harness.behaviour.bodies;
    const before = await (await fetch(`${visits.harness.url}/api/v1/status/ok`)).text();
    await page.locator(".report button").click();
    await expect.poll(() => textOf(page, ".reports-hour")).toBe("5");
    old.set("/api/v1/status/ok", before);
    await visits.pass(page);
    expect(await textOf(page, ".reports-hour")).toBe("5");
    await visits.pass(page, 2 * MINUTE_MS);
    expect(await textOf(page, ".reports-hour")).toBe("4");
  });

  test("is counted again an hour later", async () => {
    await openCounting();
    const page = await visits.visit("/status/ok");
    const press = (): Promise<void> => page.locator(".report button").click();
    await press();
    await expect.poll(() => textOf(page, "#reported")).toBe(WORDS.thanks);
    await page.clock.fastForward(HOUR_MS);
    await press();
    await expect.poll(() => visits.harness.reports.length).toBe(2);
  });

  test("is on its way until it is answered", async () => {
    await openCounting();
    const page = await visits.visit("/status/ok");
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route("**/report/ok", async (route) => {
      await held;
      await route.continue();
    });
    await page.locator(".report button").click();
    await page.locator(".report button").click();
    expect(await textOf(page, "#reported")).toBe(WORDS.sending);
    answer();
    await expect.poll(() => textOf(page, "#reported")).toBe(WORDS.thanks);
    expect(visits.harness.reports).toHaveLength(1);
  });

  test("that is limited, repeated or cannot be sent has its own message", async () => {
    await openCounting(1);
    const page = await visits.visit("/status/ok");
    const press = (): Promise<void> => page.locator(".report button").click();
    // After a plain form, only one message may be visible.
    await page.evaluate(`location.hash = "reported"`);
    expect(await page.locator(".thanks").isVisible()).toBe(true);
    await press();
    await expect.poll(() => textOf(page, "#reported")).toBe(WORDS.thanks);
    expect(await page.locator(".thanks").isVisible()).toBe(false);
    await press();
    await expect.poll(() => textOf(page, "#reported")).toBe(WORDS.counted);
    expect(await textOf(page, ".reports-hour")).toBe("5");
    expect(visits.harness.reports).toHaveLength(1);
    await page.goto(`${visits.harness.url}/status/fail`);
    await press();
    await expect.poll(() => textOf(page, "#reported")).toBe(WORDS.tooMany);
    await page.context().setOffline(true);
    await press();
    await expect.poll(() => textOf(page, "#reported")).toBe(WORDS.failed);
  });
});

describe("the history of a service", () => {
  const cellOf = (page: Page, unit: string): Promise<string> =>
    textOf(page, `.chart:has(#reader-${unit}) .cell`);

  test("is read by the arrow keys", async () => {
    const page = await visits.visit("/status/fail");
    const reader = page.locator("#reader-half-hour");
    await reader.focus();
    expect(await cellOf(page, "half-hour")).toBe(
      "21 ноября, 12:00–12:30 МСК: не открывается, 3 минуты — соединение сброшено при установке защиты (TLS), на 2 из 3 адресов",
    );
    expect(await reader.getAttribute("aria-valuetext")).toBe(await cellOf(page, "half-hour"));
    for (let step = 0; step < 4; step += 1) await page.keyboard.press("ArrowLeft");
    expect(await cellOf(page, "half-hour")).toBe("21 ноября, 10:00–10:30 МСК: работает");
  });

  test("is read by touch, and by pointer", async () => {
    const page = await visits.visit("/status/fail", { hasTouch: true });
    const strip = page.locator("#reader-half-hour");
    const { width = 0, height = 0 } = (await strip.boundingBox()) ?? {};
    const placeOf = (cell: number): number => ((cell + 0.5) / 48) * width;
    await strip.scrollIntoViewIfNeeded();
    await strip.tap({ position: { x: placeOf(19), y: 20 } });
    expect(await cellOf(page, "half-hour")).toBe(
      "20 ноября, 22:00–22:30 МСК: не открывается, 15 минут — сервер отвечает ошибкой, на 1 из 3 адресов",
    );
    await strip.hover({ position: { x: placeOf(20), y: 20 } });
    expect(await cellOf(page, "half-hour")).toBe("20 ноября, 22:30–23:00 МСК: работает");
    expect(height).toBeGreaterThanOrEqual(44);
  });

  test("has days in which an outage was short", async () => {
    const page = await visits.visit("/status/fail");
    const reader = page.locator("#reader-day");
    await reader.fill("80");
    expect(await cellOf(page, "day")).toBe(
      "12 ноября: короткий сбой, 25 минут — сервер не отвечает на попытку соединиться, на 3 из 3 адресов",
    );
    expect(await page.locator(".outages li").allTextContents()).toHaveLength(3);
  });
});
