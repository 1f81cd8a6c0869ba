import { mkdirSync } from "node:fs";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DAY_MS, MINUTE_MS } from "../../src/model/time.ts";
import { listen, type Listening } from "../../src/serve/listen.ts";
import type { Language } from "../../src/site/language.ts";
import type { ServiceView } from "../../src/site/view.ts";
import { formatMoment } from "../../src/site/words/time.ts";
import { VERDICT_LABELS } from "../../src/site/words/verdict.ts";
import { HOSTILE_NAME, NOW_MS, SPECIMEN } from "../site/specimen.ts";
import { runAxe } from "./site-axe.ts";
import { openSiteLab, type SiteLab, withService } from "./site-lab.ts";
import { hide, read, receiveVisitors, settle } from "./site-visitors.ts";

/** Where the screenshots go, to be looked at; without the variable none are taken. */
const FOLDER = process.env["SITE_SCREENSHOTS"];

let lab: SiteLab;
/** The page of somebody else, on another origin. */
let host: Listening;
let hostPage: { html: string; policy: string };

beforeAll(async () => {
  if (FOLDER !== undefined) mkdirSync(FOLDER, { recursive: true });
  host = await listen(
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
  lab = await openSiteLab({ nowMs: NOW_MS });
  await lab.publishDocuments(SPECIMEN, NOW_MS - 2 * MINUTE_MS);
});

// What is said first is done last: a server waits for the connections that visitors keep.
afterEach(() => lab.close());
const visitors = receiveVisitors();

interface Visit extends BrowserContextOptions {
  /** Attributes of the element. */
  readonly element?: string;
  readonly policy?: string;
  /** The visitor's clock. */
  readonly nowMs?: number;
}

/** Shows the element on a page of another origin that allows nothing but it. */
async function visit({
  element = 'slugs="ok"',
  policy = `default-src 'none'; script-src ${lab.url}; connect-src ${lab.url}; require-trusted-types-for 'script'; trusted-types`,
  nowMs = NOW_MS,
  ...rest
}: Visit): Promise<Page> {
  hostPage = {
    policy,
    html: `<!doctype html><html lang="ru"><title>Host</title><main><h1>Host</h1><status-snapshot ${element}></status-snapshot></main><script src="${lab.url}/embed.js" defer></script>`,
  };
  return await visitors.visit(host.url, { ...rest, nowMs });
}

/** Lets a minute pass for the page, and what the element does then. */
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

/** What the element says, row by row. */
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

/** The line below: where it comes from, when it was checked, what is wrong with it. */
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
    href: `${lab.url}${language === "en" ? "/en" : ""}/status/${slug}`,
    label: VERDICT_LABELS[language][verdict.code],
    live: verdict.live ? { ru: "сейчас", en: "now" }[language] : "",
    color: verdict.color,
  });

const FAILING = withService(SPECIMEN, "ok", {
  verdict: { code: "fail", color: "bad", live: true, sinceMs: NOW_MS },
});

const SLUGS = SPECIMEN.services.map(({ slug }) => slug);

