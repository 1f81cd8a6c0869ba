import { DEFAULT_SITE_SETTINGS } from "../../src/model/site-settings.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { idOfEntry } from "../../src/site/atom.ts";
import { buildFeed, buildMonitorFeed, buildServiceFeed } from "../../src/site/feeds.ts";
import { monitorFeedPath, serviceFeedPath } from "../../src/site/pages/parts/links.ts";
import { LANGUAGES } from "../../src/contract/codes/language.ts";
import type { ChangeView, MonitorView, SiteView } from "../../src/site/view.ts";
import { FRAME_WORDS } from "../../src/site/words/pages/frame.ts";
import { VERDICT_LABELS } from "../../src/contract/codes/verdict-words.ts";
import { QUIET_SITE } from "./quiet-site.ts";
import { CODES, HOSTILE_NAME, NOW_MS, serviceOf, SITE_FIXTURE } from "./site-fixture.ts";
import { MONITORS, monitorOf } from "./monitor-fixture.ts";
import { faultsInFeed } from "./atom-rules.ts";
import { readXml } from "./read-xml.ts";
import type { XmlElement } from "../../src/verify/site/parse-xml.ts";

const ROOTED: SiteView = {
  ...SITE_FIXTURE,
  address: { ...DEFAULT_SITE_SETTINGS, origin: "https://status.example.ru", root: "/status" },
};

function all(parent: XmlElement, name: string): readonly XmlElement[] {
  return parent.children.filter((child) => child.name === name);
}

function textOf(parent: XmlElement, name: string): string | undefined {
  return all(parent, name)[0]?.text;
}

const SBERBANK = { slug: "ok", name: "Сбербанк Онлайн" };

function changeAt(atMs: number, changes: Partial<ChangeView> = {}): ChangeView {
  return { ...SBERBANK, atMs, code: "fail", before: "ok", ...changes };
}

