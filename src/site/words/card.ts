import type { ByLanguage } from "./by-language.ts";

/** What a monitor's picture says of its uptime, `98%`; null: nothing is known yet. */
export const CARD_WORDS: ByLanguage<(percent: string | null) => string> = {
  ru: (percent) => (percent === null ? "Нет данных" : `Аптайм за 30 дней: ${percent}`),
  en: (percent) => (percent === null ? "No data" : `30-day uptime: ${percent}`),
};
