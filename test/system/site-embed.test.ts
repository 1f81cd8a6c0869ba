import { mkdirSync } from "node:fs";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DAY_MS, MINUTE_MS } from "../../src/model/time.ts";
import { type Listening } from "../../src/http-server/listen.ts";
import { listenPreview } from "../preview/listen-preview.ts";
import type { Language } from "../../src/contract/codes/language.ts";
import type { ServiceView } from "../../src/site/view.ts";
import { VERDICT_LABELS } from "../../src/contract/codes/verdict-words.ts";
import { HOSTILE_NAME, NOW_MS, SITE_FIXTURE } from "../site/site-fixture.ts";
import { runAxe } from "./site-axe.ts";
import { openSiteHarness, type SiteHarness, withService } from "./site-harness.ts";
import { hide, read, receiveVisitors, settle } from "./site-visitors.ts";

/** Folder for screenshots; without the variable, none are taken. */
const FOLDER = process.env["SITE_SCREENSHOTS"];

let harness: SiteHarness;
/** A page of another site, on another origin. */
let host: Listening;
let hostPage: { html: string; policy: string };

beforeAll(async () => {
  if (FOLDER !== undefined) mkdirSync(FOLDER, { recursive: true });
  host = await listenPreview(
    () =>
      new Response(hostPage.html, {
        headers: {
          "Content-Type": "text/html; charset=windows-1251",
          "Content-Security-Policy": hostPage.policy,
        },
      }),
    { port: 0 },
  );
});

afterAll(() => host.close());

beforeEach(async () => {
  harness = await openSiteHarness({ nowMs: NOW_MS });
  await harness.publishDocuments(SITE_FIXTURE, NOW_MS - 2 * MINUTE_MS);
});

// Hooks run in reverse order: the server is closed last, because it waits for the connections of visitors.
afterEach(() => harness.close());
const visitors = receiveVisitors();

interface Visit extends BrowserContextOptions {
  /** Attributes of the element. */
  readonly element?: string;
  readonly policy?: string;
  /** The visitor's clock. */
  readonly nowMs?: number;
}

/** Shows the element on a page of another origin with the strictest policy that allows it. */
async function visit({
  element = 'slugs="ok"',
  policy = `default-src 'none'; script-src ${harness.url}; connect-src ${harness.url}; require-trusted-types-for 'script'; trusted-types`,
  nowMs = NOW_MS,
  ...rest
}: Visit): Promise<Page> {
  hostPage = {
    policy,
    html: `<!doctype html><html lang="ru"><title>Host</title><main><h1>Host</h1><status-snapshot ${element}></status-snapshot></main><script src="${harness.url}/embed.js" defer></script>`,
  };
  return await visitors.visit(host.url, { ...rest, nowMs });
}

/** Lets a minute pass on the page, and waits for the element's update. */
async function pass(page: Page, ms: number = MINUTE_MS): Promise<void> {
  await page.clock.fastForward(ms);
  await settle(page);
}

interface ShownRow {
  readonly name: string;
  readonly href: string | null;
  readonly label: string;
  readonly live: string;
  readonly color: string;
}

/** The rows of the element. */
const rowsOf = (page: Page): Promise<readonly ShownRow[]> =>
  read(
    page,
    `[...document.querySelector("status-snapshot").shadowRoot.querySelectorAll("li")].map((row) => ({
      name: row.querySelector("a").textContent,
      href: row.querySelector("a").getAttribute("href"),
      label: row.querySelector("span > span").textContent,
      live: row.querySelector("em").textContent,
      color: row.dataset.color,
    }))`,
  );

/** The line below the rows: source, time of the check, and problems. */
const footOf = async (page: Page): Promise<string> =>
  String(
    await page.evaluate(
      `document.querySelector("status-snapshot").shadowRoot.querySelector("p").innerText`,
    ),
  );

const expectedRow =
  (language: Language) =>
  ({ slug, name, verdict }: ServiceView): ShownRow => ({
    name,
    href: `${harness.url}${language === "en" ? "/en" : ""}/status/${slug}`,
    label: VERDICT_LABELS[language][verdict.code],
    live: verdict.live ? { ru: "сейчас", en: "now" }[language] : "",
    color: verdict.color,
  });

