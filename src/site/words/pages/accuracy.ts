import type { Accuracy } from "../../../contract/accuracy.ts";
import { METHOD_CHANGES, type MethodDate } from "../../../model/service/method.ts";
import { MINUTE_MS, SECOND_MS } from "../../../model/time.ts";
import { type Language, type ByLanguage, inLanguages } from "../../../contract/codes/language.ts";
import { countOf, describeLength } from "../numbers.ts";

type Month = Accuracy["months"][number];

/** Texts of `/accuracy` beside its Markdown. */
export const ACCURACY_WORDS = inLanguages({
  nothingYet: [
    "Пока нечего показать: учёт ведётся с первой проверки, а числа появятся, когда закончится первый день по UTC.",
    "There is nothing to show yet: the record begins with the first check, and the numbers come when the first day, in UTC, is over.",
  ],
  measure: ["Что", "What"],
  value: ["Сколько", "How often"],
  noData: ["не из чего считать", "no data yet"],
  of: [
    (part: string, whole: string) => `${part} из ${whole}`,
    (part: string, whole: string) => `${part} of ${whole}`,
  ],
  /** Stands between thousands. */
  thousands: ["\u00A0", ","],
  earlier: [
    (length: string) => `мы раньше на ${length}`,
    (length: string) => `we were ${length} earlier`,
  ],
  delay: [
    (median: string, most: string, sample: string) =>
      `медиана: ${median}; 90% не дольше: ${most} (${sample})`,
    (median: string, most: string, sample: string) =>
      `median: ${median}; 90% within: ${most} (${sample})`,
  ],
  outages: [
    ["сбой", "сбоя", "сбоев"],
    ["outage", "outages"],
  ],
  rows: {
    told: ["Сбоев показали", "Outages shown"],
    short: ["Из них короткие", "Short ones among them"],
    falseSuspected: [
      "Похоже на ложную тревогу, из коротких",
      "Looks like a false alarm, of the short ones",
    ],
    falseConfirmed: ["Ложная тревога, подтверждено", "False alarm, confirmed"],
    rightConfirmed: ["Настоящий сбой, подтверждено", "Real outage, confirmed"],
    missed: ["Пропустили, из записанных сбоев", "Missed, of the recorded outages"],
    lateSuspected: [
      "Похоже, опоздали, из сбоев со всплеском жалоб",
      "Looks late, of outages with a surge of reports",
    ],
    delayByTruth: [
      "От начала записанного сбоя до вердикта",
      "From the beginning of a recorded outage to the verdict",
    ],
    delayByReports: ["От всплеска жалоб до вердикта", "From the surge of reports to the verdict"],
    looked: [
      "На короткий сбой смотрели и из другого места",
      "Another place looked at a short outage",
    ],
    congested: [
      "Проверок, когда наш узел сам был перегружен",
      "Runs in which our own machine was overloaded",
    ],
    runnerNone: ["Не было свежих данных ни о чём", "No recent data about anything"],
    serviceNone: [
      "Не было свежих данных о сервисе, в среднем",
      "No recent data about a service, on average",
    ],
    onlyMoscow: [
      "Не открывалось только из Москвы, из сравнённых проверок",
      "Did not open from Moscow only, of the compared checks",
    ],
    onlyAbroad: [
      "Не открывалось только за границей, из сравнённых проверок",
      "Did not open abroad only, of the compared checks",
    ],
  },
  entries: [
    (count: number) =>
      count === 0
        ? "Сейчас в списке truth.yaml нет ни одной записи, поэтому подтвердить или опровергнуть мы пока ничего не можем."
        : `Записей в списке truth.yaml: ${count}.`,
    (count: number) =>
      count === 0
        ? "The list truth.yaml has no entry now, so nothing can be confirmed or refuted yet."
        : `Entries in the list truth.yaml: ${count}.`,
  ],
  bySource: [
    "Знаете, что было на самом деле? Добавьте запись в файл truth.yaml и пришлите изменение: нужны сервис, время и источник.",
    "Do you know what really happened? Add an entry to the file truth.yaml and send the change: it needs the service, the time and a source.",
  ],
  byContact: [
    "Знаете, что было на самом деле? Напишите нам: нужны сервис, время и источник.",
    "Do you know what really happened? Write to us: we need the service, the time and a source.",
  ],
  byNobody: [
    "Кто ведёт этот сайт, тот может добавить записи в файл truth.yaml: нужны сервис, время и источник.",
    "The operator of this site can add entries to the file truth.yaml: each needs the service, the time and a source.",
  ],
});

/** What changed in the method, by its date. The English text is also in the document. */
export const METHOD_WORDS: ByLanguage<Readonly<Record<MethodDate, string>>> = {
  ru: {
    "2026-11-24":
      "Начат учёт вердиктов. Правила подтверждения, отложенных сбоев, жалоб и места сбоя — те, что действуют в этот день.",
    "2026-11-26":
      "«Работает» значит «открывается в браузере»: что Chromium прощает ответу или сертификату, то и мы считаем ответом, а чего он не принимает, то сбоем. Храним куки одной проверки и идём по десяти перенаправлениям. Ответ защиты от роботов вместо сервиса считаем ответом. Чего мы ещё ни разу не получали, того не знаем; не знаем и того, что значит молчание тех, кто не пускает дата-центры. О сбое одного адреса из нескольких говорим на одну проверку позже. Медленно значит дольше четырёх секунд. О блокировке без её прямых признаков говорим только про зарубежные сервисы.",
    "2026-11-27":
      "О блокировке говорим, только сравнив подобное с подобным: тот же отказ под другим именем ответом не считаем; места за границей учитываем, только если они получили обычный ответ сервиса; если за одним адресом много серверов, нужна вторая сеть в Москве. Две сети абонентов в Москве, которые обрывают соединение по имени, пока дата-центр его пропускает, — это блокировка. Места в Москве голосуют, только когда доказали, что видят то же, что и мы.",
  },
  en: Object.fromEntries(METHOD_CHANGES.map(({ date, text }) => [date, text])) as Readonly<
    Record<MethodDate, string>
  >,
};

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
  const values: Readonly<Record<keyof typeof rows, string>> = {
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
  return Object.entries(values).flatMap(([id, value]) =>
    value === noData ? [] : [[rows[id as keyof typeof rows], value]],
  );
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
