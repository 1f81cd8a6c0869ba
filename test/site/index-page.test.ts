import { expect, test } from "vitest";
import { renderIndex } from "../../src/site/pages/index.tsx";
import type { ServiceView, SiteView } from "../../src/site/view.ts";
import { CONNECTIVITY_WORDS } from "../../src/site/words/connectivity.ts";
import type { XmlElement } from "../../src/verify/xml.ts";
import { byClass, byName, only, parsePage, textOf } from "./page.ts";
import { ASSETS, CALM, CATEGORIES, pairOf, serviceOf, SPECIMEN } from "./specimen.ts";

function indexOf(services: readonly ServiceView[]): XmlElement {
  const view: SiteView = { ...SPECIMEN, services };
  return parsePage(renderIndex(view, "ru", ASSETS));
}

const slugsIn = (element: XmlElement): readonly (string | undefined)[] =>
  byClass(element, "row").map((row) => row.attributes.get("data-slug"));

test("in its category what has problems stands first, and last what nobody knows", () => {
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

test("a row and its group have the number of the category, by which the style sheet filters", () => {
  const games = CATEGORIES.findIndex(({ id }) => id === "games");
  const category = CATEGORIES.find(({ id }) => id === "games");
  if (category === undefined) throw new Error("the specimen has no games");
  const page = indexOf([serviceOf("ok", { category })]);
  const inPlace = byClass(page, `k${games}`).map(({ name }) => name);
  expect(inPlace.toSorted()).toEqual(["li", "section"]);
  expect(only(byClass(page, "row")).attributes.get("data-category")).toBe("games");
});

test("the totals name each colour that there is, with its number, the worst first", () => {
  const totalsOf = (page: XmlElement): readonly string[] =>
    byName(only(byClass(page, "totals")), "li").map((item) =>
      [item.attributes.get("data-light"), ...byName(item, "b").map(textOf)].join(" "),
    );
  const services = (["ok", "fail", "ok", "slow", "err"] as const).map((code, at) =>
    serviceOf(code, { slug: `s${at}` }),
  );
  expect(totalsOf(indexOf(services))).toEqual(["bad 2", "warn 1", "ok 2"]);
  expect(totalsOf(indexOf(CALM.services))).toEqual(["ok 40"]);
});

test("only what happens now and has a beginning that checks saw is dated", () => {
  const sinceMs = Date.UTC(2026, 10, 21, 8, 5);
  const datesOf = (service: ServiceView): readonly string[] =>
    byName(only(byClass(indexOf([service]), "row")), "time").map(textOf);
  const failing = { ...pairOf("fail"), live: true, sinceMs };
  expect(datesOf(serviceOf("fail", { verdict: failing }))).toEqual(["21 ноября, 11:05"]);
  // Checks see nothing of a surge, so their beginning is not that of what happens.
  const surging = { ...pairOf("spike"), live: true, sinceMs };
  expect(datesOf(serviceOf("spike", { verdict: surging }))).toEqual([]);
  expect(datesOf(serviceOf("fail", { verdict: { ...failing, live: false } }))).toEqual([]);
});

test("a search finds a name as it is, in Latin letters, and by its slug", () => {
  const page = indexOf([serviceOf("ok", { name: "Щука Ёж", slug: "pike" })]);
  expect(only(byClass(page, "row")).attributes.get("data-search")).toBe("щука ёж schuka ezh pike");
});

test("the page that is open is marked in the navigation, and no other", () => {
  const current = byName(indexOf([]), "a").filter(({ attributes }) =>
    attributes.has("aria-current"),
  );
  expect(current.map(({ attributes }) => attributes.get("href"))).toEqual(["/"]);
});

test("what the checks themselves suffer from stands once above the list, and not on a good day", () => {
  const noteOf = (way: SiteView["way"]) =>
    byClass(parsePage(renderIndex({ ...SPECIMEN, way }, "ru", ASSETS)), "way-note").map(textOf);
  expect(noteOf(null)).toEqual([]);
  expect(noteOf("half")).toEqual([CONNECTIVITY_WORDS.ru.half]);
});
