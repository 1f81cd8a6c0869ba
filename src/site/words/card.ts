import type { ByLanguage } from "./by-language.ts";

/** Text of a monitor's picture for an uptime such as `98%`; null: unknown. */
export const CARD_WORDS: ByLanguage<(percent: string | null) => string> = {
  ru: (percent) => (percent === null ? "Нет данных" : `Аптайм за 30 дней: ${percent}`),
  en: (percent) => (percent === null ? "No data" : `30-day uptime: ${percent}`),
};
