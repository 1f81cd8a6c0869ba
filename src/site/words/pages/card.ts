import { type ByLanguage, inLanguages, type Words } from "../language.ts";
import type { OverallSituation } from "../../situation.ts";

/** Text of a monitor's picture for an uptime such as `98%`; null: unknown. */
export const CARD_WORDS: ByLanguage<(percent: string | null) => string> = {
  ru: (percent) => (percent === null ? "Нет данных" : `Доступность за 30 дней: ${percent}`),
  en: (percent) => (percent === null ? "No data" : `30-day uptime: ${percent}`),
};

/** Text of the picture of the list. */
export const OVERALL_WORDS: Words<OverallSituation> = inLanguages({
  outage: ["Есть сбои", "There are outages"],
  warning: ["Сбоев не видно, но есть проблемы", "No outages detected, but some problems"],
  ok: ["Сбоев не видно", "No outages detected"],
  none: ["Нет свежих данных", "No recent data"],
});
