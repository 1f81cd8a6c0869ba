import type { ByLanguage } from "../by-language.ts";

export interface NotFoundWords {
  readonly title: string;
  readonly text: string;
  readonly link: string;
}

export const NOT_FOUND_WORDS: ByLanguage<NotFoundWords> = {
  ru: {
    title: "Такой страницы нет",
    text: "Возможно, в адресе опечатка или монитор больше не открыт для всех.",
    link: "Все сервисы",
  },
  en: {
    title: "Page not found",
    text: "The address may have a typo, or the monitor is no longer public.",
    link: "All services",
  },
};
