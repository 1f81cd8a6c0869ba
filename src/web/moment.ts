import type { Language } from "../site/language.ts";
import { MOSCOW_OFFSET_MS } from "../site/words/time.ts";

/** `21 ноября, 12:05`, in Moscow time, as the pages have it. The names of the months are those of the browser. */
export function formatMoment(seconds: number, language: Language): string {
  const at = new Date(seconds * 1e3 + MOSCOW_OFFSET_MS);
  // In British English the day stands first.
  const locale = language === "en" ? "en-GB" : "ru";
  const day = at.toLocaleDateString(locale, { timeZone: "UTC", day: "numeric", month: "long" });
  return `${day}, ${at.toISOString().slice(11, 16)}`;
}

/** What stands in `datetime`: `2026-11-21T09:05:00Z`. */
export function formatMachine(seconds: number): string {
  return new Date(seconds * 1e3).toISOString().replace(".000", "");
}
