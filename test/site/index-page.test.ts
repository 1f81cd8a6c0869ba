import { type Language, LANGUAGES } from "../../src/contract/codes/language.ts";
import { describe, expect, test } from "vitest";
import { renderIndex } from "../../src/site/pages/index.tsx";
import type { ServiceView, SiteView } from "../../src/site/view.ts";
import { CONNECTIVITY_WORDS } from "../../src/site/words/scope.ts";
import type { XmlElement } from "../../src/verify/site/parse-xml.ts";
import { byClass, byName, only, parsePage, textOf } from "./page.ts";
import { QUIET_SITE } from "./quiet-site.ts";
import { CATEGORIES, pairOf, serviceOf, SITE_FIXTURE, frameOf } from "./site-fixture.ts";

function indexOf(services: readonly ServiceView[], language: Language = "ru"): XmlElement {
  const view: SiteView = { ...SITE_FIXTURE, services };
  return parsePage(renderIndex(frameOf(language, view.address), view));
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

const COUNTED = ["ok", "fail", "ok", "slow", "err", "fail_long", "slowed_ru", "none"] as const;

test("each service counts once in the totals, worst first, and what lasts is apart", () => {
  const totalsOf = (page: XmlElement): readonly string[] =>
    byName(only(byClass(page, "totals")), "li").map((item) =>
      [item.attributes.get("data-light"), ...byName(item, "b").map(textOf), item.text.trim()].join(
        " ",
      ),
    );
  const services = COUNTED.map((code, at) => {
    const live = code === "fail" || code === "err";
    return serviceOf(code, { slug: `s${at}`, verdict: { ...pairOf(code), live, sinceMs: null } });
  });
  expect(totalsOf(indexOf(services))).toEqual([
    "bad 2 сбоя",
    "warn 1 предупреждение",
    "bad 2 долгих сбоя или ограничения",
    "ok 2 работают",
    "none 1 без данных",
  ]);
  expect(totalsOf(indexOf(QUIET_SITE.services))).toEqual(["ok 40 работают"]);
});

describe("a group of problems", () => {
  const groupOf = (page: XmlElement, kind: string): XmlElement => only(byClass(page, kind));
  const failing = { ...pairOf("fail"), live: true, sinceMs: Date.UTC(2026, 10, 21, 8, 5) };
  const reported = (hour: number) => ({ reports: { hour, day: hour, isSurging: false } });

  test("has the worst first, then the most reported, then the newest", () => {
    const page = indexOf([
      serviceOf("fail", { slug: "old", verdict: { ...failing, sinceMs: 1 } }),
      serviceOf("err", { slug: "answers", verdict: { ...failing, ...pairOf("err") } }),
      serviceOf("fail", { slug: "new", verdict: failing }),
      serviceOf("fail", { slug: "known", verdict: { ...failing, sinceMs: 0 }, ...reported(9) }),
    ]);
    expect(slugsIn(groupOf(page, "outage"))).toEqual(["known", "new", "old", "answers"]);
  });

  test("repeats services of the categories, which have all of them", () => {
    const page = indexOf([serviceOf("fail", { verdict: failing }), serviceOf("ok")]);
    expect(slugsIn(groupOf(page, "problems"))).toEqual(["fail"]);
    expect(slugsIn(groupOf(page, "groups"))).toEqual(["fail", "ok"]);
  });

  test("says since when, how many reports there were, and shows the last day", () => {
    const page = indexOf([serviceOf("fail", { verdict: failing, ...reported(12) })]);
    const card = groupOf(page, "outage");
    expect(textOf(only(byClass(card, "dated"))).trim()).toBe("с 21 ноября, 11:05 МСК");
    expect(textOf(only(byClass(card, "facts-line")))).toContain("12 жалоб за час");
    expect(byClass(card, "strip-line")).toHaveLength(1);
  });

  test("gives no start of a surge, which the checks do not see", () => {
    const surging = { ...failing, ...pairOf("spike") };
    const page = indexOf([serviceOf("spike", { verdict: surging })]);
    expect(byName(groupOf(page, "warning"), "time")).toEqual([]);
  });
});

test("the page says nothing of now, for it may be read when the checks have stopped", () => {
  for (const view of [SITE_FIXTURE, QUIET_SITE]) {
    for (const language of LANGUAGES) {
      const page = parsePage(renderIndex(frameOf(language, view.address), view));
      const visible = byClass(page, "live").reduce(
        (text, mark) => text.replaceAll(textOf(mark), ""),
        `${textOf(only(byName(page, "title")))} ${textOf(only(byName(page, "main")))}`,
      );
      expect(visible).not.toMatch(/сейчас|\bnow\b/iu);
    }
  }
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
      parsePage(renderIndex(frameOf("ru"), { ...SITE_FIXTURE, connectivityIssue })),
      "way-note",
    ).map(textOf);
  expect(noteOf(null)).toEqual([]);
  expect(noteOf("half")).toEqual([CONNECTIVITY_WORDS.ru.half]);
});

test("a mobile network with a white list has a banner above the list", () => {
  const whiteLists = ["Билайн, Ростов", "МТС, Казань"];
  const page = parsePage(
    renderIndex(frameOf("ru"), { ...SITE_FIXTURE, connectivityIssue: null, whiteLists }),
  );
  const [note = ""] = byClass(page, "way-note").map(textOf);
  expect(note).toContain("«белого списка» (Билайн, Ростов; МТС, Казань)");
});

test("a network that answers slowly is named once, with its services", () => {
  const slow = ["a", "b"].map((slug) => serviceOf("slow", { slug, name: `Сервис ${slug}` }));
  const view = {
    ...SITE_FIXTURE,
    connectivityIssue: null,
    services: [...slow, serviceOf("ok", { slug: "c" })],
    slowNetworks: [{ network: "Selectel", services: slow }],
  };
  const notesOf = (html: string): readonly string[] =>
    byClass(parsePage(html), "way-note").map(textOf);
  const [note = "", ...others] = notesOf(renderIndex(frameOf("ru", view.address), view));
  expect(note).toContain("Selectel: Сервис a, Сервис b.");
  expect(others).toEqual([]);
});

test.each([
  ["russia", "за границей открывается"],
  ["everywhere", "и за границей не открывается"],
  ["network", "не во всех сетях"],
  ["unknown", ""],
  ["mixed", ""],
] as const)("a service whose scope is %s has the mark %j", (scope, mark) => {
  const service = serviceOf("fail", { scope: { scope, isClaimed: false, places: [] } });
  const page = parsePage(renderIndex(frameOf("ru"), { ...SITE_FIXTURE, services: [service] }));
  expect(byClass(page, "tag").map(textOf).join()).toBe(mark);
});

test("an English page has the English name of a service", () => {
  const named = serviceOf("ok", { name: "Почта России", nameEn: "Russian Post" });
  const titles = (page: ReturnType<typeof indexOf>): readonly string[] =>
    byClass(page, "name").map(textOf);
  expect(titles(indexOf([named]))).toEqual(["Почта России"]);
  expect(titles(indexOf([named], "en"))).toEqual(["Russian Post"]);
});