const FAILING = withService(SITE_FIXTURE, "ok", {
  verdict: { code: "fail", color: "bad", live: true, sinceMs: NOW_MS },
});

const SLUGS = SITE_FIXTURE.services.map(({ slug }) => slug);

describe("the element", () => {
  test.each(["ru", "en"] as const)(
    "shows every service as in the API, in language %s",
    async (language) => {
      const page = await visit({ element: `slugs="${SLUGS.join(", ")}" lang="${language}"` });
      expect(await rowsOf(page)).toEqual(SITE_FIXTURE.services.map(expectedRow(language)));
      expect(await footOf(page)).toContain({ ru: "12:03 МСК", en: "12:03 MSK" }[language]);
      expect(new Set(SITE_FIXTURE.services.map(({ verdict }) => verdict.code)).size).toBe(13);
      expect(visitors.complaints).toEqual([]);
    },
  );

  test("has the English names where there are some, also of a later language", async () => {
    await harness.put("names.json", '{"en":{"ok":"Pike"}}');
    const page = await visit({ element: 'slugs="ok fail" lang="en"' });
    const russian = SITE_FIXTURE.services.find(({ slug }) => slug === "fail")?.name;
    expect(await rowsOf(page)).toMatchObject([{ name: "Pike" }, { name: russian }]);
    const later = await visit({ element: 'slugs="ok"' });
    await later.evaluate(`document.querySelector("status-snapshot").lang = "en"`);
    await expect.poll(() => rowsOf(later)).toMatchObject([{ name: "Pike" }]);
  });

  test("shows the slug of an unknown service, without a link", async () => {
    const page = await visit({ element: 'slugs="ok, no-such  ok"' });
    expect(await rowsOf(page)).toMatchObject([
      { label: "Работает" },
      { name: "no-such", href: null, label: "Такого сервиса в списке нет", color: "none" },
    ]);
  });

  test("says in English what is unknown, old or not reached", async () => {
    const page = await visit({ element: 'slugs="ok, no-such" lang="en"' });
    expect(await rowsOf(page)).toMatchObject([{}, { label: "No such service in the list" }]);
    harness.behaviour.isDown = true;
    for (let minute = 0; minute < 2; minute += 1) await pass(page);
    expect(await footOf(page)).toContain("The site cannot be reached.");
    harness.behaviour.isDown = false;
    await harness.publishDocuments(SITE_FIXTURE, NOW_MS - 16 * MINUTE_MS);
    const old = await visit({ element: 'slugs="ok" lang="en"' });
    await expect.poll(() => footOf(old)).toContain("This data is out of date.");
    const blocked = await visit({
      element: 'slugs="ok" lang="en"',
      policy: `default-src 'none'; script-src ${harness.url}`,
    });
    expect(await rowsOf(blocked)).toMatchObject([{ label: "State unknown" }]);
  });

  test("shows other services and another language when its attributes change", async () => {
    const page = await visit({});
    expect(await rowsOf(page)).toHaveLength(1);
    await page.evaluate(`{
      const element = document.querySelector("status-snapshot");
      element.setAttribute("slugs", "fail err");
      element.setAttribute("lang", "en");
    }`);
    const wanted = SITE_FIXTURE.services.filter(({ slug }) => ["fail", "err"].includes(slug));
    expect(await rowsOf(page)).toEqual(wanted.map(expectedRow("en")));
  });

  test("shows a hostile name as text", async () => {
    const page = await visit({ element: 'slugs="hostile"' });
    expect(await rowsOf(page)).toMatchObject([{ name: HOSTILE_NAME }]);
    expect(await page.evaluate("document.querySelectorAll('status-snapshot *').length")).toBe(0);
    expect(visitors.complaints).toEqual([]);
  });

  test("has its own colours, by preference and attribute, despite a strict policy", async () => {
    const page = await visit({ colorScheme: "dark" });
    const ground = `getComputedStyle(document.querySelector("status-snapshot").shadowRoot.querySelector("section")).backgroundColor`;
    expect(await page.evaluate(ground)).toBe("rgb(28, 31, 35)");
    await page.evaluate(`document.querySelector("status-snapshot").setAttribute("theme", "light")`);
    expect(await page.evaluate(ground)).toBe("rgb(255, 255, 255)");
  });

  test.each(["light", "dark"] as const)(
    "has no violation for axe, on a %s page",
    async (colorScheme) => {
      const page = await visit({ element: `slugs="${SLUGS.join(" ")} no-such"`, colorScheme });
      expect(await rowsOf(page)).toHaveLength(SLUGS.length + 1);
      expect(await footOf(page)).toContain("проверено");
      const { violations, passed } = await runAxe(page, `"status-snapshot"`);
      expect(violations).toEqual([]);
      expect(passed).toBeGreaterThan(5);
      if (FOLDER === undefined) return;
      await page.setViewportSize({ width: 360, height: 300 });
      await page.screenshot({ path: `${FOLDER}/embed-${colorScheme}.png`, fullPage: true });
    },
  );
});

