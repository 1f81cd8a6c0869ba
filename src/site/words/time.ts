import type { ByLanguage, Language } from "../../contract/codes/language.ts";
import { HOUR_MS } from "../../model/time.ts";

/** Moscow has had no daylight saving time since 26 October 2014. Source: federal law 248-FZ of 21 July 2014. */
export const MOSCOW_OFFSET_MS: number = 3 * HOUR_MS;

/**
 * Month names as used after a day, or alone.
 * @__NO_SIDE_EFFECTS__
 */
function monthNames(language: Language, use: "after a day" | "alone"): readonly string[] {
  const format = new Intl.DateTimeFormat(language, {
    ...(use === "after a day" && { day: "numeric" }),
    month: "long",
    timeZone: "UTC",
  });
  return Array.from({ length: 12 }, (_, month) => {
    const parts = format.formatToParts(Date.UTC(2026, month, 1));
    return parts.find(({ type }) => type === "month")?.value ?? "";
  });
}

const MONTHS: ByLanguage<readonly string[]> = {
  ru: monthNames("ru", "after a day"),
  en: monthNames("en", "after a day"),
};
const MONTHS_ALONE: ByLanguage<readonly string[]> = {
  ru: monthNames("ru", "alone"),
  en: monthNames("en", "alone"),
};

/** Name of the time zone. */
export const MOSCOW: ByLanguage<string> = { ru: "МСК", en: "MSK" };

/** The calendar year of a time in Moscow. */
export function yearOf(atMs: number): number {
  return new Date(atMs + MOSCOW_OFFSET_MS).getUTCFullYear();
}

/** `21 ноября, 12:05`, in Moscow time; `21 ноября 2025, 12:05` unless it is in `thisYear`. */
export function formatMoment(
  atMs: number,
  language: Language,
  thisYear: number | undefined,
): string {
  const at = new Date(atMs + MOSCOW_OFFSET_MS);
  const year = yearOf(atMs) === thisYear ? "" : ` ${yearOf(atMs)}`;
  return `${at.getUTCDate()} ${MONTHS[language][at.getUTCMonth()] ?? ""}${year}, ${formatTime(atMs)}`;
}

/** The day of a time in Moscow, `YYYY-MM-DD`. */
export function toMoscowDay(atMs: number): string {
  return new Date(atMs + MOSCOW_OFFSET_MS).toISOString().slice(0, 10);
}

/** `12:05`, in Moscow time. */
export function formatTime(atMs: number): string {
  return new Date(atMs + MOSCOW_OFFSET_MS).toISOString().slice(11, 16);
}

/** A day `YYYY-MM-DD` of the catalogue as `9 июня 2025`; other texts are returned unchanged. */
export function formatDay(day: string, language: Language): string {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/u.exec(day) ?? [];
  const name = MONTHS[language][Number(month) - 1];
  return name === undefined ? day : `${Number(date)} ${name} ${year}`;
}

/** A month `YYYY-MM` as `июнь 2025`. */
export function formatMonth(month: string, language: Language): string {
  const [year = "", number] = month.split("-");
  return `${MONTHS_ALONE[language][Number(number) - 1] ?? ""} ${year}`;
}

/** Value of `datetime`, whole seconds, UTC: `2026-11-21T09:05:00Z`. */
export function formatMachine(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19)}Z`;
}
