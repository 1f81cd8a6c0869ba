import { expect, test } from "vitest";
import { NO_ACCURACY } from "../../src/model/service/accuracy.ts";
import { METHOD_CHANGES } from "../../src/model/service/method.ts";
import { reportAccuracy } from "../../src/open-data/accuracy/report.ts";
import { renderAccuracy } from "../../src/site/pages/accuracy.tsx";
import type { SiteAddress } from "../../src/site/view.ts";
import { ACCURACY_WORDS, METHOD_WORDS } from "../../src/site/words/pages/accuracy.ts";
import { LANGUAGES, type Language } from "../../src/contract/codes/language.ts";
import { byName, only, parsePage, textOf } from "./page.ts";
import { ADDRESS, SITE_FIXTURE, frameOf } from "./site-fixture.ts";

const NOTHING = reportAccuracy(NO_ACCURACY, []);

function pageOf(
  language: Language,
  accuracy = SITE_FIXTURE.accuracy,
  people: SiteAddress["people"] = {},
) {
  return parsePage(
    renderAccuracy(frameOf(language, { ...ADDRESS, people }), {
      accuracy,
      services: SITE_FIXTURE.services,
    }),
  );
}

/** The tables of months, each as its caption and its cells by their row. */
function monthsOf(language: Language, accuracy = SITE_FIXTURE.accuracy) {
  return byName(pageOf(language, accuracy), "table")
    .filter(({ attributes }) => attributes.get("class") === "measures")
    .map((table) => {
      const rows = byName(table, "tr").slice(1);
      const cells = rows.map(({ children }) => children.map(textOf));
      return [
        textOf(only(byName(table, "caption"))),
        new Map(cells.map(([a = "", b = ""]) => [a, b])),
      ] as const;
    });
}

test.each([
  ["ru", "Пока нечего показать"],
  ["en", "There is nothing to show yet"],
] as const)(
  "with nothing yet, the page (%s) says so, and has no table of a month",
  (language, text) => {
    const page = pageOf(language, NOTHING);
    expect(textOf(page)).toContain(text);
    expect(monthsOf(language, NOTHING)).toEqual([]);
    expect(textOf(pageOf(language))).not.toContain(text);
  },
);

test("each month has its numbers with the size of their samples", () => {
  const months = monthsOf("ru");
  expect(months.map(([caption]) => caption)).toEqual(["Ноябрь 2026", "Октябрь 2026"]);
  const [november, october] = months.map(([, rows]) => rows);
  expect(november?.get("Сбоев показали")).toBe("3");
  expect(november?.get("Похоже на ложную тревогу, из коротких")).toBe("0 из 2");
  expect(november?.get("Пропустили, из записанных сбоев")).toBe("1 из 1");
  expect(november?.has("От начала записанного сбоя до вердикта")).toBe(false);
  expect(november?.get("От всплеска жалоб до вердикта")).toBe(
    "медиана: мы раньше на 10 минут; 90% не дольше: мы раньше на 10 минут (1 сбой)",
  );
  expect(november?.get("Не открывалось только за границей, из сравнённых проверок")).toBe(
    "37 из 489\u00A0600",
  );
  expect(october?.get("Не было свежих данных ни о чём")).toBe("1 час 10 минут");
  const [, english] = monthsOf("en")[0] ?? [];
  expect(english?.get("Did not open abroad only, of the compared checks")).toBe("37 of 489,600");
});

test("a year of months is shown", () => {
  const [month] = SITE_FIXTURE.accuracy.months;
  if (month === undefined) throw new Error("no month");
  const many = Array.from({ length: 24 }, (_, place) => {
    return { ...month, month: new Date(Date.UTC(2026, 10 - place)).toISOString().slice(0, 7) };
  });
  const shown = monthsOf("en", { ...SITE_FIXTURE.accuracy, months: many });
  expect(shown.map(([caption]) => caption).filter((_, at) => at === 0 || at === 11)).toEqual([
    "November 2026",
    "December 2025",
  ]);
  expect(shown).toHaveLength(12);
});

test.each<readonly [string, SiteAddress["people"], string | undefined]>([
  [
    "the source",
    { source: "https://git.example.ru/s", contact: "mailto:a@b.ru" },
    "https://git.example.ru/s",
  ],
  ["the contact", { contact: "mailto:a@b.ru" }, "mailto:a@b.ru"],
  ["the place for wrong verdicts", { wrongVerdict: "https://e.ru/" }, "https://e.ru/"],
  ["nobody", {}, undefined],
])("visitors correct us by %s", (_, people, href) => {
  for (const language of LANGUAGES) {
    const page = pageOf(language, NOTHING, people);
    const section = byName(page, "section").find(
      ({ attributes }) => attributes.get("id") === "correct",
    );
    if (section === undefined) throw new Error("no section");
    const links = byName(section, "a").map(({ attributes }) => attributes.get("href"));
    expect(links).toEqual(href === undefined ? [] : [href]);
    expect(textOf(section)).toContain("truth.yaml");
  }
});

test("every change of the method has its words in both languages", () => {
  for (const { date, text } of METHOD_CHANGES) {
    expect(METHOD_WORDS.ru[date]).toMatch(/[а-яё]/u);
    expect(METHOD_WORDS.en[date]).toBe(text);
    expect(textOf(pageOf("ru"))).toContain(METHOD_WORDS.ru[date]);
  }
});

test("the list of the truth has its number of entries, or a sentence that it has none", () => {
  expect(ACCURACY_WORDS.ru.entries(0)).toContain("нет ни одной записи");
  expect(ACCURACY_WORDS.ru.entries(1)).toBe("Записей в списке truth.yaml: 1.");
  expect(ACCURACY_WORDS.en.entries(0)).toContain("has no entry");
  expect(ACCURACY_WORDS.en.entries(2)).toContain("2");
});
