import { type ByLanguage, inLanguages } from "../language.ts";
import type { SitePeople } from "../../../model/site-settings.ts";

/** Labels of what the operator says about the website. */
export const PEOPLE_WORDS: ByLanguage<
  Readonly<Record<Exclude<keyof SitePeople, "follow">, string>> & { readonly title: string }
> = inLanguages({
  title: ["Кто это делает", "Who runs this site"],
  operator: ["Сайт ведёт", "Run by"],
  contact: ["Связаться с нами", "Contact us"],
  source: ["Исходный код", "Source code"],
  wrongVerdict: ["Вердикт неверный? Сообщите нам", "Wrong verdict? Tell us"],
  addSite: ["Добавить свой сайт", "Add your site"],
});
