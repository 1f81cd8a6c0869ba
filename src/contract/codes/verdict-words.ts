import type { Color, VerdictCode } from "./verdict.ts";

/** A word for each code, in Russian and English. */
type Words<Code extends string> = Readonly<Record<"ru" | "en", Readonly<Record<Code, string>>>>;

/** Labels of the verdicts. The English ones are exactly those of the States table of the API. */
export const VERDICT_LABELS: Words<VerdictCode> = {
  ru: {
    ok: "Работает",
    fail: "Сбой: не открывается",
    fail_long: "Не открывается из России",
    err: "Сбой на стороне сервиса",
    restricted_fail: "Не открывается в России",
    restricted: "Доступ ограничен в России",
    slow: "Работает медленно",
    partial: "Работает с перебоями",
    spike: "Растёт число жалоб",
    slowed_ru: "Работает медленно",
    partial_ru: "Работает частично",
    provider: "Ограничения со стороны сервиса",
    none: "Нет свежих данных",
  },
  en: {
    ok: "Working",
    fail: "Outage: does not open",
    fail_long: "Does not open from Russia",
    err: "Service-side outage",
    restricted_fail: "Does not open in Russia",
    restricted: "Access restricted in Russia",
    slow: "Working slowly",
    partial: "Working intermittently",
    spike: "Rising number of reports",
    slowed_ru: "Working slowly",
    partial_ru: "Working partially",
    provider: "Service-side restrictions",
    none: "No recent data",
  },
};

/** When each verdict occurs, in one sentence. Source: docs/services/verdicts.md, the States table of the API. */
export const VERDICT_EXPLANATIONS: Words<VerdictCode> = {
  ru: {
    ok: "Всё открывается и отвечает как обычно.",
    fail: "Проверки не проходят: сбой начался меньше суток назад.",
    fail_long: "Проверки не проходят больше суток.",
    err: "Сервис отвечает ошибкой 5xx: неполадка на его стороне.",
    restricted_fail:
      "Проверки из Москвы не проходят, а доступ к сервису в России ограничен или вместо него отвечает заглушка провайдера.",
    restricted: "Доступ к сервису в России ограничен, но нашему узлу в Москве он отвечает.",
    slow: "Сервис отвечает заметно медленнее обычного.",
    partial: "Часть адресов сервиса не отвечает или отвечает через раз.",
    spike: "Проверки сбоя не показывают, но жалоб пользователей стало резко больше.",
    slowed_ru: "По сообщениям, сервис в России замедлен.",
    partial_ru: "По сообщениям, сервис в России работает частично.",
    provider: "Ограничения ввёл сам сервис: по региону или по оплате.",
    none: "Свежих проверок нет.",
  },
  en: {
    ok: "Everything opens and answers as usual.",
    fail: "The checks fail: the outage began less than 24 hours ago.",
    fail_long: "The checks have been failing for over 24 hours.",
    err: "The service returns a 5xx error: the problem is on its side.",
    restricted_fail:
      "The checks from Moscow fail, and access to the service is restricted in Russia or a provider's block page comes instead of it.",
    restricted: "Access is restricted in Russia, but the service answers our probe in Moscow.",
    slow: "The service answers noticeably slower than usual.",
    partial: "Some addresses of the service do not respond, or respond only now and then.",
    spike: "The checks show no outage, but user reports have increased sharply.",
    slowed_ru: "Reportedly slowed down in Russia.",
    partial_ru: "Reportedly working partially in Russia.",
    provider: "The service itself imposes restrictions: by region or by payment.",
    none: "There are no recent checks.",
  },
};

/** Meaning of the colours of the lights. Source: the table of colours of the API. */
export const COLOR_WORDS: Words<Color> = {
  ru: { ok: "работает", warn: "есть проблемы", bad: "не работает", none: "нет данных" },
  en: { ok: "operational", warn: "issues detected", bad: "down", none: "no data" },
};

const UNCHANGED_RU = "По проверкам без изменений с";
const UNCHANGED_EN = "Check results unchanged since";

/** Text before `since`, the time when the state of the checks began; the verdict may have another cause. */
export const SINCE_WORDS: Words<VerdictCode> = {
  ru: {
    ok: "Открывается с",
    fail: "Не открывается с",
    fail_long: "Не открывается с",
    err: "Отвечает ошибкой с",
    restricted_fail: "Не открывается с",
    restricted: UNCHANGED_RU,
    slow: "Отвечает медленно с",
    partial: "Работает с перебоями с",
    spike: UNCHANGED_RU,
    slowed_ru: UNCHANGED_RU,
    partial_ru: UNCHANGED_RU,
    provider: UNCHANGED_RU,
    none: "Последнее известное состояние началось",
  },
  en: {
    ok: "Working since",
    fail: "Has not opened since",
    fail_long: "Has not opened since",
    err: "Has answered with errors since",
    restricted_fail: "Has not opened since",
    restricted: UNCHANGED_EN,
    slow: "Has answered slowly since",
    partial: "Working intermittently since",
    spike: UNCHANGED_EN,
    slowed_ru: UNCHANGED_EN,
    partial_ru: UNCHANGED_EN,
    provider: UNCHANGED_EN,
    none: "The last known state began",
  },
};
