import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../model/time.ts";
import type { ByLanguage, Language } from "./language.ts";
import { countOf, type PluralForms } from "./plural.ts";

const DAYS: ByLanguage<PluralForms> = {
  ru: { one: "день", few: "дня", many: "дней" },
  en: { one: "day", few: "days", many: "days" },
};
export const HOURS: ByLanguage<PluralForms> = {
  ru: { one: "час", few: "часа", many: "часов" },
  en: { one: "hour", few: "hours", many: "hours" },
};
const MINUTES: ByLanguage<PluralForms> = {
  ru: { one: "минута", few: "минуты", many: "минут" },
  en: { one: "minute", few: "minutes", many: "minutes" },
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
