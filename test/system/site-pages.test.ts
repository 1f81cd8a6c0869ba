import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { COLOR_OF } from "../../src/contract/codes/verdict.ts";
import { LANGUAGES, type Language } from "../../src/contract/codes/language.ts";
import { formatUptime, UPTIME_WORDS } from "../../src/site/words/chart.ts";
import { VERDICT_LABELS } from "../../src/contract/codes/verdict-words.ts";
import { HOUR_MS } from "../../src/model/time.ts";
import type { Detail, List } from "../cli/workspace.ts";
import { openBrowser } from "./browser.ts";
import { findObjections, SHOWINGS_IN } from "./site-axe.ts";
import { DEMO_MONITORS, type DemoSite, openDemoSite, REFUSED_NAMES } from "./site-demo.ts";
import { getJson, getText, seekFaults } from "./site-documents.ts";
import {
  expectEqual,
  type Light,
  nameIn,
  type Opened,
  readPage,
  type Shown,
  writeMoment,
} from "./site-reading.ts";
import { read } from "./site-visitors.ts";
import { awaitScript, beginWalk, type Walk } from "./site-walk.ts";

/*
 * The website of the demo, which has services in all states: compares every page in a browser with the documents of the same
 * origin.
 */

let site: DemoSite;
let browser: Browser;
let walk: Walk;
let list: List;
let details: ReadonlyMap<string, Detail>;
/** Every page as published, without scripts. */
let opened: readonly Opened[];

const prefixOf = (language: Language): string => (language === "en" ? "/en" : "");
const inBoth = (path: string): readonly string[] =>
  LANGUAGES.map((language) => prefixOf(language) + path);
const languageOf = (path: string): Language => (/^\/en(?:\/|$)/u.test(path) ? "en" : "ru");
const detailOf = (slug: string): Detail => {
  const detail = details.get(slug);
  if (detail === undefined) throw new RangeError(`the API does not know ${slug}`);
  return detail;
};
/** One service per state. */
const samples = (): readonly string[] =>
  Object.keys(COLOR_OF).map((code) => list.services.find((one) => one.code === code)?.slug ?? "");
const pageOf = (path: string): Opened => {
  const page = opened.find((one) => one.path === path);
  if (page === undefined) throw new RangeError(`${path} was not opened`);
  return page;
};

beforeAll(async () => {
  [site, browser] = await Promise.all([openDemoSite(), openBrowser()]);
  walk = beginWalk(browser, site.url);
  list = await getJson<List>(`${site.url}/api/v1/status`);
  const all = list.services.map(async ({ slug }) => {
    return [slug, await getJson<Detail>(`${site.url}/api/v1/status/${slug}`)] as const;
  });
  details = new Map(await Promise.all(all));
  const paths = [
    "/",
    ...list.services.map(({ slug }) => `/status/${slug}`),
    ...DEMO_MONITORS.map(({ id }) => `/m/${id}`),
    "/api",
    "/about",
    "/accuracy",
    "/data",
    "/outages",
    ...dayPaths(),
  ].flatMap(inBoth);
  opened = await walk.through(paths, { javaScriptEnabled: false }, readPage);
});

/** The pages of days that are over, in the demo. */
function dayPaths(): readonly string[] {
  const dayOf = (atMs: number): string => new Date(atMs + 3 * HOUR_MS).toISOString().slice(0, 10);
  const days = new Set(site.state.accuracy.outages.map(({ toldAtMs }) => dayOf(toldAtMs)));
  const today = dayOf(site.state.history.updatedAtMs ?? 0);
  return [...days].filter((day) => day < today).map((day) => `/day/${day}`);
}

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

