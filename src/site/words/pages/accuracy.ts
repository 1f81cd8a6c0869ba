import type { Accuracy } from "../../../contract/accuracy.ts";
import { METHOD_CHANGES, type MethodDate } from "../../../model/service/method.ts";
import { MINUTE_MS, SECOND_MS } from "../../../model/time.ts";
import type { ByLanguage } from "../by-language.ts";
import type { Language } from "../language.ts";
import { describeLength } from "../length.ts";
import { countOf, type PluralForms } from "../plural.ts";
import { formatMonth } from "../time.ts";

type Month = Accuracy["months"][number];

/** Texts of `/accuracy` beside its Markdown. */
interface AccuracyWords {
  readonly nothingYet: string;
  readonly measure: string;
  readonly value: string;
  readonly noData: string;
  readonly of: (part: string, whole: string) => string;
  /** Stands between thousands. */
  readonly thousands: string;
  readonly earlier: (length: string) => string;
  readonly delay: (median: string, most: string, sample: string) => string;
  readonly outages: PluralForms;
  readonly rows: Readonly<Record<RowId, string>>;
  readonly entries: (count: number) => string;
  readonly bySource: string;
  readonly sourceLink: string;
  readonly byContact: string;
  readonly contactLink: string;
  readonly byNobody: string;
}

const ROW_IDS = [
  "told",
  "short",
  "falseSuspected",
  "falseConfirmed",
  "rightConfirmed",
  "missed",
  "lateSuspected",
  "delayByTruth",
  "delayByReports",
  "looked",
  "congested",
  "runnerNone",
  "serviceNone",
  "onlyMoscow",
  "onlyAbroad",
] as const;
type RowId = (typeof ROW_IDS)[number];

export const ACCURACY_WORDS: ByLanguage<AccuracyWords> = {
  ru: {
    nothingYet:
      "Пока нечего показать: учёт ведётся с первой проверки, а числа появятся, когда закончится первый день по UTC.",
    measure: "Что",
    value: "Сколько",
    noData: "не из чего считать",
    of: (part, whole) => `${part} из ${whole}`,
    thousands: "\u00A0",
    earlier: (length) => `мы раньше на ${length}`,
    delay: (median, most, sample) => `медиана: ${median}; 90% не дольше: ${most} (${sample})`,
    outages: { one: "сбой", few: "сбоя", many: "сбоев" },
    rows: {
      told: "Сбоев показали",
      short: "Из них короткие",
      falseSuspected: "Похоже на ложную тревогу, из коротких",
      falseConfirmed: "Ложная тревога, подтверждено",
      rightConfirmed: "Настоящий сбой, подтверждено",
      missed: "Пропустили, из записанных сбоев",
      lateSuspected: "Похоже, опоздали, из сбоев со всплеском жалоб",
      delayByTruth: "От начала записанного сбоя до вердикта",
      delayByReports: "От всплеска жалоб до вердикта",
      looked: "На короткий сбой смотрели и из другого места",
      congested: "Проверок, когда наш узел сам был перегружен",
      runnerNone: "Не было свежих данных ни о чём",
      serviceNone: "Не было свежих данных о сервисе, в среднем",
      onlyMoscow: "Не открывалось только из Москвы, из сравнённых проверок",
      onlyAbroad: "Не открывалось только за границей, из сравнённых проверок",
    },
    entries: (count) =>
      count === 0
        ? "Сейчас в списке truth.yaml нет ни одной записи, поэтому подтвердить или опровергнуть мы пока ничего не можем."
        : `Записей в списке truth.yaml: ${count}.`,
    bySource:
      "Знаете, что было на самом деле? Добавьте запись в файл truth.yaml и пришлите изменение: нужны сервис, время и источник.",
    sourceLink: "Исходный код",
    byContact: "Знаете, что было на самом деле? Напишите нам: нужны сервис, время и источник.",
    contactLink: "Связаться с нами",
    byNobody:
      "Кто ведёт этот сайт, тот может добавить записи в файл truth.yaml: нужны сервис, время и источник.",
  },
  en: {
    nothingYet:
      "There is nothing to show yet: the record begins with the first check, and the numbers come when the first day, in UTC, is over.",
    measure: "What",
    value: "How often",
    noData: "no data yet",
    of: (part, whole) => `${part} of ${whole}`,
    thousands: ",",
    earlier: (length) => `we were ${length} earlier`,
    delay: (median, most, sample) => `median: ${median}; 90% within: ${most} (${sample})`,
    outages: { one: "outage", few: "outages", many: "outages" },
    rows: {
      told: "Outages shown",
      short: "Short ones among them",
      falseSuspected: "Looks like a false alarm, of the short ones",
      falseConfirmed: "False alarm, confirmed",
      rightConfirmed: "Real outage, confirmed",
      missed: "Missed, of the recorded outages",
      lateSuspected: "Looks late, of outages with a surge of reports",
      delayByTruth: "From the beginning of a recorded outage to the verdict",
      delayByReports: "From the surge of reports to the verdict",
      looked: "Another place looked at a short outage",
      congested: "Runs in which our own machine was overloaded",
      runnerNone: "No recent data about anything",
      serviceNone: "No recent data about a service, on average",
      onlyMoscow: "Did not open from Moscow only, of the compared checks",
      onlyAbroad: "Did not open abroad only, of the compared checks",
    },
    entries: (count) =>
      count === 0
        ? "The list truth.yaml has no entry now, so nothing can be confirmed or refuted yet."
        : `Entries in the list truth.yaml: ${count}.`,
    bySource:
      "Do you know what really happened? Add an entry to the file truth.yaml and send the change: it needs the service, the time and a source.",
    sourceLink: "Source code",
    byContact:
      "Do you know what really happened? Write to us: we need the service, the time and a source.",
    contactLink: "Contact us",
    byNobody:
      "The operator of this site can add entries to the file truth.yaml: each needs the service, the time and a source.",
  },
};

