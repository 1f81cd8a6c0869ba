import { DEFAULT_SITE_SETTINGS } from "../../src/model/site-settings.ts";
import { SERVICE_WORDS } from "../../src/site/words/pages/service-page.ts";
import { raw } from "hono/html";
import { describe, expect, test } from "vitest";
import type { Annotation } from "../../src/model/service/catalogue.ts";
import type { XmlElement } from "../../src/verify/site/parse-xml.ts";
import { renderPage } from "../../src/site/html.ts";
import { renderAbout } from "../../src/site/pages/about.tsx";
import { renderIndex } from "../../src/site/pages/index.tsx";
import { renderMonitor } from "../../src/site/pages/monitor.tsx";
import { renderService } from "../../src/site/pages/service.tsx";
import { LANGUAGES, type Language } from "../../src/contract/codes/language.ts";
import type { ServiceView, SiteView } from "../../src/site/view.ts";
import { VERDICT_LABELS } from "../../src/contract/codes/verdict-words.ts";
import { byClass, byName, only, parsePage, textOf } from "./page.ts";
import { elementsOf } from "./read-xml.ts";
import { QUIET_SITE } from "./quiet-site.ts";
import {
  annotationOf,
  CODES,
  endpointOf,
  serviceOf,
  SITE_FIXTURE,
  frameOf,
} from "./site-fixture.ts";
import { MONITORS, monitorOf } from "./monitor-fixture.ts";

function pageOf(service: ServiceView, language: Language = "ru"): XmlElement {
  return parsePage(renderService(frameOf(language), SITE_FIXTURE, service));
}

function indexOf(view: SiteView, language: Language = "ru"): XmlElement {
  return parsePage(renderIndex(frameOf(language, view.address), view));
}

/** Every page of the fixture. */
function allPages(): readonly { readonly name: string; readonly html: string }[] {
  return LANGUAGES.flatMap((language) => [
    { name: `index ${language}`, html: renderIndex(frameOf(language), SITE_FIXTURE) },
    {
      name: `quiet index ${language}`,
      html: renderIndex(frameOf(language, QUIET_SITE.address), QUIET_SITE),
    },
    ...SITE_FIXTURE.services.map((service) => ({
      name: `${service.slug} ${language}`,
      html: renderService(frameOf(language), SITE_FIXTURE, service),
    })),
    ...MONITORS.map((monitor) => ({
      name: `monitor ${monitor.id} ${language}`,
      html: renderMonitor(frameOf(language), monitor),
    })),
  ]);
}

/** State of a service in an element. */
function stateIn(element: XmlElement): object {
  const live = only(byClass(element, "live"));
  return {
    slug: element.attributes.get("data-slug"),
    code: element.attributes.get("data-code"),
    color: element.attributes.get("data-color"),
    live: element.attributes.get("data-live"),
    label: textOf(only(byClass(element, "label"))),
    isLiveShown: !live.attributes.has("hidden"),
  };
}

function stateOf({ slug, verdict }: ServiceView, language: Language): object {
  return {
    slug,
    code: verdict.code,
    color: verdict.color,
    live: String(verdict.live),
    label: VERDICT_LABELS[language][verdict.code],
    isLiveShown: verdict.live,
  };
}

describe.each(LANGUAGES)("in %s", (language) => {
  test("the categories of the list have each service once, with its state", () => {
    const list = only(byClass(indexOf(SITE_FIXTURE, language), "groups"));
    const rows = byClass(list, "row");
    const shown = rows.map(stateIn);
    const wanted = SITE_FIXTURE.services.map((service) => stateOf(service, language));
    expect(shown).toHaveLength(wanted.length);
    expect(shown).toEqual(expect.arrayContaining(wanted));
  });

  test.each(SITE_FIXTURE.services.map((service) => [service.slug, service] as const))(
    "the page of %s has its state, since and counts",
    (_, service) => {
      const article = only(byClass(pageOf(service, language), "service"));
      const { verdict, reports } = service;
      const since = verdict.sinceMs === null ? "" : String(Math.floor(verdict.sinceMs / 1_000));
      expect(stateIn(article)).toEqual(stateOf(service, language));
      expect(article.attributes.get("data-since")).toBe(since);
      expect(article.attributes.get("data-hour")).toBe(String(reports.hour));
      expect(article.attributes.get("data-day")).toBe(String(reports.day));
      expect(textOf(only(byClass(article, "reports-hour")))).toBe(String(reports.hour));
      expect(textOf(only(byClass(article, "reports-day")))).toBe(String(reports.day));
      const times = byClass(article, "since").map((time) => time.attributes.get("datetime"));
      const iso = since === "" ? [] : [new Date(Number(since) * 1_000).toISOString()];
      expect(times.map((time) => new Date(time ?? "").toISOString())).toEqual(iso);
    },
  );
});

