import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildFeed, feedPath } from "../../src/site/feeds/atom.ts";
import { idOf } from "../../src/site/feeds/ids.ts";
import { LANGUAGES } from "../../src/site/language.ts";
import type { ChangeView, SiteView } from "../../src/site/view.ts";
import { FRAME_WORDS } from "../../src/site/words/ui.ts";
import { VERDICT_LABELS } from "../../src/site/words/verdict.ts";
import { CALM, CODES, HOSTILE_NAME, NOW_MS, serviceOf, SPECIMEN } from "./specimen.ts";
import { faultsInFeed } from "./atom-rules.ts";
import { readXml } from "./read-xml.ts";
import type { XmlElement } from "../../src/verify/xml.ts";

const ROOTED: SiteView = {
  ...SPECIMEN,
  address: { origin: "https://status.example.ru", root: "/status" },
};

function all(parent: XmlElement, name: string): readonly XmlElement[] {
  return parent.children.filter((child) => child.name === name);
}

function textOf(parent: XmlElement, name: string): string | undefined {
  return all(parent, name)[0]?.text;
}

function changeAt(atMs: number, changes: Partial<ChangeView> = {}): ChangeView {
  return { slug: "ok", name: "Сбербанк Онлайн", atMs, code: "fail", before: "ok", ...changes };
}