describe("a change", () => {
  test("is shown within a minute, and a focused link keeps the focus", async () => {
    const page = await visit({});
    expect(await rowsOf(page)).toMatchObject([{ color: "ok" }]);
    await page.keyboard.press("Tab");
    await harness.publishDocuments(FAILING, NOW_MS + MINUTE_MS);
    await pass(page);
    expect(await rowsOf(page)).toEqual(
      FAILING.services.filter(({ slug }) => slug === "ok").map(expectedRow("ru")),
    );
    expect(
      await page.evaluate(
        `document.querySelector("status-snapshot").shadowRoot.activeElement.href`,
      ),
    ).toBe(`${harness.url}/status/ok`);
  });

  test("that removes a service from the list removes its link", async () => {
    const page = await visit({});
    expect(await rowsOf(page)).toMatchObject([{ color: "ok" }]);
    const services = SITE_FIXTURE.services.filter(({ slug }) => slug !== "ok");
    await harness.publishDocuments({ ...SITE_FIXTURE, services }, NOW_MS);
    await pass(page);
    expect(await rowsOf(page)).toMatchObject([
      { name: "ok", href: null, label: "Такого сервиса в списке нет" },
    ]);
  });

  test("is not requested while the page is hidden, and at once when it is shown", async () => {
    const page = await visit({});
    expect(await rowsOf(page)).toMatchObject([{ color: "ok" }]);
    await hide(page, true);
    await harness.publishDocuments(FAILING, NOW_MS);
    await page.clock.runFor(5 * MINUTE_MS);
    expect(harness.requests.filter((request) => request === "GET /api/v1/status")).toHaveLength(1);
    await hide(page, false);
    await settle(page);
    expect(await rowsOf(page)).toMatchObject([{ color: "bad" }]);
  });

  test("is requested once for any number of elements", async () => {
    // Some exist before the first answer, and some are added later.
    const others = '<status-snapshot slugs="err"></status-snapshot>'.repeat(2);
    const page = await visit({ element: `slugs="ok"></status-snapshot>${others}<status-snapshot` });
    await page.evaluate(`for (let i = 0; i < 5; i += 1) {
      const element = document.createElement("status-snapshot");
      element.setAttribute("slugs", "fail");
      document.body.append(element);
    }`);
    expect(await rowsOf(page)).toMatchObject([{ color: "ok" }]);
    const last = `[...document.querySelectorAll("status-snapshot")].at(-1).shadowRoot.querySelector("li span > span").textContent`;
    expect(await page.evaluate(last)).toBe(VERDICT_LABELS.ru.fail);
    await settle(page);
    expect(harness.requests.filter((request) => request === "GET /api/v1/status")).toHaveLength(1);
  });
});

