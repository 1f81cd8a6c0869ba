import type { SitePeople } from "../../../model/site-settings.ts";
import type { ByLanguage } from "../by-language.ts";

/** Labels of what the operator says about the website. */
export const PEOPLE_WORDS: ByLanguage<
  Readonly<Record<Exclude<keyof SitePeople, "follow">, string>> & { readonly title: string }
> = {
  ru: {
    title: "Кто это делает",
    operator: "Сайт ведёт",
    contact: "Связаться с нами",
    source: "Исходный код",
    wrongVerdict: "Вердикт неверный? Сообщите нам",
    addSite: "Добавить свой сайт",
  },
  en: {
    title: "Who runs this site",
    operator: "Run by",
    contact: "Contact us",
    source: "Source code",
    wrongVerdict: "Wrong verdict? Tell us",
    addSite: "Add your site",
  },
};