/** What changed in the method, by its date. The English text is also in the document. */
export const METHOD_WORDS: ByLanguage<Readonly<Record<MethodDate, string>>> = {
  ru: {
    "2026-11-24":
      "Начат учёт вердиктов. Правила подтверждения, отложенных сбоев, жалоб и места сбоя — те, что действуют в этот день.",
    "2026-11-26":
      "«Работает» значит «открывается в браузере»: что Chromium прощает ответу или сертификату, то и мы считаем ответом, а чего он не принимает, то сбоем. Храним куки одной проверки и идём по десяти перенаправлениям. Ответ защиты от роботов вместо сервиса считаем ответом. Чего мы ещё ни разу не получали, того не знаем; не знаем и того, что значит молчание тех, кто не пускает дата-центры. О сбое одного адреса из нескольких говорим на одну проверку позже. Медленно значит дольше четырёх секунд. О блокировке без её прямых признаков говорим только про зарубежные сервисы.",
  },
  en: Object.fromEntries(METHOD_CHANGES.map(({ date, text }) => [date, text])) as Readonly<
    Record<MethodDate, string>
  >,
};

/** `Ноябрь 2026`, of `2026-11`. */
export function nameMonth(month: string, language: Language): string {
  const name = formatMonth(month, language);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** The rows of a month: what was counted, and the number with its sample; nothing of what there was no data for. */
export function describeMonth(
  month: Month,
  services: number,
  language: Language,
): readonly (readonly [string, string])[] {
  const { of, noData, rows, thousands } = ACCURACY_WORDS[language];
  const write = (count: number): string =>
    String(count).replaceAll(/\B(?=(?:\d{3})+$)/gu, thousands);
  const share = (part: number, whole: number): string =>
    whole === 0 ? noData : of(write(part), write(whole));
  const values: Readonly<Record<RowId, string>> = {
    told: write(month.outages.told),
    short: share(month.outages.short, month.outages.told),
    falseSuspected: share(month.false.suspected, month.outages.short),
    falseConfirmed: write(month.false.confirmed),
    rightConfirmed: write(month.right.confirmed),
    missed: share(month.missed.missed, month.missed.truthOutages),
    lateSuspected: share(month.late.suspected, month.late.surged),
    delayByTruth: describeDelay(month.delay.byTruth, language),
    delayByReports: describeDelay(month.delay.byReports, language),
    looked: share(month.outages.shortLookedAtElsewhere, month.outages.short),
    congested: share(month.congestedRuns, month.runs),
    runnerNone: describeMinutes(month.noneMinutes.runner, language),
    serviceNone: describeMinutes(
      Math.round(month.noneMinutes.services / Math.max(1, services)),
      language,
    ),
    onlyMoscow: share(month.controls.onlyMoscow, month.controls.compared),
    onlyAbroad: share(month.controls.onlyAbroad, month.controls.compared),
  };
  return ROW_IDS.filter((id) => values[id] !== noData).map((id) => [rows[id], values[id]]);
}

function describeDelay(
  { count, median, p90 }: Month["delay"]["byTruth"],
  language: Language,
): string {
  const { noData, delay, outages } = ACCURACY_WORDS[language];
  if (median === null || p90 === null) return noData;
  const sample = countOf(count, outages, language);
  return delay(describeSigned(median, language), describeSigned(p90, language), sample);
}

function describeSigned(seconds: number, language: Language): string {
  if (seconds >= 0) return describeMinutes(Math.round((seconds * SECOND_MS) / MINUTE_MS), language);
  return ACCURACY_WORDS[language].earlier(describeLength(-seconds * SECOND_MS, language));
}

function describeMinutes(minutes: number, language: Language): string {
  if (minutes === 0) return language === "ru" ? "0 минут" : "0 minutes";
  return describeLength(minutes * MINUTE_MS, language);
}
