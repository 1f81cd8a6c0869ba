import type { ByLanguage } from "./by-language.ts";

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
    title: "There is no such page",
    text: "The address may have a typo, or a monitor is not public any more.",
    link: "All services",
  },
};
