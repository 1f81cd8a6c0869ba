import type { Language } from "../../src/site/words/language.ts";
import { expect, test } from "vitest";
import { renderIndex } from "../../src/site/pages/index.tsx";
import type { ServiceView, SiteView } from "../../src/site/view.ts";
import { CONNECTIVITY_WORDS } from "../../src/site/words/connectivity.ts";
import type { XmlElement } from "../../src/verify/parse-xml.ts";
import { byClass, byName, only, parsePage, textOf } from "./page.ts";
import { ASSETS, QUIET_SITE, CATEGORIES, pairOf, serviceOf, SITE_FIXTURE } from "./site-fixture.ts";

function indexOf(services: readonly ServiceView[], language: Language = "ru"): XmlElement {
  const view: SiteView = { ...SITE_FIXTURE, services };
  return parsePage(renderIndex(view, language, ASSETS));
}

const slugsIn = (element: XmlElement): readonly (string | undefined)[] =>
  byClass(element, "row").map((row) => row.attributes.get("data-slug"));

test("a category lists problems first and services without data last", () => {
  const page = indexOf([
    serviceOf("none", { slug: "a" }),
    serviceOf("ok", { slug: "b" }),
    serviceOf("slow", { slug: "c" }),
    serviceOf("ok", { slug: "d" }),
    serviceOf("provider", { slug: "e" }),
  ]);
  expect(slugsIn(only(byClass(page, "k0").filter(({ name }) => name === "section")))).toEqual([
    "c",
    "e",
    "b",
    "d",
    "a",
  ]);
});

test("a row and its group have the class of the category, for the filters", () => {
  const games = CATEGORIES.findIndex(({ id }) => id === "games");
  const category = CATEGORIES.find(({ id }) => id === "games");
  if (category === undefined) throw new Error("the fixture has no games");
  const page = indexOf([serviceOf("ok", { category })]);
  const inPlace = byClass(page, `k${games}`).map(({ name }) => name);
  expect(inPlace.toSorted()).toEqual(["li", "section"]);
  expect(only(byClass(page, "row")).attributes.get("data-category")).toBe("games");
});

test("the totals have each colour in use with its number, worst first", () => {
  const totalsOf = (page: XmlElement): readonly string[] =>
    byName(only(byClass(page, "totals")), "li").map((item) =>
      [item.attributes.get("data-light"), ...byName(item, "b").map(textOf)].join(" "),
    );
  const services = (["ok", "fail", "ok", "slow", "err"] as const).map((code, at) =>
    serviceOf(code, { slug: `s${at}` }),
  );
  expect(totalsOf(indexOf(services))).toEqual(["bad 2", "warn 1", "ok 2"]);
  expect(totalsOf(indexOf(QUIET_SITE.services))).toEqual(["ok 40"]);
});

test("only a current outage whose start the checks saw has a time", () => {
  const sinceMs = Date.UTC(2026, 10, 21, 8, 5);
  const datesOf = (service: ServiceView): readonly string[] =>
    byName(only(byClass(indexOf([service]), "row")), "time").map(textOf);
  const failing = { ...pairOf("fail"), live: true, sinceMs };
  expect(datesOf(serviceOf("fail", { verdict: failing }))).toEqual(["21 ноября, 11:05"]);
  // A surge is not seen by the checks, so their start is not its start.
  const surging = { ...pairOf("spike"), live: true, sinceMs };
  expect(datesOf(serviceOf("spike", { verdict: surging }))).toEqual([]);
  expect(datesOf(serviceOf("fail", { verdict: { ...failing, live: false } }))).toEqual([]);
});

test("a row has all names that the search knows", () => {
  const names = { name: "Щука|Ёж", nameEn: "Pike", slug: "pike", aliases: ["Щурёнок"] };
  const page = indexOf([serviceOf("ok", names)]);
  expect(only(byClass(page, "row")).attributes.get("data-search")).toBe("щука ёж|pike|щурёнок");
});

test("the navigation marks only the current page", () => {
  const current = byName(indexOf([]), "a").filter(({ attributes }) =>
    attributes.has("aria-current"),
  );
  expect(current.map(({ attributes }) => attributes.get("href"))).toEqual(["/"]);
});

test("a connectivity issue of the runner is shown once above the list", () => {
  const noteOf = (connectivityIssue: SiteView["connectivityIssue"]) =>
    byClass(
      parsePage(renderIndex({ ...SITE_FIXTURE, connectivityIssue }, "ru", ASSETS)),
      "way-note",
    ).map(textOf);
  expect(noteOf(null)).toEqual([]);
  expect(noteOf("half")).toEqual([CONNECTIVITY_WORDS.ru.half]);
});

test("an English page has the English name of a service", () => {
  const named = serviceOf("ok", { name: "Почта России", nameEn: "Russian Post" });
  const titles = (page: ReturnType<typeof indexOf>): readonly string[] =>
    byClass(page, "name").map(textOf);
  expect(titles(indexOf([named]))).toEqual(["Почта России"]);
  expect(titles(indexOf([named], "en"))).toEqual(["Russian Post"]);
});
