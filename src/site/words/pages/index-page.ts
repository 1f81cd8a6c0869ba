import type { Situation } from "../../situation.ts";
import type { Language } from "../language.ts";
import type { ByLanguage } from "../by-language.ts";
import { countOf, type PluralForms } from "../plural.ts";

/** Filters of the list of services by state. */
export type StateFilter = "all" | "problems" | "ok" | "none";

export interface IndexWords {
  readonly title: string;
  readonly description: string;
  readonly searchLabel: string;
  readonly searchHint: string;
  /** Below a search for a service that is not checked. */
  readonly ask: string;
  /** Ends a search. */
  readonly showAll: string;
  readonly filters: string;
  readonly byState: string;
  readonly states: Readonly<Record<StateFilter, string>>;
  readonly byCategory: string;
  readonly allCategories: string;
  readonly totals: string;
  readonly live: string;
  readonly outages: string;
  readonly warnings: string;
  readonly lasting: string;
  readonly lastingHint: string;
  readonly since: string;
  /** After a number of reports. */
  readonly inHour: string;
  /** Below the services of a category: how many of it are among the problems. */
  readonly above: (count: number) => string;
  readonly nothing: string;
  readonly changes: string;
  readonly was: string;
}

export const INDEX_WORDS: ByLanguage<IndexWords> = {
  ru: {
    title: "Что не работает сегодня: сбои и блокировки сервисов в России",
    description:
      "Работают ли банки, связь, соцсети, игры и госуслуги? Сбои и блокировки по проверкам из Москвы каждые 5 минут и по жалобам пользователей.",
    searchLabel: "Найти сервис",
    searchHint: "Название сервиса",
    ask: "Попросить добавить его",
    showAll: "Показать все сервисы",
    filters: "Что показать",
    byState: "Состояние",
    states: { all: "Все", problems: "Проблемы", ok: "Работают", none: "Нет данных" },
    byCategory: "Категория",
    allCategories: "Все категории",
    totals: "Сколько сервисов в каком состоянии",
    live: "сейчас",
    outages: "Сбои",
    warnings: "Перебои, медленная работа и всплески жалоб",
    lasting: "Долгие сбои и ограничения",
    lastingHint: "Ограничения доступа и сбои, которые длятся больше суток.",
    since: "с",
    inHour: "за час",
    above: (count) => `И ещё ${count} выше, среди проблем.`,
    nothing: "Таких сервисов нет.",
    changes: "Последние изменения",
    was: "было",
  },
  en: {
    title: "What is down today: outages and blocked services in Russia",
    description:
      "Do banks, carriers, social networks, games and public services work? Outages and restrictions, by checks from Moscow every 5 minutes and user reports.",
    searchLabel: "Find a service",
    searchHint: "Name of a service",
    ask: "Ask us to add it",
    showAll: "Show all services",
    filters: "What to show",
    byState: "State",
    states: { all: "All", problems: "Problems", ok: "Working", none: "No data" },
    byCategory: "Category",
    allCategories: "All categories",
    totals: "Number of services in each state",
    live: "now",
    outages: "Outages",
    warnings: "Interruptions, slow service and spikes in reports",
    lasting: "Long-lasting outages and restrictions",
    lastingHint: "Access restrictions, and outages that last longer than a day.",
    since: "since",
    inHour: "in the last hour",
    above: (count) => `And ${count} more above, among the problems.`,
    nothing: "No services match.",
    changes: "Latest changes",
    was: "was",
  },
};

const OUTAGES_OF: PluralForms = { one: "сервиса", few: "сервисов", many: "сервисов" };
const OUTAGES: PluralForms = { one: "service has", few: "services have", many: "services have" };

/** The heading of the list, which says nothing of "now": a page is published only when it changes. */
export function describeSituation(
  countIn: (situation: Situation) => number,
  language: Language,
): string {
  const isRussian = language === "ru";
  const [outages, warnings] = [countIn("outage"), countIn("warning")];
  if (outages > 0) {
    return isRussian
      ? `${outages === 1 ? "Сбой" : "Сбои"} у ${countOf(outages, OUTAGES_OF, "ru")}`
      : `${countOf(outages, OUTAGES, "en")} an outage`;
  }
  if (countIn("ok") + countIn("lasting") + warnings === 0)
    return isRussian ? "Нет свежих данных" : "No recent data";
  if (warnings === 0) return isRussian ? "Сбоев не видно" : "No outages detected";
  return isRussian
    ? `Сбоев не видно, проблемы у ${countOf(warnings, OUTAGES_OF, "ru")}`
    : `No outages detected, ${countOf(warnings, OUTAGES, "en")} warnings`;
}

type Forms = Readonly<Record<Situation, PluralForms>>;
const same = (word: string): PluralForms => ({ one: word, few: word, many: word });

/** Words after a number of services, by situation. */
export const SITUATION_WORDS: ByLanguage<Forms> = {
  ru: {
    outage: { one: "сбой", few: "сбоя", many: "сбоев" },
    warning: { one: "предупреждение", few: "предупреждения", many: "предупреждений" },
    lasting: {
      one: "долгий сбой или ограничение",
      few: "долгих сбоя или ограничения",
      many: "долгих сбоев и ограничений",
    },
    ok: { one: "работает", few: "работают", many: "работают" },
    none: same("без данных"),
  },
  en: {
    outage: { one: "outage", few: "outages", many: "outages" },
    warning: { one: "warning", few: "warnings", many: "warnings" },
    lasting: {
      one: "long-lasting outage or restriction",
      few: "long-lasting outages and restrictions",
      many: "long-lasting outages and restrictions",
    },
    ok: same("working"),
    none: same("without data"),
  },
};
