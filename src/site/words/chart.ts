import { inLanguages, type Language, type Words } from "../../contract/codes/language.ts";
import type { CheckClass } from "../../model/service/history.ts";
import type { MonitorDayView, StripCell } from "../view.ts";
import { countOf, HOURS } from "./numbers.ts";
import type { UptimeWindow } from "../../model/monitor/monitor.ts";

/** What one cell of a strip shows. `nothing`: no decided check. */
export type CellKind = CheckClass | MonitorDayView | "nothing";

export const CELL_WORDS: Words<CellKind> = inLanguages({
  up: ["работает", "working"],
  slow: ["медленно", "slow"],
  partial: ["с перебоями", "intermittent"],
  "provider-denied": ["сервис не пускает из России", "refuses access from Russia"],
  "server-error": ["ошибка сервера", "server error"],
  failing: ["не открывается", "does not open"],
  whole: ["без сбоев", "no outage"],
  minor: ["короткий сбой", "short outage"],
  major: ["долгий сбой", "long outage"],
  nothing: ["нет проверок", "no checks"],
});

/** Labels below the charts, from their start to the present. */
export const AXIS_WORDS = inLanguages({
  day: [
    ["24 часа назад", "12", "последний час"],
    ["24 hours ago", "12", "last hour"],
  ],
  days: [
    ["90 дней назад", "45", "последний день"],
    ["90 days ago", "45", "last day"],
  ],
});

const WORDS = inLanguages({
  reports: [
    ["жалоба", "жалобы", "жалоб"],
    ["report", "reports"],
  ],
  hoursAgo: [
    ["час назад", "часа назад", "часов назад"],
    ["hour ago", "hours ago"],
  ],
  inLastHour: ["в последний час", "in the last hour"],
  noReports: ["Жалоб за сутки не было.", "No reports in the last day."],
  mostReports: [
    (total: string, most: number, when: string) =>
      `За сутки ${total}, больше всего за час: ${most} (${when}).`,
    (total: string, most: number, when: string) =>
      `${total} in the last day, the most in an hour: ${most} (${when}).`,
  ],
  noResponse: ["За сутки измерений не было.", "No response time was measured in the last day."],
  responses: [
    (least: string, most: string) => `За сутки от ${least} до ${most}`,
    (least: string, most: string) => `From ${least} to ${most} in the last day`,
  ],
  lastResponse: [
    (length: string) => `, в последний час ${length}`,
    (length: string) => `, ${length} in the last hour`,
  ],
  without: ["Без данных", "Without data"],
});

/** `12 жалоб`. */
export function reportsPhrase(count: number, language: Language): string {
  return countOf(count, WORDS[language].reports, language);
}

/** Text alternative of the chart of reports per hour; the last hour is the current one. */
export function describeReports(hours: readonly number[], language: Language): string {
  const words = WORDS[language];
  const total = hours.reduce((sum, count) => sum + count, 0);
  if (total === 0) return words.noReports;
  const most = Math.max(...hours);
  const ago = hours.length - 1 - hours.lastIndexOf(most);
  const when = ago === 0 ? words.inLastHour : countOf(ago, words.hoursAgo, language);
  return words.mostReports(reportsPhrase(total, language), most, when);
}

/** Labels of the control that reads a strip cell by cell, and the hint below it until a cell is chosen. */
export const READER_WORDS = inLanguages({
  "half-hour": ["Получас на графике", "Half hour on the chart"],
  day: ["День на графике", "Day on the chart"],
  hint: [
    "Выберите столбик, чтобы узнать время, состояние и причину.",
    "Choose a bar to see its time, state and cause.",
  ],
});

/** Period of a cell. */
export type CellUnit = "half-hour" | "day";

const UNIT_WORDS: Words<CellUnit> = {
  ru: { "half-hour": "За сутки по получасам", day: "За 90 дней" },
  en: { "half-hour": "In the last day, by half hours", day: "In the last 90 days" },
};

/** Text alternative of a strip. `counts`: how many cells of each kind it has, healthiest first. */
export function describeCells(
  counts: readonly { readonly kind: CellKind; readonly count: number }[],
  unit: CellUnit,
  language: Language,
): string {
  const parts = counts.map(({ kind, count }) => `${CELL_WORDS[language][kind]}: ${count}`);
  return `${UNIT_WORDS[language][unit]} — ${parts.join(", ")}.`;
}

/** `320 мс`, `1,4 с`. */
export function formatDuration(ms: number, language: Language): string {
  if (ms < 1_000) return `${Math.round(ms)} ${language === "ru" ? "мс" : "ms"}`;
  const seconds = (ms / 1_000).toFixed(1);
  return language === "ru" ? `${seconds.replace(".", ",")} с` : `${seconds} s`;
}

/** Text alternative of the chart of response times per hour; null: none. */
export function describeResponse(hours: readonly (number | null)[], language: Language): string {
  const words = WORDS[language];
  const format = (ms: number): string => formatDuration(ms, language);
  const known = hours.filter((ms) => ms !== null);
  if (known.length === 0) return words.noResponse;
  const range = words.responses(format(Math.min(...known)), format(Math.max(...known)));
  const last = hours.at(-1) ?? null;
  const now = last === null ? "" : words.lastResponse(format(last));
  const missing = countOf(hours.length - known.length, HOURS[language], language);
  return `${range}${now}.${known.length < hours.length ? ` ${words.without}: ${missing}.` : ""}`;
}

/** Kinds of the cells of a strip. */
export function kindsOf(cells: readonly (StripCell | MonitorDayView)[]): readonly CellKind[] {
  return cells.map((cell) => cell ?? "nothing");
}

/** Texts of the table of months. */
export const MONTH_WORDS = inLanguages({
  title: ["По месяцам", "By month"],
  hint: [
    "Сутки по UTC, которые закончились. Месяц без проверок так и показан.",
    "UTC days that have ended. A month without checks is shown as such.",
  ],
  month: ["Месяц", "Month"],
  outages: ["Сбои", "Outages"],
  none: ["не проверяли", "not checked"],
});

export const UPTIME_WORDS = inLanguages({
  uptime: ["Доступность", "Uptime"],
  noData: ["нет данных", "no data"],
});

export const WINDOW_WORDS: Words<UptimeWindow> = {
  ru: { "24h": "24 часа", "7d": "7 дней", "30d": "30 дней", "90d": "90 дней" },
  en: { "24h": "24 hours", "7d": "7 days", "30d": "30 days", "90d": "90 days" },
};

/** `99,98%` from `99.98%`. Badges keep the point in both languages. */
export function formatUptime(value: string, language: Language): string {
  return language === "ru" ? value.replace(".", ",") : value;
}
