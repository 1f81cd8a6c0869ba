import { describe, expect, test } from "vitest";
import { renderAbout } from "../../src/site/pages/about.tsx";
import { renderIndex } from "../../src/site/pages/index.tsx";
import { renderService } from "../../src/site/pages/service.tsx";
import { type Language, LANGUAGES } from "../../src/contract/codes/language.ts";
import { OPERATORS } from "../../src/contract/codes/operator.ts";
import type { VerdictCode } from "../../src/contract/codes/verdict.ts";
import { composeAnswer } from "../../src/site/answer.ts";
import { describeAnswer } from "../../src/site/words/describe-answer.ts";
import { CONNECTIVITY_WORDS } from "../../src/site/words/scope.ts";
import { SINCE_WORDS } from "../../src/contract/codes/verdict-words.ts";
import type { XmlElement } from "../../src/verify/site/parse-xml.ts";
import { byClass, byName, marksOf, only, parsePage, textOf } from "./page.ts";
import { HOUR_MS } from "../../src/model/time.ts";
import type { ServiceView } from "../../src/site/view.ts";
import {
  ADDRESS,
  annotationOf,
  CODES,
  NOW_MS,
  serviceOf,
  SITE_FIXTURE,
  stripOf,
  frameOf,
} from "./site-fixture.ts";

function pageOf(service: ServiceView, language: Language = "ru"): XmlElement {
  return parsePage(renderService(frameOf(language), SITE_FIXTURE, service));
}

/** The section of a page whose heading has this id. */
function cardOf(page: XmlElement, id: string): XmlElement {
  return only(
    byName(page, "section").filter(({ attributes }) => attributes.get("aria-labelledby") === id),
  );
}

test("each chart matches its heading", () => {
  const page = pageOf(
    serviceOf("ok", {
      halfHours: stripOf(48, "slow", 3),
      days: stripOf(90, "failing", 7),
      reportHours: Array.from({ length: 24 }, () => 2),
      responseMs: Array.from({ length: 24 }, () => 250),
    }),
  );
  const texts = ["reports", "checks", "days", "response"].map((id) => {
    const card = cardOf(page, id);
    const [first] = marksOf(card, "axis");
    return [textOf(only(byName(card, "title"))), first];
  });
  expect(texts).toEqual([
    ["За сутки 48 жалоб, больше всего за час: 2 (в последний час).", "24 часа назад"],
    ["За сутки по получасам — работает: 45, медленно: 3.", "24 часа назад"],
    ["За 90 дней — работает: 83, не открывается: 7.", "90 дней назад"],
    ["За сутки от 250 мс до 250 мс, в последний час 250 мс.", "24 часа назад"],
  ]);
});

const answerOf = (code: VerdictCode) => describeAnswer(composeAnswer(serviceOf(code)), [], "ru");

test.each(CODES)("the page of %s has its own text before since, and its own answers", (code) => {
  const page = pageOf(serviceOf(code));
  expect(textOf(only(byClass(page, "since-line")))).toContain(SINCE_WORDS.ru[code]);
  const { isDown, isBlocked, isMe, advice, report } = answerOf(code);
  const answers = byName(only(byClass(page, "questions")), "dd").map(textOf);
  expect(answers).toEqual([isDown, isBlocked, isMe]);
  expect(textOf(only(byClass(page, "advice")))).toBe([advice, report].filter(Boolean).join(" "));
});

describe("reports", () => {
  const pageAt = (reportUrl: string | null, service = serviceOf("ok")): XmlElement => {
    const address = { ...ADDRESS, root: "/s", reportUrl };
    return parsePage(renderService(frameOf("ru", address), SITE_FIXTURE, service));
  };
  const actionsOf = (page: XmlElement) =>
    byName(page, "form").map(({ attributes }) => attributes.get("action"));
  const policyOf = (page: XmlElement) =>
    byName(page, "meta")
      .map(({ attributes }) => attributes.get("content") ?? "")
      .join(" ");

  test("are sent to the website or to an intake elsewhere, which the page may reach", () => {
    expect(actionsOf(pageAt(""))).toEqual(["/s/report/ok"]);
    const page = pageAt("https://reports.example.ru/in");
    expect(actionsOf(page)).toEqual(["https://reports.example.ru/in/report/ok"]);
    expect(policyOf(page)).toContain("connect-src 'self' https://reports.example.ru;");
    expect(policyOf(page)).toContain("form-action 'self' https://reports.example.ru;");
  });

  test("are not asked for without an intake", () => {
    const page = pageAt(null);
    expect(actionsOf(page)).toEqual([]);
    expect(textOf(only(byClass(page, "advice")))).toBe(answerOf("ok").advice);
    expect(byClass(page, "bars")).toEqual([]);
  });

  test("have the usual level, and shares of their symptoms", () => {
    const page = pageAt(
      "",
      serviceOf("ok", {
        reportHours: Array.from({ length: 24 }, () => 3),
        usualReports: Array.from({ length: 24 }, () => 2),
        symptoms: [
          ["login", 2],
          ["slow", 1],
        ],
      }),
    );
    expect(byClass(page, "usual")).toHaveLength(1);
    expect(byName(only(byClass(page, "symptoms")), "div").map(textOf)).toEqual([
      "Не получается войти67%",
      "Работает медленно33%",
    ]);
  });
});