describe("every feed", () => {
  const slugs = [undefined, ...SPECIMEN.services.map(({ slug }) => slug)];

  test.each(LANGUAGES)("in %s keeps the rules of RFC 4287", (language) => {
    for (const view of [SPECIMEN, ROOTED]) {
      for (const slug of slugs) {
        const url = `${view.address.origin}${view.address.root}${language === "en" ? "/en" : ""}${feedPath(slug)}`;
        expect(faultsInFeed(buildFeed(view, language, slug), url), slug).toEqual([]);
      }
    }
  });

  test("keeps them whatever the services are called", () => {
    const names = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(HOSTILE_NAME, "]]><x>", "\u0000\u0008\u001B[31m", "\uD83D", "&amp;", "&#0;"),
    );
    fc.assert(
      fc.property(names, fc.constantFrom(...LANGUAGES), (name, language) => {
        const view = {
          ...SPECIMEN,
          services: [serviceOf("ok", { name })],
          changes: [changeAt(NOW_MS, { name })],
        };
        for (const slug of [undefined, "ok"]) {
          expect(faultsInFeed(buildFeed(view, language, slug))).toEqual([]);
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe("a feed of all services", () => {
  test("tells each change once, the newest first, in the words of the labels", () => {
    for (const language of LANGUAGES) {
      const feed = readXml(buildFeed(SPECIMEN, language));
      expect(feed.attributes.get("xml:lang")).toBe(language);
      expect(textOf(feed, "subtitle")).toBe(FRAME_WORDS[language].estimate);
      expect(all(feed, "entry").map((entry) => textOf(entry, "title"))).toEqual(
        SPECIMEN.changes.map(({ name, code }) => `${name}: ${VERDICT_LABELS[language][code]}`),
      );
    }
  });

  test("is as new as its newest change, and says what was before it", () => {
    const view = { ...SPECIMEN, changes: [changeAt(Date.UTC(2026, 10, 21, 9, 5, 3, 900))] };
    const feed = readXml(buildFeed(view, "ru"));
    const [entry] = all(feed, "entry");
    expect(textOf(feed, "updated")).toBe("2026-11-21T09:05:03Z");
    expect(entry && textOf(entry, "updated")).toBe("2026-11-21T09:05:03Z");
    expect(entry && textOf(entry, "title")).toBe("Сбербанк Онлайн: Сбой: не открывается");
    expect(entry && textOf(entry, "content")).toBe(
      "Было: «Работает». Стало: «Сбой: не открывается». Проверки не проходят: сбой идёт прямо сейчас.",
    );
  });

  test("of a hundred changes and one leaves the oldest out", () => {
    const changes = Array.from({ length: 101 }, (_, at) => changeAt(NOW_MS - at * 1_000));
    const entries = all(readXml(buildFeed({ ...SPECIMEN, changes }, "en")), "entry");
    expect(entries).toHaveLength(100);
    expect(entries.at(-1) && textOf(entries.at(-1)!, "updated")).toBe("2026-11-21T09:03:21Z");
  });

  test("without a change is valid, has no entry, and is the same however late it is", () => {
    const feed = readXml(buildFeed(CALM, "ru"));
    expect(all(feed, "entry")).toEqual([]);
    expect(textOf(feed, "updated")).toBe("2026-01-01T00:00:00Z");
    expect(faultsInFeed(buildFeed(CALM, "ru"))).toEqual([]);
  });

  test("keeps the id of a change when others come after it, and shares none", () => {
    const changes = CODES.flatMap((code, at) => [
      changeAt(NOW_MS + at * 1_000, { code, slug: "ok" }),
      // Two in one second, as a run and reports may have it.
      changeAt(NOW_MS + at * 1_000 + 1, { code: code === "spike" ? "err" : "spike", slug: "ok" }),
      changeAt(NOW_MS + at * 1_000, { code, slug: "fail" }),
    ]);
    const idsOf = (list: readonly ChangeView[]): readonly (string | undefined)[] =>
      all(readXml(buildFeed({ ...SPECIMEN, changes: list }, "ru")), "entry").map((entry) =>
        textOf(entry, "id"),
      );
    const ids = idsOf(changes);
    expect(new Set(ids).size).toBe(changes.length);
    expect(idsOf(changes.slice(5))).toEqual(ids.slice(5));
  });
});

describe("the ids of feeds and entries", () => {
  const idsOf = (view: SiteView): readonly (string | undefined)[] =>
    LANGUAGES.flatMap((language) =>
      [undefined, "ok", "fail"].flatMap((slug) => {
        const feed = readXml(buildFeed(view, language, slug));
        return [feed, ...all(feed, "entry")].map((named) => textOf(named, "id"));
      }),
    );

  test("stay what they are in the next version of the program", () => {
    expect(idOf("change", "ru", "sberbank", "2026-11-22T10:00:00Z", "fail")).toBe(
      "urn:uuid:34313df4-c51f-8a85-93a3-4df20d5599c1",
    );
  });

  test("are the same when the website moves to another address", () => {
    expect(idsOf(ROOTED)).toEqual(idsOf(SPECIMEN));
  });

  test("are UUIDs of version 8, each feed has its own, and an entry has one in all feeds of a language", () => {
    const view = { ...SPECIMEN, changes: [changeAt(NOW_MS)] };
    const ids = idsOf(view);
    for (const id of ids)
      expect(id).toMatch(
        /^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/u,
      );
    // In each language three feeds, and one change that two of them tell.
    expect(ids).toHaveLength(10);
    expect(new Set(ids).size).toBe(8);
  });
});

describe("a feed of one service", () => {
  test("has its name and its own changes only", () => {
    const { changes } = SPECIMEN;
    const other = changeAt(NOW_MS, { slug: "hostile", name: HOSTILE_NAME });
    const feed = readXml(buildFeed({ ...SPECIMEN, changes: [other, ...changes] }, "ru", "ok"));
    expect(textOf(feed, "title")).toBe("Сбербанк Онлайн: изменения статуса");
    expect(all(feed, "entry").map((entry) => textOf(entry, "title"))).toEqual([
      "Сбербанк Онлайн: Работает",
    ]);
  });

  test("depends on nothing but that", () => {
    const calm = buildFeed({ ...SPECIMEN, changes: [] }, "ru", "ok");
    const others = SPECIMEN.changes.filter(({ slug }) => slug !== "ok");
    expect(buildFeed({ ...SPECIMEN, changes: others }, "ru", "ok")).toBe(calm);
  });

  test("of a service that is not there is a defect", () => {
    expect(() => buildFeed(SPECIMEN, "ru", "nothing")).toThrow("no service nothing");
  });
});