test("an asynchronous component throws", () => {
  const error = new TypeError("a component of a page is asynchronous");
  expect(() => renderPage(Promise.resolve(raw("<p></p>")))).toThrow(error);
});

test("the fixture has every verdict", () => {
  const codes = new Set(SITE_FIXTURE.services.map(({ verdict }) => verdict.code));
  expect([...codes].toSorted()).toEqual([...CODES].toSorted());
});

test("times are in Moscow time", () => {
  const atMs = Date.UTC(2026, 0, 31, 21, 7);
  const service = serviceOf("fail", {
    verdict: { code: "fail", color: "bad", live: true, sinceMs: atMs },
  });
  expect(textOf(only(byClass(pageOf(service), "since")))).toBe("1 февраля, 00:07 МСК");
  expect(textOf(only(byClass(pageOf(service, "en"), "since")))).toBe("1 February, 00:07 MSK");
});

test("the heading of the list has the number of services with problems", () => {
  const heading = (view: SiteView, language: Language): string =>
    textOf(only(byName(indexOf(view, language), "h1")));
  const live = (count: number): SiteView => ({
    ...SITE_FIXTURE,
    services: Array.from({ length: count }, (_, index) =>
      serviceOf("fail", {
        slug: `s${index}`,
        verdict: { code: "fail", color: "bad", live: true, sinceMs: 0 },
      }),
    ),
  });
  expect(heading(live(1), "ru")).toBe("Сбой у 1 сервиса");
  expect(heading(live(21), "ru")).toBe("Сбои у 21 сервиса");
  expect(heading(live(5), "ru")).toBe("Сбои у 5 сервисов");
  expect(heading(live(1), "en")).toBe("1 service has an outage");
  expect(heading(QUIET_SITE, "ru")).toBe("Сбоев не видно");
  const warned = { ...SITE_FIXTURE, services: [serviceOf("slow"), serviceOf("fail_long")] };
  expect(heading(warned, "ru")).toBe("Сбоев не видно, проблемы у 1 сервиса");
  expect(heading({ ...SITE_FIXTURE, services: [serviceOf("none")] }, "ru")).toBe(
    "Нет свежих данных",
  );
});

test("a service that was never checked does not show the time of the last run", () => {
  const never = SITE_FIXTURE.services.filter(({ slug }) => slug === "never-checked").map(wideFact);
  const stale = SITE_FIXTURE.services.filter(({ slug }) => slug === "none").map(wideFact);
  const fresh = SITE_FIXTURE.services.filter(({ slug }) => slug === "ok").map(wideFact);
  expect(never).toEqual([{ text: "Проверено ещё ни разу", images: 0 }]);
  expect(stale).toEqual([{ text: "Последний раз проверяли 21 ноября, 09:05 МСК", images: 0 }]);
  expect(fresh).toEqual([{ text: "Проверено", images: 1 }]);
});

function wideFact(service: ServiceView): object {
  const fact = only(byClass(pageOf(service), "wide"));
  const [term, description] = fact.children.map((child) => textOf(child).trim());
  const zone = byClass(fact, "zone").length;
  const time = byName(fact, "time").map(textOf).join("");
  const text = zone > 0 ? `${term} ${time} МСК` : `${term} ${description}`.trim();
  return { text, images: byName(fact, "img").length };
}