describe("reports by operator", () => {
  const pageIn = (language: Language, service: ServiceView) =>
    parsePage(renderService(frameOf(language), SITE_FIXTURE, service));
  const spike = SITE_FIXTURE.services.find(({ slug }) => slug === "spike") ?? serviceOf("spike");
  const ANSWERS = [
    [
      "ru",
      "Похоже на сбой у оператора МТС: от его абонентов 70\u00A0% жалоб, обычно 18\u00A0%.",
      "Дело может быть в операторе",
      ["МТС628870%18%", "Ростелеком6217%18%", "T2мало74%–"],
    ],
    [
      "en",
      "It looks like a failure of the operator MTS: 70% of reports are from its subscribers, usually 18%.",
      "It may be your operator",
      ["MTS628870%18%", "Rostelecom6217%18%", "T2few74%–"],
    ],
  ] as const;

  test.each(ANSWERS)("say in %s whose they are, and answer so", (language, says, isMe, rows) => {
    const page = pageIn(language, spike);
    expect(textOf(only(byClass(page, "operators").filter(({ name }) => name === "p")))).toBe(says);
    expect(textOf(only(byClass(page, "questions")))).toContain(isMe);
    const table = only(byClass(page, "operators").filter(({ name }) => name === "table"));
    const lines = byName(table, "tr").slice(1);
    expect(lines.filter(({ attributes }) => !attributes.has("hidden")).map(textOf)).toEqual(rows);
    // The others wait for a visitor of theirs.
    const named = lines.map(({ attributes }) => attributes.get("data-operator"));
    expect(new Set(named)).toEqual(new Set(OPERATORS.filter((name) => name !== "other")));
    const links = byName(page, "a").map(({ attributes }) => attributes.get("href"));
    expect(links).toContain("https://db-ip.com");
  });

  test("of several operators blame none; a service without any says nothing", () => {
    const { operators } = spike;
    const unusual = operators.unusual && { ...operators.unusual, isAlone: false };
    const page = pageIn("ru", { ...spike, operators: { ...operators, unusual } });
    expect(textOf(only(byClass(page, "questions")))).toContain("Вряд ли: жалуются многие");
    const [says = page] = byClass(page, "operators");
    expect(textOf(says)).toBe("Жалуются чаще обычного: МТС (70\u00A0% жалоб, обычно 18\u00A0%).");
    expect(byClass(pageIn("ru", serviceOf("ok")), "operators")).toEqual([]);
  });

  test("that are of one operator for several services are a note on each page", () => {
    const failingOperators = [{ operator: "mts", services: 23 }] as const;
    const page = parsePage(
      renderService(frameOf("ru"), { ...SITE_FIXTURE, failingOperators }, serviceOf("ok")),
    );
    expect(byClass(page, "way-note").map(textOf).join(" ")).toContain(
      "Похоже на сбой у оператора МТС: почти все жалобы на 23 сервиса от его абонентов.",
    );
    const links = byName(page, "a").map(({ attributes }) => attributes.get("href"));
    expect(links).toContain("https://db-ip.com");
  });
});

test("the people behind the site are in its footer and on the page about it", () => {
  const people = {
    operator: "<b>Ирина</b>",
    contact: "mailto:status@example.ru",
    wrongVerdict: "https://example.ru/issues",
  };
  const address = { ...ADDRESS, people };
  const footerOf = (page: XmlElement) => only(byName(page, "footer"));
  const about = parsePage(renderAbout(frameOf("ru", address)));
  const places = [
    footerOf(parsePage(renderIndex(frameOf("ru", address), SITE_FIXTURE))),
    only(byName(about, "section").filter(({ attributes }) => attributes.get("id") === "people")),
  ];
  for (const place of places) {
    expect(textOf(place)).toContain("Сайт ведёт <b>Ирина</b>");
    const links = byName(place, "a").map(({ attributes }) => attributes.get("href"));
    expect(links).toEqual(expect.arrayContaining([people.contact, people.wrongVerdict]));
  }
  expect(textOf(footerOf(pageOf(serviceOf("ok"))))).not.toContain("Сайт ведёт");
});

