import { archiveKeysOf } from "../../src/open-data/archive/archive-documents.ts";
import { describe, expect, test } from "vitest";
import { METHOD_VERSION } from "../../src/model/service/method.ts";
import { buildOpenApi } from "../../src/site/openapi/openapi.ts";
import { renderApi } from "../../src/site/pages/api.tsx";
import { renderData } from "../../src/site/pages/data.tsx";
import { renderService } from "../../src/site/pages/service.tsx";
import { LANGUAGES, type Language } from "../../src/contract/codes/language.ts";
import { formatSize } from "../../src/site/words/numbers.ts";
import { formatDay, formatMonth } from "../../src/site/words/time.ts";
import type { SiteView } from "../../src/site/view.ts";
import { byName, parsePage, textOf } from "./page.ts";
import { elementsOf } from "./read-xml.ts";
import { ARCHIVE } from "./archive-fixture.ts";
import { ADDRESS, serviceOf, SITE_FIXTURE, frameOf } from "./site-fixture.ts";

const BASE = "https://status.example.ru/s";
const VIEW: SiteView = { ...SITE_FIXTURE, address: { ...ADDRESS, root: "/s" } };
const WITHOUT: SiteView = { ...VIEW, archive: { days: [], months: [] } };

const linksOf = (html: string): readonly string[] =>
  byName(parsePage(html), "a").map(({ attributes }) => attributes.get("href") ?? "");
const archiveOf = (html: string): readonly string[] =>
  linksOf(html).filter((href) => /\/archive\/v1\/\d/u.test(href));

/** What search engines read. */
function datasetOf(view: SiteView, language: Language): Readonly<Record<string, unknown>> {
  const scripts = elementsOf(parsePage(renderData(frameOf(language, view.address), view.archive)));
  const data = scripts.find(({ attributes }) => attributes.get("type") === "application/ld+json");
  return JSON.parse(data?.text ?? "");
}