describe("what the element shows", () => {
  test.each(["ru", "en"] as const)(
    "every service as the API has it, in words of %s",
    async (language) => {
      const page = await visit({ element: `slugs="${SLUGS.join(", ")}" lang="${language}"` });
      expect(await rowsOf(page)).toEqual(SPECIMEN.services.map(expectedRow(language)));
      const time = formatMoment(NOW_MS - 2 * MINUTE_MS, language);
      expect(await footOf(page)).toContain(time);
      expect(new Set(SPECIMEN.services.map(({ verdict }) => verdict.code)).size).toBe(13);
      expect(visitors.complaints).toEqual([]);
    },
  );

  test("a service that the list does not have, by its slug and without a link", async () => {
    const page = await visit({ element: 'slugs="ok, no-such  ok"' });
    expect(await rowsOf(page)).toMatchObject([
      { label: "Работает" },
      { name: "no-such", href: null, label: "Такого сервиса в списке нет", color: "none" },
    ]);
  });

  test("other services and another language as soon as the attributes ask for them", async () => {
    const page = await visit({});
    expect(await rowsOf(page)).toHaveLength(1);
    await page.evaluate(`{
      const element = document.querySelector("status-snapshot");
      element.setAttribute("slugs", "fail err");
      element.setAttribute("lang", "en");
    }`);
    const wanted = SPECIMEN.services.filter(({ slug }) => ["fail", "err"].includes(slug));
    expect(await rowsOf(page)).toEqual(wanted.map(expectedRow("en")));
  });

  test("a hostile name as text", async () => {
    const page = await visit({ element: 'slugs="hostile"' });
    expect(await rowsOf(page)).toMatchObject([{ name: HOSTILE_NAME }]);
    expect(await page.evaluate("document.querySelectorAll('status-snapshot *').length")).toBe(0);
    expect(visitors.complaints).toEqual([]);
  });

  test("its own colours where the page around may set no style, by preference and by attribute", async () => {
    const page = await visit({ colorScheme: "dark" });
    const ground = `getComputedStyle(document.querySelector("status-snapshot").shadowRoot.querySelector("section")).backgroundColor`;
    expect(await page.evaluate(ground)).toBe("rgb(28, 31, 35)");
    await page.evaluate(`document.querySelector("status-snapshot").setAttribute("theme", "light")`);
    expect(await page.evaluate(ground)).toBe("rgb(255, 255, 255)");
  });

  test.each(["light", "dark"] as const)(
    "nothing that axe objects to, in a %s page",
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

describe("what changes", () => {
  test("is shown within a minute, and whoever stands on a link is left there", async () => {
    const page = await visit({});
    expect(await rowsOf(page)).toMatchObject([{ color: "ok" }]);
    await page.keyboard.press("Tab");
    await lab.publishDocuments(FAILING, NOW_MS + MINUTE_MS);
    await pass(page);
    expect(await rowsOf(page)).toEqual(
      FAILING.services.filter(({ slug }) => slug === "ok").map(expectedRow("ru")),
    );
    expect(
      await page.evaluate(
        `document.querySelector("status-snapshot").shadowRoot.activeElement.href`,
      ),
    ).toBe(`${lab.url}/status/ok`);
  });

  test("may be that a service is no longer in the list, and then nothing leads to it", async () => {
    const page = await visit({});
    expect(await rowsOf(page)).toMatchObject([{ color: "ok" }]);
    const services = SPECIMEN.services.filter(({ slug }) => slug !== "ok");
    await lab.publishDocuments({ ...SPECIMEN, services }, NOW_MS);
    await pass(page);
    expect(await rowsOf(page)).toMatchObject([
      { name: "ok", href: null, label: "Такого сервиса в списке нет" },
    ]);
  });

  test("is not asked for while nobody sees the page, and at once when somebody does", async () => {
    const page = await visit({});
    expect(await rowsOf(page)).toMatchObject([{ color: "ok" }]);
    await hide(page, true);
    await lab.publishDocuments(FAILING, NOW_MS);
    await page.clock.runFor(5 * MINUTE_MS);
    expect(lab.requests.filter((request) => request === "GET /api/v1/status")).toHaveLength(1);
    await hide(page, false);
    await settle(page);
    expect(await rowsOf(page)).toMatchObject([{ color: "bad" }]);
  });

  test("is asked for once, however many elements there are", async () => {
    // Some are there before the first answer, and some come later.
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
    expect(lab.requests.filter((request) => request === "GET /api/v1/status")).toHaveLength(1);
  });
});

describe("what is not known", () => {
  test("is said where the page around does not let the element ask", async () => {
    const page = await visit({ policy: `default-src 'none'; script-src ${lab.url}` });
    expect(await rowsOf(page)).toMatchObject([
      { name: "ok", href: null, label: "Состояние неизвестно", color: "none" },
    ]);
    const home = `document.querySelector("status-snapshot").shadowRoot.querySelector("p a").href`;
    expect(await page.evaluate(home)).toBe(`${lab.url}/`);
  });

  test.each([
    "no JSON",
    "null",
    "[]",
    '{"updated":"1","services":[]}',
    '{"updated":1e300,"services":[]}',
    '{"updated":1,"services":{}}',
  ])("is said where the API answers %s", async (body) => {
    lab.behaviour.bodies.set("/api/v1/status", body);
    const page = await visit({});
    expect(await rowsOf(page)).toMatchObject([{ label: "Состояние неизвестно" }]);
  });

  test("is said of a service of which the API says nonsense", async () => {
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
    lab.behaviour.bodies.set(
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

  test("is said when the site stops answering, and no longer when it does again", async () => {
    const page = await visit({});
    expect(await rowsOf(page)).toMatchObject([{ color: "ok" }]);
    lab.behaviour.isDown = true;
    await pass(page);
    expect(await footOf(page)).not.toContain("Нет связи");
    await pass(page);
    expect(await footOf(page)).toContain("Нет связи с сайтом.");
    expect(await rowsOf(page)).toMatchObject([{ label: "Работает" }]);
    lab.behaviour.isDown = false;
    await pass(page);
    expect(await footOf(page)).not.toContain("Нет связи");
  });
});

describe("data that is old", () => {
  const STALE = "Данные устарели.";
  /** As a bucket without a front would have it. */
  const hideClock = (): void => {
    lab.behaviour.headers = { "Access-Control-Expose-Headers": "" };
  };

  test("is told by the visitor's clock where that of the site may not be read", async () => {
    hideClock();
    await lab.publishDocuments(SPECIMEN, NOW_MS - 14 * MINUTE_MS);
    const page = await visit({});
    expect(await footOf(page)).toContain("проверено");
    expect(await footOf(page)).not.toContain(STALE);
    await pass(page, 2 * MINUTE_MS);
    expect(await footOf(page)).toContain(STALE);
    await lab.publishDocuments(SPECIMEN, NOW_MS + 2 * MINUTE_MS);
    await pass(page);
    expect(await footOf(page)).not.toContain(STALE);
  });

  test("is not what a fast clock takes for it, once the site was seen to go on", async () => {
    hideClock();
    const page = await visit({ nowMs: NOW_MS + 60 * MINUTE_MS });
    expect(await footOf(page)).toContain(STALE);
    await lab.publishDocuments(SPECIMEN, NOW_MS + 3 * MINUTE_MS);
    await pass(page);
    expect(await footOf(page)).not.toContain(STALE);
    await pass(page, 16 * MINUTE_MS);
    expect(await footOf(page)).toContain(STALE);
  });

  test("is told by a slow clock, too, once nothing has come for long", async () => {
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
  ])("is told by the clock of the site, the visitor's being %s", async (_name, offMs) => {
    const page = await visit({ nowMs: NOW_MS + offMs });
    expect(await footOf(page)).toContain("проверено");
    expect(await footOf(page)).not.toContain(STALE);
    lab.behaviour.nowMs += 14 * MINUTE_MS;
    await pass(page);
    expect(await footOf(page)).toContain(STALE);
  });

  test("is old as well when it comes out of a cache that says how long it lay there", async () => {
    lab.behaviour.headers = { Age: String(14 * 60) };
    const page = await visit({ nowMs: NOW_MS });
    expect(await footOf(page)).toContain(STALE);
  });
});