describe("the published demo", () => {
  test("has all thirteen states", () => {
    expect(list.services).toHaveLength(85);
    expect([...new Set(list.services.map(({ code }) => code))].toSorted()).toEqual(
      Object.keys(COLOR_OF).toSorted(),
    );
    // With different counts, a page that shows a wrong one fails.
    const counts = [...details.values()].map((one) => `${one.reportsHour} ${one.reportsDay}`);
    expect(new Set(counts).size).toBeGreaterThan(10);
    expect([...details.values()].filter((one) => one.live).length).toBeGreaterThan(10);
  });

  test.each(LANGUAGES)("the list (%s) equals the API", (language) => {
    const { services, language: said } = pageOf(`${prefixOf(language)}/`);
    expect(said).toBe(language);
    expect(new Set(services.map(({ slug }) => slug))).toEqual(new Set(details.keys()));
    for (const shown of services) {
      const detail = detailOf(shown.slug);
      expectEqual(shown, detail, language);
      if (shown.since === null) continue;
      expect([shown.slug, shown.since]).toEqual([shown.slug, detail.since]);
      expect(shown.sinceText).toBe(writeMoment(detail.since ?? 0, language));
    }
    const dated = services.filter(({ since }) => since !== null);
    expect(dated.length).toBeGreaterThan(5);
  });

  test.each(LANGUAGES)("the page of each service (%s) equals the API", (language) => {
    for (const detail of details.values()) {
      const { services, title } = pageOf(`${prefixOf(language)}/status/${detail.slug}`);
      expect(services.map(({ slug }) => slug)).toEqual([detail.slug]);
      for (const shown of services) expectWhole(shown, detail, language);
      const labels: Readonly<Record<string, string>> = VERDICT_LABELS[language];
      expect(title).toContain(`${nameIn(detail, language)}: ${labels[detail.code]}`);
    }
  });

  test("each colour has its own shape and paint of lights", () => {
    const lights = new Map<string, Light>();
    for (const { color, light } of opened.flatMap(({ services }) => services)) {
      expect(light).toEqual(lights.get(color) ?? light);
      lights.set(color, light);
    }
    expect([...lights.keys()].toSorted()).toEqual(["bad", "none", "ok", "warn"]);
    expect(new Set([...lights.values()].map(({ shape }) => shape)).size).toBe(4);
    expect(new Set([...lights.values()].map(({ paint }) => paint)).size).toBe(4);
  });
});

function expectWhole(shown: Shown, detail: Detail, language: Language): void {
  const { since, reportsHour, reportsDay } = detail;
  expectEqual(shown, detail, language);
  expect(shown).toMatchObject({ since, hour: String(reportsHour), day: String(reportsDay) });
  expect(shown.sinceText).toBe(since === null ? null : writeMoment(since, language));
}

/** The script gives times in another way. */
const withoutText = (shown: Shown): Shown => ({ ...shown, sinceText: null });

test("the script changes nothing that equals the API, and shows the last run", async () => {
  const paths = ["/", ...samples().map((slug) => `/status/${slug}`)].flatMap(inBoth);
  await walk.through(paths, {}, async (page, path) => {
    await awaitScript(page);
    const { services } = await readPage(page);
    const language = languageOf(path);
    expect(services.map(withoutText)).toEqual(pageOf(path).services.map(withoutText));
    const text = await page.locator("footer img.checked").getAttribute("alt");
    expect(text).not.toBe("");
    expect(writeMoment(list.updated, language)).toContain(text);
    expect(await page.locator("#notice").isVisible()).toBe(false);
  });
});

