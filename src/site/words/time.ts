import type { ByLanguage, Language } from "../../contract/codes/language.ts";
import { HOUR_MS } from "../../model/time.ts";

/** Moscow has had no daylight saving time since 26 October 2014. Source: federal law 248-FZ of 21 July 2014. */
export const MOSCOW_OFFSET_MS: number = 3 * HOUR_MS;

/** As after a day. Literal, because the first use of `Intl` costs each start some 25 ms. */
const MONTHS: ByLanguage<readonly string[]> = {
  ru: "января февраля марта апреля мая июня июля августа сентября октября ноября декабря".split(
    " ",
  ),
  en: "January February March April May June July August September October November December".split(
    " ",
  ),
};
const MONTHS_ALONE: ByLanguage<readonly string[]> = {
  ru: "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь".split(" "),
  en: MONTHS.en,
};

/** Name of the time zone. */
export const MOSCOW: ByLanguage<string> = { ru: "МСК", en: "MSK" };

/** The calendar year of a time in Moscow. */
export function yearOf(atMs: number): number {
  return new Date(atMs + MOSCOW_OFFSET_MS).getUTCFullYear();
}

/** `21 ноября, 12:05`, in Moscow time; `21 ноября 2025, 12:05` unless it is in `thisYear`. */
export function formatMoment(atMs: number, language: Language, thisYear?: number): string {
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
