import type { Language } from "../../contract/codes/language.ts";
import { MOSCOW, MOSCOW_OFFSET_MS } from "../words/time.ts";
import { MINUTE_MS } from "../../model/time.ts";

/** British English puts the day first. */
const LOCALES: Readonly<Record<Language, string>> = { ru: "ru", en: "en-GB" };

/** `21 ноября`, in the zone of the visitor or in UTC. */
export const dayOf = (atMs: number, language: Language, timeZone?: "UTC"): string =>
  new Date(atMs).toLocaleDateString(LOCALES[language], {
    day: "numeric",
    month: "long",
    ...(timeZone && { timeZone }),
  });

const timeOf = (atMs: number): string =>
  new Date(atMs).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });

/** Whether the zone of the visitor has the time of Moscow. */
export const isInMoscow = (atMs: number): boolean =>
  new Date(atMs).getTimezoneOffset() * MINUTE_MS === -MOSCOW_OFFSET_MS;

/** ` МСК` where the zone of the visitor is that of Moscow. */
const zoneOf = (atMs: number, language: Language): string =>
  isInMoscow(atMs) ? ` ${MOSCOW[language]}` : "";

/** `12:05 МСК`, on another day `21 ноября, 12:05 МСК`, in another year `21 ноября 2025, 12:05 МСК`, in the zone of the visitor. */
export function formatMoment(atMs: number, nowMs: number, language: Language): string {
  const [day, today] = [atMs, nowMs].map((ms) => dayOf(ms, language));
  const [year, thisYear] = [atMs, nowMs].map((ms) => new Date(ms).getFullYear());
  const date = year !== thisYear ? `${day} ${year}, ` : day !== today ? `${day}, ` : "";
  return `${date}${timeOf(atMs)}${zoneOf(atMs, language)}`;
}

/** `21 ноября, 12:00–12:30 МСК`, in the zone of the visitor. */
export function formatSpan(fromMs: number, untilMs: number, language: Language): string {
  const times = `${timeOf(fromMs)}–${timeOf(untilMs)}`;
  return `${dayOf(fromMs, language)}, ${times}${zoneOf(fromMs, language)}`;
}
