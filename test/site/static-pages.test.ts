import { DEFAULT_SITE_SETTINGS } from "../../src/model/site-settings.ts";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { COLOR_OF } from "../../src/contract/codes/verdict.ts";
import { buildOpenApi } from "../../src/site/openapi/openapi.ts";
import { renderAccuracy } from "../../src/site/pages/accuracy.tsx";
import { renderAbout } from "../../src/site/pages/about.tsx";
import { renderApi } from "../../src/site/pages/api.tsx";
import { apiExamples } from "../../src/site/pages/examples.ts";
import { renderData } from "../../src/site/pages/data.tsx";
import { renderNotFound } from "../../src/site/pages/not-found.tsx";
import { type Language, LANGUAGES } from "../../src/contract/codes/language.ts";
import { COLOR_WORDS, VERDICT_LABELS } from "../../src/contract/codes/verdict-words.ts";
import type { XmlElement } from "../../src/verify/site/parse-xml.ts";
import { byName, only, parsePage, textOf } from "./page.ts";
import { elementsOf } from "./read-xml.ts";
import { ASSETS, CODES, SITE_FIXTURE, frameOf } from "./site-fixture.ts";

const ADDRESS = { ...DEFAULT_SITE_SETTINGS, origin: "https://status.example.ru", root: "/s" };
const VIEW = { ...SITE_FIXTURE, address: ADDRESS };
const BASE = "https://status.example.ru/s";

const PAGES: readonly (readonly [string, string])[] = [
  ...LANGUAGES.map(
    (language) => [`api ${language}`, renderApi(frameOf(language, ADDRESS))] as const,
  ),
  ...LANGUAGES.map(
    (language) => [`about ${language}`, renderAbout(frameOf(language, ADDRESS))] as const,
  ),
  ...LANGUAGES.map((language) => {
    const view = { ...SITE_FIXTURE, address: ADDRESS };
    return [`accuracy ${language}`, renderAccuracy(frameOf(language, view.address), view)] as const;
  }),
  ...LANGUAGES.map(
    (language) =>
      [`data ${language}`, renderData(frameOf(language, VIEW.address), VIEW.archive)] as const,
  ),
  ["missing", renderNotFound({ address: ADDRESS, assets: ASSETS })],
];

/** Sites that pages refer to. */
const ELSEWHERE = /^https:\/\/(?:shields\.io|creativecommons\.org)\//u;
const HERE =
  /^\/s\/(?:(?:en\/)?(?:api|about|accuracy|data|outages|feed\.atom)?|openapi\.json|(?:accuracy|operators)\/v1\.json|archive\/v1\/[\w./-]+)$/u;

function cellsOf(page: XmlElement, caption: string): readonly (readonly string[])[] {
  const table = byName(page, "table").find((one) =>
    textOf(only(byName(one, "caption"))).includes(caption),
  );
  if (table === undefined) throw new Error(`no table ${caption}`);
  const body = byName(table, "tbody")[0];
  return (body?.children ?? []).map((row) => row.children.map(textOf));
}

