import type { UptimeWindow } from "../../model/monitor/monitor.ts";
import type { ByLanguage, Language, Words } from "./language.ts";

export const UPTIME_WORDS: ByLanguage<{ readonly uptime: string; readonly noData: string }> = {
  ru: { uptime: "Доступность", noData: "нет данных" },
  en: { uptime: "Uptime", noData: "no data" },
};

export const WINDOW_WORDS: Words<UptimeWindow> = {
  ru: { "24h": "24 часа", "7d": "7 дней", "30d": "30 дней", "90d": "90 дней" },
  en: { "24h": "24 hours", "7d": "7 days", "30d": "30 days", "90d": "90 days" },
};

/** `99,98%` from `99.98%`. Badges keep the point in both languages. */
export function formatUptime(value: string, language: Language): string {
  return language === "ru" ? value.replace(".", ",") : value;
}