test("the evidence has the status of each endpoint, by name and host", () => {
  const itemsOf = (language: Language, what: string): readonly (readonly unknown[])[] => {
    const isOk = { kind: "ok", isFlaky: false, isUnverified: false } as const;
    const endpoints = [
      endpointOf("a.example.ru", what, isOk),
      endpointOf("b.example.ru", what, { ...isOk, isFlaky: true, isUnverified: true }, false),
      endpointOf("c.example.ru", what, { kind: "denied" }, false),
      endpointOf("d.example.ru", what, { kind: "skipped" }, false),
      endpointOf("e.example.ru", what, { ...isOk, wall: "Qrator" }, false),
    ];
    const page = pageOf(serviceOf("ok", { endpoints }), language);
    return byName(only(byClass(page, "evidence")), "li").map((item) => [
      item.attributes.get("data-light"),
      byClass(item, "tag").map(textOf),
      byClass(item, "host").map(textOf),
      textOf(byName(item, "strong")[0] ?? item),
      textOf(byName(item, "p")[1] ?? item),
    ]);
  };
  expect(itemsOf("ru", "main site")).toEqual([
    ["ok", ["главный адрес"], ["a.example.ru"], "основной сайт", "отвечает"],
    [
      "ok",
      [],
      ["b.example.ru"],
      "основной сайт",
      "отвечает, но не с первой попытки; сертификат не проверен: нужен российский корневой",
    ],
    ["warn", [], ["c.example.ru"], "основной сайт", "сам сервис не пускает из этого региона"],
    ["none", [], ["d.example.ru"], "основной сайт", "в последний раз не успели проверить"],
    ["none", [], ["e.example.ru"], "основной сайт", "отвечает защита от роботов (Qrator)"],
  ]);
  // Without a Russian name, the host is shown once.
  expect(itemsOf("ru", "something new")[0]).toEqual([
    "ok",
    ["главный адрес"],
    [],
    "a.example.ru",
    "отвечает",
  ]);
});

test("the response chart names its endpoint", () => {
  const hintOf = (what: string): string => {
    const endpoints = [
      endpointOf("side.example.ru", "main site", undefined, false),
      endpointOf("main.example.ru", what),
    ];
    const card = byName(pageOf(serviceOf("ok", { endpoints })), "section").find(
      ({ attributes }) => attributes.get("aria-labelledby") === "response",
    );
    return card === undefined ? "" : textOf(only(byClass(card, "hint")));
  };
  expect(hintOf("internet bank")).toMatch(
    /^Медиана за каждый час для адреса: .+ \(main\.example\.ru\)\.$/u,
  );
  expect(hintOf("something new")).toBe("Медиана за каждый час для адреса: main.example.ru.");
});

test("the list has the last ten changes; without any, no such section", () => {
  const changes = Array.from({ length: 11 }, (_, at) => ({
    slug: "ok",
    name: `Сервис ${at}`,
    atMs: Date.UTC(2026, 10, 21, 9, 5 - (at % 5)),
    code: "fail" as const,
    before: "slow" as const,
  }));
  const items = byName(only(byClass(indexOf({ ...SITE_FIXTURE, changes }), "changes")), "li");
  expect(items.map((item) => textOf(only(byName(item, "a"))))).toEqual(
    changes.slice(0, 10).map(({ name }) => name),
  );
  const [first] = items;
  const turn = first && only(byClass(first, "turn"));
  expect(turn && textOf(only(byClass(turn, "lit")))).toBe("Сбой: не открывается");
  expect(turn && textOf(only(byClass(turn, "hint"))).trim()).toBe("было: Работает медленно");
  expect(first && textOf(only(byName(first, "time")))).toBe("21 ноября, 12:05 МСК");
  expect(byClass(indexOf(QUIET_SITE), "changes")).toEqual([]);
});

test("the evidence has the failed stage and the HTTP status", () => {
  const err = SITE_FIXTURE.services.find(({ slug }) => slug === "err") ?? serviceOf("err");
  const text = textOf(only(byClass(pageOf(err), "evidence")));
  expect(text).toContain("ответ сервера (HTTP)");
  expect(text).toContain("сервер отвечает ошибкой (HTTP 503)");
  const [steps] = byClass(pageOf(err), "steps").map((each) =>
    elementsOf(each).flatMap(({ name, attributes }) =>
      name === "li" ? [attributes.get("class")] : [],
    ),
  );
  expect(steps).toEqual(["done", "done", "done", "failed", "ahead"]);
});