test("the section about the people names them and their links, in both languages", () => {
  const people = {
    operator: "Irina",
    contact: "mailto:status@example.ru",
    source: "https://example.ru/source",
    wrongVerdict: "https://example.ru/issues",
    addSite: "https://example.ru/add",
  };
  const sections = LANGUAGES.map((language) => {
    const about = parsePage(renderAbout(frameOf(language, { ...ADDRESS, people })));
    return byName(about, "section").filter(({ attributes }) => attributes.get("id") === "people");
  });
  const written = sections.map((section) =>
    ["h2", "li"].flatMap((name) => byName(only(section), name).map(textOf)),
  );
  expect(written).toEqual([
    [
      "Кто это делает",
      "Сайт ведёт Irina",
      "Связаться с нами",
      "Вердикт неверный? Сообщите нам",
      "Добавить свой сайт",
      "Исходный код",
    ],
    [
      "Who runs this site",
      "Run by Irina",
      "Contact us",
      "Wrong verdict? Tell us",
      "Add your site",
      "Source code",
    ],
  ]);
});

test("a connectivity issue of the runner is shown on the page of a service", () => {
  const noteOf = (connectivityIssue: (typeof SITE_FIXTURE)["connectivityIssue"]) => {
    const page = renderService(
      frameOf("en"),
      { ...SITE_FIXTURE, connectivityIssue },
      serviceOf("ok"),
    );
    return byClass(parsePage(page), "way-note").map(textOf);
  };
  expect(noteOf(null)).toEqual([]);
  expect(noteOf("abroad-cut")).toEqual([CONNECTIVITY_WORDS.en["abroad-cut"]]);
});

test("findings too old for a verdict have their time and no colour", () => {
  const lightsOf = (service: ServiceView) => {
    const card = cardOf(pageOf(service), "evidence");
    const items = byName(card, "li").map(({ attributes }) => attributes.get("data-light"));
    return { colors: [...new Set(items)].filter(Boolean), text: textOf(card) };
  };
  expect(lightsOf(serviceOf("ok")).colors).toEqual(["ok"]);
  const stale = lightsOf(serviceOf("none", { staleCheckMs: NOW_MS - HOUR_MS }));
  expect(stale.colors).toEqual(["none"]);
  expect(stale.text).toContain("Так было в последний раз, 21 ноября, 11:05 МСК");
});

test.each([
  ["ru", "Звонки не работают", "С 9 июня 2025"],
  ["en", "Calls do not work", "Since 9 June 2025"],
] as const)("a page in %s says since when calls do not work", (language, what, since) => {
  const service = serviceOf("restricted", {
    annotations: [annotationOf("restricted"), annotationOf("calls")],
  });
  const statements = byName(cardOf(pageOf(service, language), "annotations"), "li");
  expect(statements).toHaveLength(2);
  const [, calls] = statements.map(textOf);
  expect(calls).toContain(what);
  expect(calls).toContain(since);
});

test.each<[Language, Partial<ServiceView>, readonly (readonly [lang: string, note: string])[]]>([
  ["ru", { note: "Только Москва", noteEn: "Moscow only" }, [["ru", "Только Москва"]]],
  ["en", { note: "Только Москва", noteEn: "Moscow only" }, [["en", "Moscow only"]]],
  ["en", { note: "Только Москва" }, [["ru", "Только Москва"]]],
  ["en", {}, []],
])("a page in %s of a service with %j has the note in its language", (language, note, shown) => {
  const hints = byClass(pageOf(serviceOf("ok", note), language), "hint");
  const notes = hints.filter(({ attributes }) => attributes.has("lang"));
  expect(notes.map((hint) => [hint.attributes.get("lang"), textOf(hint)])).toEqual(shown);
});

test("a network that answers slowly is named on the pages of its services alone", () => {
  const [slow, other] = [serviceOf("slow", { slug: "a" }), serviceOf("ok", { slug: "b" })];
  const slowNetworks = [{ network: "Selectel", services: [slow] }];
  const view = { ...SITE_FIXTURE, connectivityIssue: null, slowNetworks };
  const notesOf = (service: ServiceView): readonly string[] =>
    byClass(parsePage(renderService(frameOf("en"), view, service)), "way-note").map(textOf);
  expect(notesOf(slow)).toEqual([
    "A whole network answers slowly, Selectel: Сервис slow. " +
      "They most likely share one cause: the network itself, or the way to it.",
  ]);
  expect(notesOf(other)).toEqual([]);
});

test("an operator that seems to fail is named with the number of services", () => {
  const failingOperators = [{ operator: "mts", services: 3 } as const];
  const view = { ...SITE_FIXTURE, connectivityIssue: null, failingOperators };
  const notesIn = (language: Language): readonly string[] => {
    const page = parsePage(renderService(frameOf(language), view, serviceOf("ok")));
    return byClass(page, "way-note").map(textOf);
  };
  expect(notesIn("en")).toEqual([
    "It looks like a failure of the operator MTS: " +
      "nearly all reports about 3 services are from its subscribers.",
  ]);
  expect(notesIn("ru")).toEqual([
    "Похоже на сбой у оператора МТС: почти все жалобы на 3 сервиса от его абонентов.",
  ]);
});
