import type { Language } from "./language.ts";

/** The forms of a word after a number: 1 жалоба, 2 жалобы, 5 жалоб; 1 report, 2 reports. */
export interface PluralForms {
  readonly one: string;
  readonly few: string;
  readonly many: string;
}

const RULES: Readonly<Record<Language, Intl.PluralRules>> = {
  ru: new Intl.PluralRules("ru"),
  en: new Intl.PluralRules("en"),
};

/** The form of a word after a whole number. Source: https://cldr.unicode.org/index/cldr-spec/plural-rules */
export function pluralOf(count: number, forms: PluralForms, language: Language): string {
  const category = RULES[language].select(count);
  if (category === "one") return forms.one;
  return category === "few" ? forms.few : forms.many;
}

/** A whole number with its word: `5 жалоб`. */
export function countOf(count: number, forms: PluralForms, language: Language): string {
  return `${count} ${pluralOf(count, forms, language)}`;
}