describe.each(PAGES)("the page %s", (_, text) => {
  const page = parsePage(text);

  test("has one h1, no skipped heading level, and no id twice", () => {
    const levels = elementsOf(page).flatMap(({ name }) => /^h([1-6])$/u.exec(name)?.[1] ?? []);
    expect(levels[0]).toBe("1");
    expect(levels.filter((level) => level === "1")).toHaveLength(1);
    for (const [at, level] of levels.entries()) {
      expect(Number(level) - Number(levels[at - 1] ?? 0)).toBeLessThanOrEqual(1);
    }
    const ids = elementsOf(page).flatMap(({ attributes }) => attributes.get("id") ?? []);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("has no inline style or script, as its policy requires", () => {
    for (const { name, attributes, text } of elementsOf(page)) {
      expect([...attributes.keys()].filter((key) => /^(?:style|on)/u.test(key))).toEqual([]);
      expect(name).not.toBe("style");
      // No browser executes data for search engines.
      if (attributes.get("type") === "application/ld+json")
        expect(() => JSON.parse(text)).not.toThrow();
      else if (name === "script") expect(text).toBe("");
    }
  });

  test("links only to existing pages, files and anchors of this site", () => {
    const ids = elementsOf(page).flatMap(({ attributes }) => attributes.get("id") ?? []);
    const hrefs = byName(page, "a").map(({ attributes }) => attributes.get("href") ?? "");
    expect(hrefs.length).toBeGreaterThan(5);
    for (const href of hrefs) {
      if (href.startsWith("#")) expect(ids).toContain(href.slice(1));
      else if (!ELSEWHERE.test(href)) expect(href).toMatch(HERE);
    }
  });

  test("has no dangling aria-labelledby", () => {
    const ids = elementsOf(page).flatMap(({ attributes }) => attributes.get("id") ?? []);
    for (const { attributes } of elementsOf(page)) {
      const label = attributes.get("aria-labelledby");
      if (label !== undefined) expect(ids).toContain(label);
    }
  });
});

describe.each(LANGUAGES)("the page of the API in %s", (language) => {
  const text = renderApi(frameOf(language, ADDRESS));
  const page = parsePage(text);
  const tables = byName(page, "table").map((table) => textOf(table));

  test("has every code with its colour and label, in the order of the specification", () => {
    const rows = cellsOf(page, language === "ru" ? "13 кодов" : "13 codes");
    expect(rows.map((row) => row.slice(0, 3))).toEqual(
      CODES.map((code) => [code, COLOR_OF[code], VERDICT_LABELS[language][code]]),
    );
    for (const [, , , explanation] of rows) expect(explanation).toMatch(/\.$/u);
  });

  test("has every colour with its meaning and light", () => {
    const caption = language === "ru" ? "Четыре цвета" : "Four colours";
    expect(cellsOf(page, caption)).toEqual(Object.entries(COLOR_WORDS[language]));
    const lights = elementsOf(page).flatMap(({ attributes }) => attributes.get("data-light") ?? []);
    expect(lights).toEqual([...CODES.map((code) => COLOR_OF[code]), "ok", "warn", "bad", "none"]);
  });

  test("has every path that can be read, and the badge of each window", () => {
    const paths = Object.keys(JSON.parse(buildOpenApi(ADDRESS)).paths);
    const readable = paths
      .filter((path) => /^\/api\/(?:v1|m)\//u.test(path))
      .flatMap((path) => ["24h", "7d", "90d"].map((window) => path.replace("{window}", window)))
      .map((path) => path.replace("{slug}", "<slug>").replace("{id}", "<id>"));
    for (const path of readable) expect(tables.join("\n")).toContain(path);
  });

  test("has examples with the address of this site", () => {
    const codes = byName(page, "pre").map(textOf);
    for (const start of [
      `curl -s ${BASE}/api/v1/status |`,
      `fetch("${BASE}/api/v1/status")`,
      `urlopen("${BASE}/api/v1/status/sberbank", timeout=10)`,
      `<img src="${BASE}/api/m/ID/badge.svg"`,
      `(${BASE}/api/m/ID/badge.svg)`,
      `url=${encodeURIComponent(`${BASE}/api/m/ID/badge.json`)}`,
      `<script src="${BASE}/embed.js" async></script>`,
      `<status-snapshot slugs="sberbank,vtb" lang="${language}"></status-snapshot>`,
      language === "ru" ? `<a href="${BASE}/">` : `<a href="${BASE}/en/">`,
    ]) {
      expect(
        codes.some((code) => code.includes(start)),
        start,
      ).toBe(true);
    }
  });

  test("mentions limits, caching, CORS, errors, the estimate and link-backs", () => {
    const words = textOf(page);
    for (const text of [
      "max-age=60",
      "Retry-After",
      "ETag",
      "CORS",
      '{"error":"not found"}',
      language === "ru" ? "раза в минуту" : "once a minute",
      language === "ru" ? "оценка, а не официальная позиция" : "an estimate, not the official",
      language === "ru" ? "ссылку на нас" : "link to us",
    ]) {
      expect(words).toContain(text);
    }
  });
});

test("the JavaScript example prints the services that are down", async () => {
  const requested: string[] = [];
  const printed: unknown[][] = [];
  const list = {
    updated: 1_795_250_700,
    services: [
      { slug: "a", name: "А", color: "ok", code: "ok", live: false },
      { slug: "b", name: "Б", color: "bad", code: "err", live: true },
    ],
  };
  const answer = (url: string): Response => {
    requested.push(url);
    return Response.json(list);
  };
  const console = { log: (...words: unknown[]) => printed.push(words) };
  await runInNewContext(`(async () => { ${apiExamples(BASE)["example:script"]} })()`, {
    fetch: answer,
    console,
    Date,
  });
  expect(requested).toEqual([`${BASE}/api/v1/status`]);
  expect(printed).toEqual([[new Date(1_795_250_700_000)], ["Б", "err"]]);
});

describe.each(LANGUAGES)("the about page in %s", (language) => {
  const words = textOf(parsePage(renderAbout(frameOf(language, ADDRESS))));

  test("has every label and the most important facts", () => {
    for (const label of Object.values(VERDICT_LABELS[language])) expect(words).toContain(label);
    const facts: Readonly<Record<Language, readonly string[]>> = {
      ru: [
        "оценка, а не официальная позиция",
        "деньги или безопасность",
        "20, 60 и 100 секунд",
        "15 минут",
        "московском дата-центре",
        "Нет cookie",
        "адрес не сохраняется",
        "ссылку на нас",
      ],
      en: [
        "an estimate, not the official position",
        "money or safety",
        "20, 60 and 100 seconds",
        "15 minutes",
        "data centre in Moscow",
        "No cookies",
        "address itself is not kept",
        "link to us",
      ],
    };
    for (const fact of facts[language]) expect(words).toContain(fact);
  });
});

test("English pages have no Russian text, and pages declare their language", () => {
  const english = parsePage(renderAbout(frameOf("en", ADDRESS)));
  const main = byName(english, "main").map(textOf).join("");
  expect(main).not.toMatch(/[а-яё]/iu);
  const api = byName(parsePage(renderApi(frameOf("en", ADDRESS))), "main")[0];
  expect(
    api &&
      elementsOf(api)
        .filter(({ name }) => name === "p")
        .map(textOf)
        .join(""),
  ).not.toMatch(/[а-яё]/iu);
  for (const language of LANGUAGES) {
    expect(renderAbout(frameOf(language, ADDRESS))).toContain(`<html lang="${language}">`);
  }
});

test("the not-found page has both languages, links to both lists, and is not indexed", () => {
  const page = parsePage(renderNotFound({ address: ADDRESS, assets: ASSETS }));
  const main = byName(page, "main")[0];
  const links = main === undefined ? [] : byName(main, "a");
  expect(links.map(({ attributes }) => attributes.get("href"))).toEqual(["/s/", "/s/en/"]);
  const sections = byName(page, "section").map(({ attributes }) => attributes.get("lang"));
  expect(sections).toEqual(["ru", "en"]);
  const robots = byName(page, "meta").find(({ attributes }) => attributes.get("name") === "robots");
  expect(robots?.attributes.get("content")).toBe("noindex");
  expect(byName(page, "link").some(({ attributes }) => attributes.get("rel") === "canonical")).toBe(
    false,
  );
});
