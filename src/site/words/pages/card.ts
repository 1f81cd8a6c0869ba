import type { OverallSituation } from "../../situation.ts";
import type { ByLanguage, Words } from "../by-language.ts";

/** Text of a monitor's picture for an uptime such as `98%`; null: unknown. */
export const CARD_WORDS: ByLanguage<(percent: string | null) => string> = {
  ru: (percent) => (percent === null ? "Нет данных" : `Доступность за 30 дней: ${percent}`),
  en: (percent) => (percent === null ? "No data" : `30-day uptime: ${percent}`),
};

/** Text of the picture of the list. */
export const OVERALL_WORDS: Words<OverallSituation> = {
  ru: {
    outage: "Есть сбои",
    warning: "Сбоев не видно, но есть проблемы",
    ok: "Сбоев не видно",
    none: "Нет свежих данных",
  },
  en: {
    outage: "There are outages",
    warning: "No outages detected, but some problems",
    ok: "No outages detected",
    none: "No recent data",
  },
};
