import type { ByLanguage, Language } from "../../contract/codes/language.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../model/time.ts";

/** The forms of a word after 1, after 2 and after 5: `жалоба, жалобы, жалоб`; the last is left out where it is the second: `report, reports`. */
export type PluralForms = readonly string[];

const RULES: Readonly<Record<Language, Intl.PluralRules>> = {
  ru: new Intl.PluralRules("ru"),
  en: new Intl.PluralRules("en"),
};

/** The form of a word after a whole number. Source: https://cldr.unicode.org/index/cldr-spec/plural-rules */
export function pluralOf(count: number, forms: PluralForms, language: Language): string {
  const [one = "", few = one, many = few] = forms;
  const category = RULES[language].select(count);
  if (category === "one") return one;
  return category === "few" ? few : many;
}

/** The same text with a capital letter at its start. */
export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A whole number with its word: `5 жалоб`. */
export function countOf(count: number, forms: PluralForms, language: Language): string {
  return `${count} ${pluralOf(count, forms, language)}`;
}

export const DAYS: ByLanguage<PluralForms> = {
  ru: ["день", "дня", "дней"],
  en: ["day", "days"],
};
export const HOURS: ByLanguage<PluralForms> = {
  ru: ["час", "часа", "часов"],
  en: ["hour", "hours"],
};
const MINUTES: ByLanguage<PluralForms> = {
  ru: ["минута", "минуты", "минут"],
  en: ["minute", "minutes"],
};

/** `20 минут`, `1 час 20 минут`, `3 дня 2 часа`, or only the first of these units; at least a minute. */
export function describeLength(ms: number, language: Language, units: 1 | 2 = 2): string {
  const minutes = Math.max(1, Math.floor(ms / MINUTE_MS));
  const parts = [
    { count: Math.floor(minutes / (DAY_MS / MINUTE_MS)), forms: DAYS },
    { count: Math.floor(minutes / (HOUR_MS / MINUTE_MS)) % 24, forms: HOURS },
    { count: minutes % 60, forms: MINUTES },
  ];
  const first = parts.findIndex(({ count }) => count > 0);
  return parts
    .slice(first, first + units)
    .filter(({ count }) => count > 0)
    .map(({ count, forms }) => countOf(count, forms[language], language))
    .join(" ");
}

/** The same after a verb or a preposition of time: `длился 1 минуту`, `через 1 минуту`, where alone it is `1 минута`. */
export function describeDuration(ms: number, language: Language): string {
  const length = describeLength(ms, language);
  return language === "ru" ? length.replaceAll("минута", "минуту") : length;
}

const UNITS: Readonly<Record<Language, readonly string[]>> = {
  ru: ["байт", "КБ", "МБ", "ГБ"],
  en: ["bytes", "kB", "MB", "GB"],
};

/** A size for people, in decimal units: `812 bytes`, `110 kB`, `1.2 MB`. Values below 10 have a decimal place. */
export function formatSize(bytes: number, language: Language): string {
  const units = UNITS[language];
  let value = bytes;
  let at = 0;
  // A value that would be rounded to 1000 belongs to the next unit.
  for (; value >= 999.5 && at < units.length - 1; at += 1) value /= 1000;
  const rounded = at > 0 && value < 9.95 ? value.toFixed(1) : value.toFixed(0);
  return `${language === "ru" ? rounded.replace(".", ",") : rounded}\u00A0${units[at] ?? ""}`;
}