describe("every feed", () => {
  test.each(
    [SITE_FIXTURE, ROOTED].map((view) => [view.address.origin + view.address.root, view] as const),
  )("conforms to RFC 4287 at %s", (base, view) => {
    expect(faultsInFeed(buildFeed(view, "ru"), `${base}/feed.atom`)).toEqual([]);
    expect(faultsInFeed(buildFeed(view, "en"), `${base}/en/feed.atom`)).toEqual([]);
    for (const service of view.services) {
      const url = base + serviceFeedPath(service.slug);
      expect(faultsInFeed(buildServiceFeed(view, service), url), service.slug).toEqual([]);
    }
  });

  test("conforms for any name of a service", () => {
    const names = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(HOSTILE_NAME, "]]><x>", "\u0000\u0008\u001B[31m", "\uD83D", "&amp;", "&#0;"),
    );
    fc.assert(
      fc.property(names, fc.constantFrom(...LANGUAGES), (name, language) => {
        const view = {
          ...SITE_FIXTURE,
          services: [serviceOf("ok", { name })],
          changes: [changeAt(NOW_MS, { name })],
        };
        expect(faultsInFeed(buildFeed(view, language))).toEqual([]);
        expect(faultsInFeed(buildServiceFeed(view, { slug: "ok", name }))).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});

describe("a feed of all services", () => {
  test("has each change once, newest first, with the labels of the verdicts", () => {
    for (const language of LANGUAGES) {
      const feed = readXml(buildFeed(SITE_FIXTURE, language));
      expect(feed.attributes.get("xml:lang")).toBe(language);
      expect(textOf(feed, "subtitle")).toBe(FRAME_WORDS[language].estimate);
      expect(all(feed, "entry").map((entry) => textOf(entry, "title"))).toEqual(
        SITE_FIXTURE.changes.map(({ name, code }) => `${name}: ${VERDICT_LABELS[language][code]}`),
      );
    }
  });

  test("has the time of its newest change, and the verdict before it", () => {
    const view = { ...SITE_FIXTURE, changes: [changeAt(Date.UTC(2026, 10, 21, 9, 5, 3, 900))] };
    const feed = readXml(buildFeed(view, "ru"));
    const [entry] = all(feed, "entry");
    expect(textOf(feed, "updated")).toBe("2026-11-21T09:05:03Z");
    expect(entry && textOf(entry, "updated")).toBe("2026-11-21T09:05:03Z");
    expect(entry && textOf(entry, "title")).toBe("Сбербанк Онлайн: Сбой: не открывается");
    expect(entry && textOf(entry, "content")).toBe(
      "Было: «Работает». Стало: «Сбой: не открывается». Проверки не проходят: сбой начался меньше суток назад.",
    );
  });

  test("omits the oldest of 101 changes", () => {
    const changes = Array.from({ length: 101 }, (_, at) => changeAt(NOW_MS - at * 1_000));
    const entries = all(readXml(buildFeed({ ...SITE_FIXTURE, changes }, "en")), "entry");
    expect(entries).toHaveLength(100);
    expect(entries.at(-1) && textOf(entries.at(-1)!, "updated")).toBe("2026-11-21T09:03:21Z");
  });

  test("without changes is valid, has no entry, and does not depend on the time", () => {
    const feed = readXml(buildFeed(QUIET_SITE, "ru"));
    expect(all(feed, "entry")).toEqual([]);
    expect(textOf(feed, "updated")).toBe("2026-01-01T00:00:00Z");
    expect(faultsInFeed(buildFeed(QUIET_SITE, "ru"))).toEqual([]);
  });

  test("keeps the id of a change when others follow, and has no id twice", () => {
    const changes = CODES.flatMap((code, at) => [
      changeAt(NOW_MS + at * 1_000, { code, slug: "ok" }),
      // A run and reports can make two changes in one second.
      changeAt(NOW_MS + at * 1_000 + 1, { code: code === "spike" ? "err" : "spike", slug: "ok" }),
      changeAt(NOW_MS + at * 1_000, { code, slug: "fail" }),
    ]);
    const idsOf = (list: readonly ChangeView[]): readonly (string | undefined)[] =>
      all(readXml(buildFeed({ ...SITE_FIXTURE, changes: list }, "ru")), "entry").map((entry) =>
        textOf(entry, "id"),
      );
    const ids = idsOf(changes);
    expect(new Set(ids).size).toBe(changes.length);
    expect(idsOf(changes.slice(5))).toEqual(ids.slice(5));
  });
});

describe("a feed of one monitor", () => {
  const entriesOf = (monitor: MonitorView) => {
    const feed = readXml(buildMonitorFeed(SITE_FIXTURE.address, monitor));
    return all(feed, "entry").map((entry) => [textOf(entry, "updated"), textOf(entry, "title")]);
  };

  test("conforms to RFC 4287 for every monitor, also with a hostile name", () => {
    for (const view of [SITE_FIXTURE, ROOTED]) {
      const base = view.address.origin + view.address.root;
      for (const monitor of MONITORS) {
        const url = base + monitorFeedPath(monitor.id);
        const feed = buildMonitorFeed(view.address, monitor);
        expect(faultsInFeed(feed, url), monitor.id).toEqual([]);
      }
    }
  });

  test("has the beginning and the end of each failure, newest first", () => {
    const ended = { sinceMs: NOW_MS - 3_600_000, endedAtMs: NOW_MS - 2_400_000 };
    const cause = { code: "tls-reset", failing: 1, counted: 1 } as const;
    const lasting = { sinceMs: NOW_MS, endedAtMs: null };
    const outages = [lasting, ended].map((outage) => ({ ...outage, ...cause }));
    expect(entriesOf(monitorOf({ outages }))).toEqual([
      ["2026-11-21T09:05:00Z", "Мой магазин: Не открывается / Does not open"],
      ["2026-11-21T08:25:00Z", "Мой магазин: Сбой закончился / The outage is over"],
      ["2026-11-21T08:05:00Z", "Мой магазин: Не открывается / Does not open"],
    ]);
    const text = buildMonitorFeed(SITE_FIXTURE.address, monitorOf({ outages }));
    expect(text).toContain("Длительность сбоя: 20 минут. Причина: соединение сброшено");
    expect(text).toContain("The outage lasted 20 minutes. Reason: the connection was reset");
  });

  test("has ids that do not change between versions of the program", () => {
    const outages = [
      { sinceMs: NOW_MS - 3_600_000, endedAtMs: NOW_MS, code: "tls-reset", failing: 1, counted: 1 },
    ] as const;
    const monitor = monitorOf({ id: "shop", outages });
    const feed = readXml(buildMonitorFeed(SITE_FIXTURE.address, monitor));
    expect(all(feed, "entry").map((entry) => textOf(entry, "id"))).toEqual([
      idOfEntry("over", "ru", "shop", "2026-11-21T09:05:00Z"),
      idOfEntry("failing", "ru", "shop", "2026-11-21T08:05:00Z"),
    ]);
  });

  test("of a monitor that never failed has no entry", () => {
    expect(entriesOf(monitorOf({ outages: [] }))).toEqual([]);
  });
});

describe("the ids of feeds and entries", () => {
  const idsOf = (view: SiteView): readonly (string | undefined)[] =>
    [
      ...LANGUAGES.map((language) => buildFeed(view, language)),
      ...[SBERBANK, serviceOf("fail")].map((one) => buildServiceFeed(view, one)),
    ].flatMap((text) => {
      const feed = readXml(text);
      return [feed, ...all(feed, "entry")].map((named) => textOf(named, "id"));
    });

  test("do not change between versions of the program", () => {
    expect(idOfEntry("change", "ru", "sberbank", "2026-11-22T10:00:00Z", "fail")).toBe(
      "urn:uuid:34313df4-c51f-8a85-93a3-4df20d5599c1",
    );
  });

  test("do not depend on the address of the website", () => {
    expect(idsOf(ROOTED)).toEqual(idsOf(SITE_FIXTURE));
  });

  test("are UUIDs of version 8: one per feed, and one per entry and language", () => {
    const view = { ...SITE_FIXTURE, changes: [changeAt(NOW_MS)] };
    const ids = idsOf(view);
    for (const id of ids)
      expect(id).toMatch(
        /^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/u,
      );
    // Four feeds, and a change in three of them; the feed of its service uses the id of the Russian feed.
    expect(ids).toHaveLength(7);
    expect(new Set(ids).size).toBe(6);
  });
});

describe("a feed of one service", () => {
  test("has its name and only its own changes, in both languages", () => {
    const { changes } = SITE_FIXTURE;
    const other = changeAt(NOW_MS, { slug: "hostile", name: HOSTILE_NAME });
    const feed = readXml(
      buildServiceFeed({ ...SITE_FIXTURE, changes: [other, ...changes] }, SBERBANK),
    );
    expect(textOf(feed, "title")).toBe(
      "Сбербанк Онлайн: изменения статуса / Сбербанк Онлайн: status changes",
    );
    expect(feed.attributes.get("xml:lang")).toBe("ru");
    expect(all(feed, "entry").map((entry) => textOf(entry, "title"))).toEqual([
      "Сбербанк Онлайн: Работает / Working",
    ]);
  });

  test("links to both pages, and marks the language of each sentence", () => {
    const changes = [changeAt(NOW_MS)];
    const [entry] = all(readXml(buildServiceFeed({ ...SITE_FIXTURE, changes }, SBERBANK)), "entry");
    const links = entry === undefined ? [] : all(entry, "link");
    expect(
      links.map(({ attributes }) => [attributes.get("hreflang"), attributes.get("href")]),
    ).toEqual([
      ["ru", "https://status.example.ru/status/ok"],
      ["en", "https://status.example.ru/en/status/ok"],
    ]);
    const [content] = entry === undefined ? [] : all(entry, "content");
    expect(content?.attributes.get("type")).toBe("xhtml");
    const [div] = content === undefined ? [] : all(content, "div");
    expect(div?.attributes.get("xmlns")).toBe("http://www.w3.org/1999/xhtml");
    expect(
      div?.children.map(({ name, attributes, text }) => [name, attributes.get("lang"), text]),
    ).toEqual([
      [
        "p",
        "ru",
        "Было: «Работает». Стало: «Сбой: не открывается». Проверки не проходят: сбой начался меньше суток назад.",
      ],
      ["p", "en", expect.stringMatching(/^Before: “Working”\. After: “/u)],
    ]);
  });

  test("does not depend on the changes of other services", () => {
    const calm = buildServiceFeed({ ...SITE_FIXTURE, changes: [] }, SBERBANK);
    const others = SITE_FIXTURE.changes.filter(({ slug }) => slug !== "ok");
    expect(buildServiceFeed({ ...SITE_FIXTURE, changes: others }, SBERBANK)).toBe(calm);
  });
});