test("a source is a link without a referrer; without a source the page says so", () => {
  const page = (code: "provider" | "partial_ru"): XmlElement => {
    const service = SITE_FIXTURE.services.find(({ verdict }) => verdict.code === code);
    return only(byClass(pageOf(service ?? serviceOf(code)), "annotations"));
  };
  const [link] = byName(page("provider"), "a");
  expect(link?.attributes.get("href")).toBe("https://example.org/news?id=1&x=2");
  expect(link?.attributes.get("rel")).toBe("noopener noreferrer nofollow");
  expect(byName(page("partial_ru"), "a")).toEqual([]);
  expect(textOf(page("partial_ru"))).toContain(SERVICE_WORDS.ru.unconfirmed);
  expect(textOf(page("partial_ru"))).toContain("9 июня 2025");
});

test("an annotation is in the language of the page, if the catalogue has it", () => {
  const statementIn = (
    language: Language,
    annotation: Annotation,
  ): readonly (string | undefined)[] => {
    const service = serviceOf("restricted", { annotations: [annotation] });
    const list = only(byClass(pageOf(service, language), "annotations"));
    const statement = only(byName(list, "p").filter(({ attributes }) => attributes.has("lang")));
    return [statement.attributes.get("lang"), textOf(statement)];
  };
  const { reasonRu: _, ...inEnglish } = annotationOf("restricted");
  const { reason } = inEnglish;
  const inBoth: Annotation = { ...inEnglish, reasonRu: "Ушёл <b>&" };
  expect(statementIn("ru", inBoth)).toEqual(["ru", "Ушёл <b>&"]);
  expect(statementIn("en", inBoth)).toEqual(["en", reason]);
  expect(statementIn("ru", inEnglish)).toEqual(["en", reason]);
});

test("the report form is plain HTML without a default symptom", () => {
  const form = only(byClass(pageOf(serviceOf("ok"), "en"), "report"));
  expect(form.attributes.get("method")).toBe("post");
  expect(form.attributes.get("action")).toBe("/report/ok");
  const inputs = byName(form, "input").map(({ attributes }) =>
    ["type", "name", "value"].map((name) => attributes.get(name)).join(" "),
  );
  expect(inputs).toEqual([
    "radio symptom does-not-open",
    "radio symptom slow",
    "radio symptom login",
    "radio symptom payments",
    "radio symptom app",
    "radio symptom other",
    "hidden language en",
  ]);
  expect(byName(form, "input").some(({ attributes }) => attributes.has("checked"))).toBe(false);
  const status = byName(form, "p").find(({ attributes }) => attributes.get("id") === "reported");
  expect([status?.attributes.get("role"), status && textOf(status)]).toEqual(["status", ""]);
  expect(textOf(only(byClass(form, "thanks")))).toBe("Thank you, your report was accepted.");
});

test("the head has the policy, the locale and the link preview", () => {
  const headOf = (html: string): Readonly<Record<string, string | undefined>> =>
    Object.fromEntries(
      byName(parsePage(html), "meta").map(({ attributes }) => [
        attributes.get("name") ?? attributes.get("property") ?? attributes.get("http-equiv"),
        attributes.get("content"),
      ]),
    );
  const service = serviceOf("fail", { slug: "vtb", name: "ВТБ" });
  expect(headOf(renderService(frameOf("en"), SITE_FIXTURE, service))).toMatchObject({
    // Deliberately not taken from the code; the fronts add frame-ancestors, which a meta element cannot set.
    "Content-Security-Policy":
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; manifest-src 'self'; base-uri 'none'",
    "og:locale": "en_GB",
    "og:locale:alternate": "ru_RU",
    "og:url": "https://status.example.ru/en/status/vtb",
    "og:title": "ВТБ: Outage: does not open. Is it down today? Outages and reports",
    "og:image": "https://status.example.ru/card/vtb.fail.202611190705.png",
    "og:image:width": "1200",
    "og:image:height": "630",
    "twitter:card": "summary_large_image",
  });
  const plain = headOf(renderAbout(frameOf("ru")));
  expect(plain).toMatchObject({
    "og:locale": "ru_RU",
    "og:image": "https://status.example.ru/card.png",
  });
  const list = (view: SiteView) =>
    headOf(renderIndex(frameOf("ru", view.address), view))["og:image"];
  expect(list(SITE_FIXTURE)).toBe("https://status.example.ru/card/all-services.outage.png");
  expect(list(QUIET_SITE)).toBe("https://status.example.ru/card/all-services.ok.png");
});