describe("an unknown state", () => {
  test("is shown if the page's policy blocks requests", async () => {
    const page = await visit({ policy: `default-src 'none'; script-src ${harness.url}` });
    expect(await rowsOf(page)).toMatchObject([
      { name: "ok", href: null, label: "Состояние неизвестно", color: "none" },
    ]);
    const home = `document.querySelector("status-snapshot").shadowRoot.querySelector("p a").href`;
    expect(await page.evaluate(home)).toBe(`${harness.url}/`);
  });

  test.each([
    "no JSON",
    "null",
    "[]",
    '{"updated":"1","services":[]}',
    '{"updated":1e300,"services":[]}',
    '{"updated":1,"services":{}}',
  ])("is shown if the API answers %s", async (body) => {
    harness.behaviour.bodies.set("/api/v1/status", body);
    const page = await visit({});
    expect(await rowsOf(page)).toMatchObject([{ label: "Состояние неизвестно" }]);
  });

  test("is shown for a service with invalid data", async () => {
    const entry = { slug: "ok", name: "A", color: "ok", code: "ok", live: false };
    const odd = [
      null,
      7,
      { ...entry, code: "constructor" },
      { ...entry, color: "red" },
      { ...entry, code: ["fail"] },
      { ...entry, color: ["bad"] },
      { ...entry, live: 1 },
      { ...entry, name: {} },
    ];
    const services = [...odd, { ...entry, slug: "fine" }];
    harness.behaviour.bodies.set(
      "/api/v1/status",
      JSON.stringify({ updated: NOW_MS / 1_000, services }),
    );
    const page = await visit({ element: 'slugs="ok fine"' });
    expect(await rowsOf(page)).toMatchObject([
      { name: "ok", color: "none" },
      { name: "A", color: "ok" },
    ]);
    expect(visitors.complaints).toEqual([]);
  });

  test("is a notice while the site does not answer", async () => {
    const page = await visit({});
    expect(await rowsOf(page)).toMatchObject([{ color: "ok" }]);
    harness.behaviour.isDown = true;
    await pass(page);
    expect(await footOf(page)).not.toContain("Нет связи");
    await pass(page);
    expect(await footOf(page)).toContain("Нет связи с сайтом.");
    expect(await rowsOf(page)).toMatchObject([{ label: "Работает" }]);
    harness.behaviour.isDown = false;
    await pass(page);
    expect(await footOf(page)).not.toContain("Нет связи");
  });
});

describe("old data", () => {
  const STALE = "Данные устарели.";
  /** As from a bucket without a front. */
  const hideClock = (): void => {
    harness.behaviour.headers = { "Access-Control-Expose-Headers": "" };
  };

  test("is detected by the visitor's clock if the site's is not readable", async () => {
    hideClock();
    await harness.publishDocuments(SITE_FIXTURE, NOW_MS - 14 * MINUTE_MS);
    const page = await visit({});
    expect(await footOf(page)).toContain("проверено");
    expect(await footOf(page)).not.toContain(STALE);
    await pass(page, 2 * MINUTE_MS);
    expect(await footOf(page)).toContain(STALE);
    await harness.publishDocuments(SITE_FIXTURE, NOW_MS + 2 * MINUTE_MS);
    await pass(page);
    expect(await footOf(page)).not.toContain(STALE);
  });

  test("is not assumed because of a fast clock after an update", async () => {
    hideClock();
    const page = await visit({ nowMs: NOW_MS + 60 * MINUTE_MS });
    expect(await footOf(page)).toContain(STALE);
    await harness.publishDocuments(SITE_FIXTURE, NOW_MS + 3 * MINUTE_MS);
    await pass(page);
    expect(await footOf(page)).not.toContain(STALE);
    await pass(page, 16 * MINUTE_MS);
    expect(await footOf(page)).toContain(STALE);
  });

  test("is detected even by a slow clock, after some time without an update", async () => {
    hideClock();
    const page = await visit({ nowMs: NOW_MS - DAY_MS });
    expect(await footOf(page)).toContain("проверено");
    expect(await footOf(page)).not.toContain(STALE);
    await pass(page, 16 * MINUTE_MS);
    expect(await footOf(page)).toContain(STALE);
  });

  test.each([
    ["fast", 60 * MINUTE_MS],
    ["slow", -DAY_MS],
  ])("is detected by the site's clock if the visitor's is %s", async (_name, offMs) => {
    const page = await visit({ nowMs: NOW_MS + offMs });
    expect(await footOf(page)).toContain("проверено");
    expect(await footOf(page)).not.toContain(STALE);
    harness.behaviour.nowMs += 14 * MINUTE_MS;
    await pass(page);
    expect(await footOf(page)).toContain(STALE);
  });

  test("is detected by the Age of an answer from a cache", async () => {
    harness.behaviour.headers = { Age: String(14 * 60) };
    const page = await visit({ nowMs: NOW_MS });
    expect(await footOf(page)).toContain(STALE);
  });
});
