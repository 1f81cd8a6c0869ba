import type { Language } from "../words/language.ts";
import { MOSCOW, MOSCOW_OFFSET_MS } from "../words/time.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../model/time.ts";

/** British English puts the day first. */
const LOCALES: Readonly<Record<Language, string>> = { ru: "ru", en: "en-GB" };

const dayOf = (atMs: number, locale: string): string =>
  new Date(atMs).toLocaleDateString(locale, { day: "numeric", month: "long" });

/** `12:05 МСК`, or on another day `21 ноября, 12:05 МСК`, in the zone of the visitor, which is named where it is Moscow's. */
export function formatMoment(atMs: number, nowMs: number, language: Language): string {
  const locale = LOCALES[language];
  const [day, today] = [atMs, nowMs].map((ms) => dayOf(ms, locale));
  const time = new Date(atMs).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  const isMoscow = new Date(atMs).getTimezoneOffset() * MINUTE_MS === -MOSCOW_OFFSET_MS;
  return `${day === today ? "" : `${day}, `}${time}${isMoscow ? ` ${MOSCOW[language]}` : ""}`;
}

/** Longest first. */
const UNITS = [
  ["day", DAY_MS],
  ["hour", HOUR_MS],
  ["minute", MINUTE_MS],
] as const;

/** `8 минут`, `3 часа`, `2 дня`, at least a minute. */
export function formatLength(ms: number, language: Language): string {
  const [unit, unitMs] = UNITS.find((one) => ms >= one[1]) ?? UNITS[2];
  const count = Math.max(1, Math.floor(ms / unitMs));
  const style = { style: "unit", unit, unitDisplay: "long" } as const;
  return new Intl.NumberFormat(LOCALES[language], style).format(count);
}

/** Value of `datetime`: `2026-11-21T09:05:00Z`. */
export function formatMachine(seconds: number): string {
  return new Date(seconds * 1e3).toISOString().replace(".000", "");
}
