import type { Language } from "../words/language.ts";
import { MOSCOW_OFFSET_MS } from "../words/time.ts";

/** `21 ноября, 12:05`, in Moscow time, as on the pages; the month names come from the browser. */
export function formatMoment(seconds: number, language: Language): string {
  const at = new Date(seconds * 1e3 + MOSCOW_OFFSET_MS);
  // British English puts the day first.
  const locale = language === "en" ? "en-GB" : "ru";
  const day = at.toLocaleDateString(locale, { timeZone: "UTC", day: "numeric", month: "long" });
  return `${day}, ${at.toISOString().slice(11, 16)}`;
}

/** Value of `datetime`: `2026-11-21T09:05:00Z`. */
export function formatMachine(seconds: number): string {
  return new Date(seconds * 1e3).toISOString().replace(".000", "");
}
