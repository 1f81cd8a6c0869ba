import type { Color, VerdictCode } from "../../model/verdict.ts";
import type { Language } from "./language.ts";
import type { ByLanguage } from "./by-language.ts";
import { countOf, type PluralForms } from "./plural.ts";

/** Filters of the list of services by state. */
export type StateFilter = "all" | "problems" | "ok" | "none";

export interface IndexWords {
  readonly title: string;
  readonly description: string;
  readonly searchLabel: string;
  readonly searchHint: string;
  /** Ends a search. */
  readonly showAll: string;
  readonly filters: string;
  readonly byState: string;
  readonly states: Readonly<Record<StateFilter, string>>;
  readonly byCategory: string;
  readonly allCategories: string;
  readonly calm: string;
  readonly noData: string;
  readonly totals: string;
  readonly live: string;
  readonly now: string;
  readonly lasting: string;
  readonly lastingHint: string;
  readonly since: string;
  readonly nothing: string;
  readonly changes: string;
  readonly was: string;
}

export const INDEX_WORDS: ByLanguage<IndexWords> = {
  ru: {
    title: "Что сейчас не работает: статус сервисов в России",
    description:
      "Открываются ли сейчас банки, связь, соцсети, игры и госуслуги: проверки из Москвы каждые 5 минут и жалобы пользователей.",
    searchLabel: "Найти сервис",
    searchHint: "Название сервиса",
    showAll: "Показать все сервисы",
    filters: "Что показать",
    byState: "Состояние",
    states: { all: "Все", problems: "Проблемы", ok: "Работают", none: "Нет данных" },
    byCategory: "Категория",
    allCategories: "Все категории",
    calm: "Сбоев сейчас не видно",
    noData: "Свежих данных сейчас нет",
    totals: "Сколько сервисов в каком состоянии",
    live: "сейчас",
    now: "Происходит сейчас",
    lasting: "Долгие сбои и ограничения",
    lastingHint: "Ограничения доступа и сбои, которые длятся больше суток.",
    since: "с",
    nothing: "Таких сервисов сейчас нет.",
    changes: "Последние изменения",
    was: "было",
  },
  en: {
    title: "What is down right now: status of services in Russia",
    description:
      "Do banks, carriers, social networks, games and public services open right now: checks from Moscow every 5 minutes, and reports of users.",
    searchLabel: "Find a service",
    searchHint: "Name of a service",
    showAll: "Show all services",
    filters: "What to show",
    byState: "State",
    states: { all: "All", problems: "Problems", ok: "Working", none: "No data" },
    byCategory: "Category",
    allCategories: "All categories",
    calm: "No outages in sight",
    noData: "There is no recent data",
    totals: "How many services are in which state",
    live: "now",
    now: "Happening now",
    lasting: "Lasting outages and restrictions",
    lastingHint: "Restrictions of access, and outages of more than a day.",
    since: "since",
    nothing: "There are no such services now.",
    changes: "Latest changes",
    was: "was",
  },
};

const OF_SERVICES: PluralForms = { one: "сервиса", few: "сервисов", many: "сервисов" };
const SERVICES: PluralForms = { one: "service has", few: "services have", many: "services have" };

/** The heading while `live` services have problems. */
export function describeProblems(live: number, language: Language): string {
  return language === "ru"
    ? `Прямо сейчас проблемы у ${countOf(live, OF_SERVICES, "ru")}`
    : `${countOf(live, SERVICES, "en")} problems right now`;
}

type Forms = Readonly<Record<Color, PluralForms>>;
const same = (word: string): PluralForms => ({ one: word, few: word, many: word });

/** Words after a number of services, by colour. */
export const TOTAL_WORDS: ByLanguage<Forms> = {
  ru: {
    bad: { one: "не работает", few: "не работают", many: "не работают" },
    warn: same("с проблемами"),
    ok: { one: "работает", few: "работают", many: "работают" },
    none: same("без данных"),
  },
  en: {
    bad: same("down"),
    warn: same("with problems"),
    ok: same("working"),
    none: same("no data"),
  },
};

/** Verdicts whose start is shown. `since` is when the state of the checks began, which for other verdicts is a different time. */
export const CODES_WITH_START: ReadonlySet<VerdictCode> = new Set<VerdictCode>([
  "fail",
  "fail_long",
  "err",
  "restricted_fail",
  "partial",
]);