test("the filters initially show everything", () => {
  const checked = byName(indexOf(SITE_FIXTURE), "input").filter(({ attributes }) =>
    attributes.has("checked"),
  );
  expect(checked.map(({ attributes }) => attributes.get("id"))).toEqual([
    "state-all",
    "category-all",
  ]);
});

test("links are below the root of the site, and absolute URLs have its origin", () => {
  const address = { ...DEFAULT_SITE_SETTINGS, origin: "https://host.example", root: "/status" };
  const view = { ...SITE_FIXTURE, address };
  const pages = [
    renderIndex(frameOf("en", view.address), view),
    renderService(frameOf("en", view.address), view, serviceOf("ok")),
    renderMonitor(frameOf("en", address), monitorOf({ url: "https://host.example/status/" })),
  ].map(parsePage);
  for (const page of pages) {
    const places = elementsOf(page).flatMap(({ attributes }) =>
      ["href", "src", "action"].flatMap((name) => attributes.get(name) ?? []),
    );
    const ids = new Set(elementsOf(page).map(({ attributes }) => `#${attributes.get("id")}`));
    const isOurs = (place: string): boolean =>
      ids.has(place) || /^(?:https:\/\/host\.example)?\/status\//u.test(place);
    expect(places.filter((place) => !isOurs(place))).toEqual([]);
    expect(only(byName(page, "body")).attributes.get("data-root")).toBe("/status");
  }
  const canonicals = pages.map((page) =>
    byName(page, "link")
      .find((link) => link.attributes.get("rel") === "canonical")
      ?.attributes.get("href"),
  );
  expect(canonicals).toEqual(
    ["", "status/ok", "m/my-shop"].map((path) => `https://host.example/status/en/${path}`),
  );
});

describe("every page", () => {
  const pages = allPages();

  test.each(pages)(
    "$name has no inline style or script, and loads only from its own site",
    ({ html }) => {
      const elements = elementsOf(parsePage(html));
      const attributes = elements.flatMap((element) => [...element.attributes]);
      const isInline = ([name]: readonly [string, string]): boolean => /^on|^style$/iu.test(name);
      expect(attributes.filter(isInline)).toEqual([]);
      expect(elements.filter(({ name }) => name === "style")).toEqual([]);
      const all = elements.filter(({ name }) => name === "script");
      const isData = (one: XmlElement) => one.attributes.get("type") === "application/ld+json";
      for (const { text } of all.filter(isData)) expect(JSON.parse(text)).toBeTypeOf("object");
      const scripts = all.filter((one) => !isData(one));
      expect(scripts.map(({ text }) => text)).toEqual([""]);
      const sources = attributes.flatMap(([name, value]) => (name === "src" ? [value] : []));
      expect(sources.filter((source) => !/^\/(?!\/)/u.test(source))).toEqual([]);
    },
  );

  test.each(pages)("$name has one h1, and no id twice", ({ html }) => {
    const elements = elementsOf(parsePage(html));
    expect(elements.filter(({ name }) => name === "h1")).toHaveLength(1);
    const ids = elements.flatMap(({ attributes }) => attributes.get("id") ?? []);
    expect(ids).toEqual([...new Set(ids)]);
    const labels = elements.flatMap(({ attributes }) => attributes.get("aria-labelledby") ?? []);
    expect(labels.filter((id) => !ids.includes(id))).toEqual([]);
  });

  test("equal views give equal bytes, different views different bytes", () => {
    expect(allPages()).toEqual(pages);
    const [first] = SITE_FIXTURE.services;
    if (first === undefined) throw new Error("the fixture is empty");
    const reports = { ...first.reports, day: first.reports.day + 1 };
    const html = renderService(frameOf("ru"), SITE_FIXTURE, first);
    expect(renderService(frameOf("ru"), SITE_FIXTURE, structuredClone(first))).toBe(html);
    expect(renderService(frameOf("ru"), SITE_FIXTURE, { ...first, reports })).not.toBe(html);
  });
});
