import type { ByLanguage } from "../by-language.ts";

/** Texts of the controls on the page of the API. */
export const API_WORDS: ByLanguage<{
  readonly slug: string;
  readonly send: string;
  readonly hint: string;
  readonly answer: string;
  readonly badge: string;
  readonly serviceBadge: string;
}> = {
  ru: {
    slug: "Короткое имя сервиса",
    send: "Показать ответ",
    hint: "Запрос уйдёт прямо из вашего браузера; без имени придёт весь список.",
    answer: "Ответ",
    badge: "Значок всего сайта",
    serviceBadge: "Статус сервиса",
  },
  en: {
    slug: "Short name of a service",
    send: "Show the response",
    hint: "Your browser sends the request; without a name you get the whole list.",
    answer: "Response",
    badge: "Badge of the whole site",
    serviceBadge: "Status of the service",
  },
};
