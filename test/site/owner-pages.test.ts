import { describe, expect, test } from "vitest";
import { OWNER_PROBLEMS } from "../../src/model/monitor/problems.ts";
import { buildSite } from "../../src/site/site-files.ts";
import { renderApi } from "../../src/site/pages/api.tsx";
import { renderMonitor } from "../../src/site/pages/monitor.tsx";
import { renderOwnerManage, renderOwnerNew } from "../../src/site/pages/owners/pages.tsx";
import { LANGUAGES } from "../../src/contract/codes/language.ts";
import { ownerScriptWords } from "../../src/site/words/pages/owner-script.ts";
import type { SiteAddress } from "../../src/site/view.ts";
import { ADDRESS, ASSETS, NOW_MS, SITE_FIXTURE, frameOf } from "./site-fixture.ts";
import { monitorOf } from "./monitor-fixture.ts";

const ON: SiteAddress = {
  ...ADDRESS,
  isSelfService: true,
  people: { contact: "mailto:status@example.ru", addSite: "https://old.example/" },
};
const OFF: SiteAddress = { ...ON, isSelfService: false };

function textsOf(address: SiteAddress): ReadonlyMap<string, string> {
  const site = buildSite({ ...SITE_FIXTURE, address }, [], ASSETS, NOW_MS).flat();
  return new Map(site.map(({ key, body }) => [key, new TextDecoder().decode(body)]));
}

describe("the pages for owners", () => {
  test("exist in both languages, and every page links to them", () => {
    const texts = textsOf(ON);
    for (const key of ["monitor/new", "monitor/index.html"])
      expect([texts.has(key), texts.has(`en/${key}`)]).toEqual([true, true]);
    for (const [key, text] of texts) {
      if (!text.startsWith("<!doctype html>")) continue;
      expect([key, /href="[^"]*\/monitor\/new"/u.test(text)]).toEqual([key, true]);
      expect([key, text.includes("https://old.example/")]).toEqual([key, false]);
    }
    expect(texts.get("sitemap.xml")).toContain("/monitor/new<");
  });

  test("do not exist, and no page links to them, without self-service", () => {
    for (const [key, text] of textsOf(OFF))
      expect([key, /monitor\/(?:new|index)/u.test(key + text)]).toEqual([key, false]);
  });

  test.each(LANGUAGES)("in %s tell no other page where a visitor came from", (language) => {
    for (const render of [renderOwnerNew, renderOwnerManage])
      expect(render(frameOf(language, ON))).toContain(
        '<meta name="referrer" content="no-referrer"/>',
      );
  });

  test("ask the intake of the reports, wherever it is", () => {
    const elsewhere = { ...ON, reportUrl: "https://reports.example.ru" };
    expect(renderOwnerNew(frameOf("ru", ON))).toContain(`data-api="${ADDRESS.root}"`);
    const page = renderOwnerNew(frameOf("ru", elsewhere));
    expect(page).toContain('data-api="https://reports.example.ru"');
    expect(page).toMatch(/connect-src (?:'|&#39;)self(?:'|&#39;) https:\/\/reports\.example\.ru/u);
  });
});

test("every problem has words in both languages, and a place on the API page", () => {
  const [ru, en] = LANGUAGES.map((language) => ownerScriptWords(language));
  for (const code of Object.keys(OWNER_PROBLEMS) as (keyof typeof OWNER_PROBLEMS)[]) {
    expect(ru?.problems[code]).toMatch(/[а-я]/u);
    expect(en?.problems[code]).not.toMatch(/[а-я]/u);
    for (const language of LANGUAGES)
      expect(renderApi(frameOf(language, ON))).toContain(`id="problem-${code}"`);
  }
  expect(renderApi(frameOf("ru", OFF))).not.toContain("problem-");
});

describe("the page of a monitor that its owner has added", () => {
  const render = (address: SiteAddress, isYoung?: boolean): string =>
    renderMonitor(
      frameOf("ru", address),
      monitorOf(isYoung === undefined ? {} : { owner: { isYoung } }),
    );

  test("is kept from search engines while it is young", () => {
    const noIndex = '<meta name="robots" content="noindex"/>';
    expect(render(ON, true)).toContain(noIndex);
    expect(render(ON, false)).not.toContain(noIndex);
    expect(render(ON)).not.toContain(noIndex);
  });

  test("links to where one can complain, if there is such a place", () => {
    expect(render(ON, false)).toContain("Пожаловаться");
    expect(render(ON)).not.toContain("Пожаловаться");
    expect(render({ ...ON, people: {} }, false)).not.toContain("Пожаловаться");
  });
});
