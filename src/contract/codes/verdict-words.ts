import { inLanguages, type Words } from "./language.ts";
import type { Color, VerdictCode } from "./verdict.ts";

// Marked as pure, so that a script of the website has the tables that it uses and no others.

/** Labels of the verdicts. The English ones are exactly those of the States table of the API. */
export const VERDICT_LABELS: Words<VerdictCode> = /* @__PURE__ */ inLanguages({
  ok: ["Работает", "Working"],
  fail: ["Сбой: не открывается", "Outage: does not open"],
  fail_long: ["Не открывается из России", "Does not open from Russia"],
  err: ["Сбой на стороне сервиса", "Service-side outage"],
  restricted_fail: ["Не открывается в России", "Does not open in Russia"],
  restricted: ["Доступ ограничен в России", "Access restricted in Russia"],
  slow: ["Работает медленно", "Working slowly"],
  partial: ["Работает с перебоями", "Working intermittently"],
  spike: ["Растёт число жалоб", "Rising number of reports"],
  slowed_ru: ["Работает медленно", "Working slowly"],
  partial_ru: ["Работает частично", "Working partially"],
  provider: ["Ограничения со стороны сервиса", "Service-side restrictions"],
  none: ["Нет свежих данных", "No recent data"],
});

/** When each verdict occurs, in one sentence. Source: docs/services/verdicts.md, the States table of the API. */
export const VERDICT_EXPLANATIONS: Words<VerdictCode> = /* @__PURE__ */ inLanguages({
  ok: ["Всё открывается и отвечает как обычно.", "Everything opens and answers as usual."],
  fail: [
    "Проверки не проходят: сбой начался меньше суток назад.",
    "The checks fail: the outage began less than 24 hours ago.",
  ],
  fail_long: [
    "Проверки не проходят больше суток.",
    "The checks have been failing for over 24 hours.",
  ],
  err: [
    "Сервис отвечает ошибкой 5xx: неполадка на его стороне.",
    "The service returns a 5xx error: the problem is on its side.",
  ],
  restricted_fail: [
    "Проверки из Москвы не проходят, а доступ к сервису в России ограничен или вместо него отвечает заглушка провайдера.",
    "The checks from Moscow fail, and access to the service is restricted in Russia or a provider's block page comes instead of it.",
  ],
  restricted: [
    "Доступ к сервису в России ограничен, но нашему узлу в Москве он отвечает.",
    "Access is restricted in Russia, but the service answers our probe in Moscow.",
  ],
  slow: [
    "Сервис отвечает заметно медленнее обычного.",
    "The service answers noticeably slower than usual.",
  ],
  partial: [
    "Часть адресов сервиса не отвечает или отвечает через раз.",
    "Some addresses of the service do not respond, or respond only now and then.",
  ],
  spike: [
    "Проверки сбоя не показывают, но жалоб пользователей стало резко больше.",
    "The checks show no outage, but user reports have increased sharply.",
  ],
  slowed_ru: ["По сообщениям, сервис в России замедлен.", "Reportedly slowed down in Russia."],
  partial_ru: [
    "По сообщениям, сервис в России работает частично.",
    "Reportedly working partially in Russia.",
  ],
  provider: [
    "Ограничения ввёл сам сервис: по региону или по оплате.",
    "The service itself imposes restrictions: by region or by payment.",
  ],
  none: ["Свежих проверок нет.", "There are no recent checks."],
});

/** Meaning of the colours of the lights. Source: the table of colours of the API. */
export const COLOR_WORDS: Words<Color> = /* @__PURE__ */ inLanguages({
  ok: ["работает", "operational"],
  warn: ["есть проблемы", "issues detected"],
  bad: ["не работает", "down"],
  none: ["нет данных", "no data"],
});

const UNCHANGED = ["По проверкам без изменений с", "Check results unchanged since"] as const;

/** Text before `since`, the time when the state of the checks began; the verdict may have another cause. */
export const SINCE_WORDS: Words<VerdictCode> = /* @__PURE__ */ inLanguages({
  ok: ["Открывается с", "Working since"],
  fail: ["Не открывается с", "Has not opened since"],
  fail_long: ["Не открывается с", "Has not opened since"],
  err: ["Отвечает ошибкой с", "Has answered with errors since"],
  restricted_fail: ["Не открывается с", "Has not opened since"],
  restricted: UNCHANGED,
  slow: ["Отвечает медленно с", "Has answered slowly since"],
  partial: ["Работает с перебоями с", "Working intermittently since"],
  spike: UNCHANGED,
  slowed_ru: UNCHANGED,
  partial_ru: UNCHANGED,
  provider: UNCHANGED,
  none: ["Последнее известное состояние началось", "The last known state began"],
});