describe.each(LANGUAGES)("the page of the open data in %s", (language) => {
  const html = renderData(frameOf(language, VIEW.address), VIEW.archive);
  const page = parsePage(html);

  test("has the files of the last seven days and of the last months, with their sizes", () => {
    const parts = [...ARCHIVE.days.slice(0, 7), ...ARCHIVE.months];
    const keys = parts.flatMap(({ date }) => archiveKeysOf(date));
    expect(archiveOf(html)).toEqual(keys.map((key) => `/s/${key}`));
    expect(linksOf(html)).toEqual(
      expect.arrayContaining(["/s/archive/v1/index.json", "/s/archive/v1/datapackage.json"]),
    );
    const text = textOf(page);
    for (const { bytes } of parts.flatMap(({ files }) => files))
      expect(text).toContain(formatSize(bytes, language));
    expect(text).toContain(formatDay("2026-11-20", language));
    expect(text).toContain(formatMonth("2026-10", language));
  });

  test("says that there is no archive before the first day, and promises midnight", () => {
    const empty = renderData(frameOf(language, WITHOUT.address), WITHOUT.archive);
    expect(linksOf(empty).filter((href) => href.includes("/archive/"))).toEqual([]);
    const words = language === "ru" ? "пока нет ни одних суток" : "The archive has no day yet";
    expect(textOf(parsePage(empty))).toContain(words);
    expect(textOf(page)).not.toContain(words);
    expect(datasetOf(WITHOUT, language)).not.toHaveProperty("temporalCoverage");
    expect(JSON.stringify(datasetOf(WITHOUT, language))).not.toContain("/archive/");
  });

  test("has commands with the address of this site and the newest day", () => {
    const codes = byName(page, "pre").map(textOf);
    for (const part of [
      `'${BASE}/archive/v1/2026-11-20/checks.parquet'`,
      `read_parquet("${BASE}/archive/v1/2026-11-20/checks.parquet")`,
      `curl -s ${BASE}/archive/v1/2026-11-20/checks.ndjson.gz`,
      `curl -s ${BASE}/history/v1/sberbank.json`,
      `curl -s ${BASE}/history/v1/index.json`,
      `curl -s ${BASE}/changes/v1.json`,
      `curl -s ${BASE}/api/v2/status.json`,
      'targets: ["status.example.ru"]',
      "metrics_path: /s/metrics",
      "scheme: https",
      `<a href="${BASE}/${language === "en" ? "en/" : ""}">`,
    ]) {
      expect(
        codes.some((code) => code.includes(part)),
        part,
      ).toBe(true);
    }
  });

  test("names every document that OpenAPI describes beside the API", () => {
    const text = textOf(page);
    const paths = Object.keys(JSON.parse(buildOpenApi(VIEW.address)).paths)
      .filter((path) =>
        /^\/(?:changes|history|metrics|badge\/|accuracy|evidence\/v1\/\{)/u.test(path),
      )
      .map((path) => path.replace("{slug}", "<slug>").replace("{id}", "<id>"));
    expect(paths.length).toBeGreaterThan(5);
    for (const path of paths) expect(text).toContain(path);
  });

  test("names licence and method, for people and for search engines", () => {
    expect(linksOf(html).some((href) => href.includes("/licenses/by/4.0/"))).toBe(true);
    expect(textOf(page)).toContain(formatDay(METHOD_VERSION, language));
    const data = datasetOf(VIEW, language);
    expect(data).toMatchObject({
      "@type": "Dataset",
      url: `${BASE}${language === "en" ? "/en" : ""}/data`,
      license: "https://creativecommons.org/licenses/by/4.0/",
      version: METHOD_VERSION,
      temporalCoverage: "2026-11-01/2026-11-20",
      inLanguage: language,
    });
    expect(data["distribution"]).toContainEqual({
      "@type": "DataDownload",
      encodingFormat: "application/vnd.apache.parquet",
      contentUrl: `${BASE}/archive/v1/2026-11-20/checks.parquet`,
    });
    const formats = new Set(
      (data["distribution"] as { encodingFormat: string }[]).map((one) => one.encodingFormat),
    );
    expect([...formats].toSorted()).toEqual([
      "application/gzip",
      "application/json",
      "application/vnd.apache.parquet",
    ]);
    // Bounds of Google for a data set.
    expect(String(data["description"]).length).toBeGreaterThan(50);
  });

  test("changes with the archive alone, not with verdicts or reports", () => {
    const [first, ...others] = VIEW.services;
    const another = first === undefined ? [] : [{ ...first, verdict: serviceOf("err").verdict }];
    const later: SiteView = {
      ...VIEW,
      services: [...another, ...others],
      changes: [],
      connectivityIssue: null,
    };
    expect(renderData(frameOf(language, later.address), later.archive)).toBe(html);
    const archive = { ...ARCHIVE, days: ARCHIVE.days.slice(1) };
    expect(renderData(frameOf(language, VIEW.address), archive)).not.toBe(html);
  });

  test("is linked from the API and from services, which link to their own history", () => {
    const to = `/s${language === "en" ? "/en" : ""}/data`;
    const service = renderService(
      frameOf(language, VIEW.address),
      VIEW,
      serviceOf("ok", { slug: "vtb" }),
    );
    expect(linksOf(service)).toContain("/s/history/v1/vtb.json");
    // In the list and in the footer.
    expect(linksOf(service).filter((href) => href === to)).toHaveLength(2);
    const api = renderApi(frameOf(language, VIEW.address));
    expect(linksOf(api).filter((href) => href === to)).toHaveLength(2);
  });
});

test.each([
  [0, "0 байт", "0 bytes"],
  [812, "812 байт", "812 bytes"],
  [999, "999 байт", "999 bytes"],
  [1_000, "1,0 КБ", "1.0 kB"],
  [9_949, "9,9 КБ", "9.9 kB"],
  [9_960, "10 КБ", "10 kB"],
  [109_512, "110 КБ", "110 kB"],
  [999_499, "999 КБ", "999 kB"],
  [999_500, "1,0 МБ", "1.0 MB"],
  [1_426_007, "1,4 МБ", "1.4 MB"],
  [5e12, "5000 ГБ", "5000 GB"],
])("%i bytes are written as %s", (bytes, ru, en) => {
  const written = LANGUAGES.map((language) => formatSize(bytes, language).replace("\u00A0", " "));
  expect(written).toEqual([ru, en]);
});

test.each([
  ["01", "январь", "января", "January"],
  ["02", "февраль", "февраля", "February"],
  ["03", "март", "марта", "March"],
  ["04", "апрель", "апреля", "April"],
  ["05", "май", "мая", "May"],
  ["06", "июнь", "июня", "June"],
  ["07", "июль", "июля", "July"],
  ["08", "август", "августа", "August"],
  ["09", "сентябрь", "сентября", "September"],
  ["10", "октябрь", "октября", "October"],
  ["11", "ноябрь", "ноября", "November"],
  ["12", "декабрь", "декабря", "December"],
])("month %s is called %s", (month, alone, inDay, english) => {
  expect(formatMonth(`2026-${month}`, "ru")).toBe(`${alone} 2026`);
  expect(formatMonth(`2026-${month}`, "en")).toBe(`${english} 2026`);
  expect(formatDay(`2026-${month}-09`, "ru")).toBe(`9 ${inDay} 2026`);
  expect(formatDay(`2026-${month}-09`, "en")).toBe(`9 ${english} 2026`);
});
