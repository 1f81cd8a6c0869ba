import {
  type ByLanguage,
  inLanguages,
  type Language,
  type Words,
} from "../../../contract/codes/language.ts";
import {
  countSituations,
  type Judged,
  type OverallSituation,
  overallSituation,
  type Situation,
} from "../../situation.ts";
import { countOf, type PluralForms } from "../numbers.ts";

/** Texts of the list of services. */
export const INDEX_WORDS = inLanguages({
  title: [
    "Что не работает сегодня: сбои и блокировки сервисов в России",
    "What is down today: outages and blocked services in Russia",
  ],
  description: [
    "Работают ли банки, связь, соцсети, игры и госуслуги? Сбои и блокировки по проверкам из Москвы каждые 5 минут и по жалобам пользователей.",
    "Do banks, carriers, social networks, games and public services work? Outages and restrictions, by checks from Moscow every 5 minutes and user reports.",
  ],
  searchLabel: ["Найти сервис", "Find a service"],
  searchHint: ["Название сервиса", "Name of a service"],
  /** Below a search for a service that is not checked. */
  ask: ["Попросить добавить его", "Ask us to add it"],
  showAll: ["Показать все сервисы", "Show all services"],
  filters: ["Что показать", "What to show"],
  byState: ["Состояние", "State"],
  states: {
    all: ["Все", "All"],
    problems: ["Проблемы", "Problems"],
    ok: ["Работают", "Working"],
    none: ["Нет данных", "No data"],
  },
  byCategory: ["Категория", "Category"],
  allCategories: ["Все категории", "All categories"],
  totals: ["Сколько сервисов в каком состоянии", "Number of services in each state"],
  outages: ["Сбои", "Outages"],
  warnings: [
    "Перебои, медленная работа и всплески жалоб",
    "Interruptions, slow service and spikes in reports",
  ],
  lasting: ["Долгие сбои и ограничения", "Long-lasting outages and restrictions"],
  lastingHint: [
    "Ограничения доступа и сбои, которые длятся больше суток.",
    "Access restrictions, and outages that last longer than a day.",
  ],
  since: ["с", "since"],
  /** After a number of reports. */
  inHour: ["за час", "in the last hour"],
  /** Below the services of a category: how many of it are among the problems. */
  above: [
    (count: number) => `И ещё ${count} выше, среди проблем.`,
    (count: number) => `And ${count} more above, among the problems.`,
  ],
  nothing: ["Таких сервисов нет.", "No services match."],
  changes: ["Последние изменения", "Latest changes"],
  was: ["было", "was"],
});

const OUTAGES_OF: PluralForms = ["сервиса", "сервисов"];
const OUTAGES: PluralForms = ["service has", "services have"];

/** All services together, without counts. */
export const OVERALL_WORDS: Words<OverallSituation> = inLanguages({
  outage: ["Есть сбои", "There are outages"],
  warning: ["Сбоев не видно, но есть проблемы", "No outages detected, but some problems"],
  ok: ["Сбоев не видно", "No outages detected"],
  none: ["Нет свежих данных", "No recent data"],
});

/** The heading of the list, which says nothing of "now": a page is published only when it changes. */
export function describeSituation(services: readonly Judged[], language: Language): string {
  const situation = overallSituation(services);
  const words = OVERALL_WORDS[language];
  if (situation === "ok" || situation === "none") return words[situation];
  const count = countSituations(services)(situation);
  const subject = countOf(count, language === "ru" ? OUTAGES_OF : OUTAGES, language);
  if (situation === "outage")
    return language === "ru"
      ? `${count === 1 ? "Сбой" : "Сбои"} у ${subject}`
      : `${subject} an outage`;
  return `${words.ok}, ${language === "ru" ? `проблемы у ${subject}` : `${subject} warnings`}`;
}

/** Words after a number of services, by situation. */
export const SITUATION_WORDS: ByLanguage<Readonly<Record<Situation, PluralForms>>> = inLanguages({
  outage: [
    ["сбой", "сбоя", "сбоев"],
    ["outage", "outages"],
  ],
  warning: [
    ["предупреждение", "предупреждения", "предупреждений"],
    ["warning", "warnings"],
  ],
  lasting: [
    ["долгий сбой или ограничение", "долгих сбоя или ограничения", "долгих сбоев и ограничений"],
    ["long-lasting outage or restriction", "long-lasting outages and restrictions"],
  ],
  ok: [["работает", "работают"], ["working"]],
  none: [["без данных"], ["without data"]],
});