describe("pages of monitors", () => {
  test("show the values of their badges", async () => {
    const paths = DEMO_MONITORS.flatMap(({ id }) => inBoth(`/m/${id}`));
    const uptimes = await walk.through(paths, {}, async (page, path) => {
      const id = path.slice(path.lastIndexOf("/") + 1);
      const shown: Readonly<Record<string, string>> = await read(
        page,
        `Object.fromEntries([...document.querySelectorAll("[data-window]")].map((each) =>
          [each.dataset.window, each.querySelector("dd").textContent]))`,
      );
      const base = `${site.url}/api/m/${id}/badge`;
      const { message } = await getJson<{ readonly message: string }>(`${base}.json`);
      const titles = ["-24h", "-7d", "", "-90d"].map(async (window) => {
        const [, title] = /<title>(.*)<\/title>/u.exec(await getText(`${base}${window}.svg`)) ?? [];
        return title?.split(": ").at(-1);
      });
      const toWords = (value: string | undefined): string | undefined =>
        value === UPTIME_WORDS.ru.noData
          ? UPTIME_WORDS[languageOf(path)].noData
          : value && formatUptime(value, languageOf(path));
      expect(shown["30d"]).toBe(toWords(message));
      expect(Object.values(shown)).toEqual((await Promise.all(titles)).map(toWords));
      return shown["30d"]?.replace(",", ".");
    });
    expect(new Set(uptimes).size).toBe(5);
  });

  test("show names and URLs of users only as text", async () => {
    const paths = DEMO_MONITORS.flatMap(({ id }) => inBoth(`/m/${id}`));
    await walk.through(paths, {}, async (page, path) => {
      const monitor = DEMO_MONITORS.find(({ id }) => path.endsWith(`/m/${id}`));
      const name = monitor?.name.normalize("NFC") ?? "";
      const shown: Readonly<Record<string, unknown>> = await read(
        page,
        `{
          heading: document.querySelector("h1").textContent,
          title: document.title,
          shared: document.querySelector("meta[property='og:title']").content,
          elements: document.querySelectorAll("h1 *, .url a *, title *").length,
          scripts: document.querySelectorAll("script").length,
          handlers: [...document.querySelectorAll("*")].filter((each) =>
            [...each.attributes].some(({ name }) => name.startsWith("on") || name === "style")).length,
          url: document.querySelector(".url a").href,
          rel: document.querySelector(".url a").rel,
          isWide: document.documentElement.scrollWidth > innerWidth,
        }`,
      );
      const safe = { elements: 0, scripts: 1, handlers: 0, isWide: false };
      expect(shown).toMatchObject({ ...safe, heading: name });
      expect(shown["title"]).toContain(name.replaceAll(/\s+/gu, " "));
      expect(shown["shared"]).toContain(name);
      expect(shown["url"]).toBe(new URL(monitor?.url ?? "").href);
      expect(shown["rel"]).toBe("nofollow ugc noopener noreferrer");
    });
  });

  test("do not exist for private and invalid monitors", async () => {
    for (const id of ["private", ...REFUSED_NAMES.keys()].map((each) =>
      typeof each === "number" ? `refused-${each}` : each,
    )) {
      for (const path of inBoth(`/m/${id}`)) {
        expect((await fetch(site.url + path)).status).toBe(404);
      }
    }
  });
});

test("every document, feed, picture and link is valid", async () => {
  const { counts, faults } = await seekFaults(site, browser, { list, opened });
  expect(faults).toEqual([]);
  expect(counts).toEqual({
    documents: 86 + DEMO_MONITORS.length,
    feeds: 2 + 85,
    // In two feeds of all services, and in the feed of the service.
    entries: 3 * site.state.verdicts.changes.length,
    // Also those of the list and of the pages to read.
    pictures: 85 + DEMO_MONITORS.length + 2,
    sitemap: 2 * (85 + 6 + site.state.accuracy.outages.length + dayPaths().length),
    pages: opened.length,
    links: expect.any(Number),
  });
  expect(counts.entries).toBeGreaterThan(40);
  // Two pages, a feed and a document per service.
  expect(counts.links).toBeGreaterThan(85 * 4);
});

test("axe finds no violation in any state, language, scheme and screen", async () => {
  const paths = [
    "/",
    ...samples().map((slug) => `/status/${slug}`),
    ...DEMO_MONITORS.map(({ id }) => `/m/${id}`),
    "/api",
    "/about",
    "/accuracy",
    "/data",
    "/outages",
    ...dayPaths(),
  ].flatMap(inBoth);
  const objections = await walk.through(paths, {}, async (page, path) => {
    await awaitScript(page);
    return await findObjections(page, SHOWINGS_IN[languageOf(path)]);
  });
  expect(objections).toHaveLength(paths.length);
  expect(objections.flat()).toEqual([]);
});

test("no page wrote to its console", () => {
  expect(walk.complaints).toEqual([]);
});
