import type { VerdictCode } from "../../model/verdict.ts";
import type { ByLanguage } from "./by-language.ts";

/** Answers to the three questions of a visitor, and what to do. */
export interface Advice {
  readonly isDown: string;
  readonly isBlocked: string;
  readonly isMe: string;
  readonly advice: string;
  /** Follows where reports are taken. */
  readonly report?: string;
}

export const QUESTIONS: ByLanguage<Omit<Advice, "advice" | "report">> = {
  ru: { isDown: "Сервис сломался?", isBlocked: "Доступ ограничен?", isMe: "Проблема у меня?" },
  en: { isDown: "Is it down?", isBlocked: "Is it blocked?", isMe: "Is it me?" },
};

/** No answer claims more than the verdict does. Source: docs/services/verdicts.md. */
export const ADVICE: ByLanguage<Readonly<Record<VerdictCode, Advice>>> = {
  ru: {
    ok: {
      isDown: "Нет, открывается",
      isBlocked: "Нам об этом неизвестно",
      isMe: "Возможно, если у вас не работает",
      advice:
        "У нас открывается. Если у вас нет, попробуйте другую сеть (мобильный интернет вместо Wi-Fi), перезапустите приложение, выключите VPN. Не помогло? Дело может быть в провайдере или регионе.",
      report: "Сообщите об этом кнопкой ниже.",
    },
    fail: {
      isDown: "Похоже, да",
      isBlocked: "Подтверждений нет",
      isMe: "Вряд ли",
      advice:
        "Из Москвы тоже не открывается. Перезагружать роутер и переустанавливать приложение незачем: причина, скорее всего, не у вас. Проверяем из одной точки, поэтому сбой сервиса не всегда можно отличить от помех в сети.",
    },
    fail_long: {
      isDown: "Не открывается больше суток",
      isBlocked: "Возможно, но подтверждений нет",
      isMe: "Вряд ли",
      advice:
        "Так бывает, когда сервис закрылся, ушёл из России или к нему не пропускает сеть: из одной точки этого не различить.",
    },
    err: {
      isDown: "Да, отвечает ошибкой",
      isBlocked: "Нет, связь с ним есть",
      isMe: "Нет",
      advice:
        "Сервис сам сообщает об ошибке: неполадка на его стороне. Подождите немного и попробуйте снова.",
    },
    restricted_fail: {
      isDown: "Отсюда этого не видно",
      isBlocked: "Да: основания ниже",
      isMe: "Нет",
      advice:
        "Доступ к сервису из России ограничен, и с проверочного узла в Москве он не открывается. Ваш телефон, компьютер и приложение ни при чём.",
    },
    restricted: {
      isDown: "Нет: нашему узлу он отвечает",
      isBlocked: "Да: основание и дата ниже",
      isMe: "Нет",
      advice:
        "Доступ к сервису в России ограничен, хотя нашему узлу он отвечает. У вас он может не открываться, и это не поломка вашего устройства.",
    },
    slow: {
      isDown: "Нет, но отвечает медленно",
      isBlocked: "Подтверждений нет",
      isMe: "Вряд ли",
      advice:
        "Сервис открывается, но заметно медленнее, чем обычно. Подождите немного или повторите попытку.",
    },
    partial: {
      isDown: "Частично",
      isBlocked: "Подтверждений нет",
      isMe: "Вряд ли",
      advice:
        "Часть адресов сервиса не отвечает: одно может работать, другое нет. Что именно, видно ниже, в результатах проверок.",
    },
    spike: {
      isDown: "Возможно: жалоб стало резко больше",
      isBlocked: "По жалобам не понять",
      isMe: "Вряд ли: жалуются многие",
      advice:
        "Проверки сбоя пока не подтверждают: он мог только что начаться или касаться лишь части регионов, входа или платежей. Загляните снова через несколько минут.",
    },
    slowed_ru: {
      isDown: "Нет",
      isBlocked: "По сообщениям, замедлен",
      isMe: "Вряд ли",
      advice:
        "По сообщениям, сервис в России замедляют. Нашему узлу он отвечает, а у вас может грузиться долго или рывками.",
    },
    partial_ru: {
      isDown: "Нет",
      isBlocked: "По сообщениям, отчасти",
      isMe: "Вряд ли",
      advice:
        "По сообщениям, в России работает не всё. Нашему узлу сервис отвечает, а у вас что-то может не открываться.",
    },
    provider: {
      isDown: "Нет",
      isBlocked: "Да, самим сервисом",
      isMe: "Нет",
      advice:
        "Сервис сам ограничивает тех, кто заходит из России: по региону или по оплате. Это не сбой, и ваша сеть ни при чём.",
    },
    none: {
      isDown: "Не знаем",
      isBlocked: "Не знаем",
      isMe: "Не знаем",
      advice: "Свежих проверок нет, поэтому мы не знаем.",
      report: "Если у вас не открывается, сообщите: жалобы мы считаем и без проверок.",
    },
  },
  en: {
    ok: {
      isDown: "No, it opens",
      isBlocked: "Not that we know of",
      isMe: "Perhaps, if it fails for you",
      advice:
        "It opens for us. If it does not for you, try another network (mobile data instead of Wi-Fi), restart the app, turn your VPN off. Still nothing? It may be your provider or region.",
      report: "Tell us with the button below.",
    },
    fail: {
      isDown: "It seems so",
      isBlocked: "No evidence of that",
      isMe: "Unlikely",
      advice:
        "It does not open from Moscow either. No need to restart the router or reinstall the app: the cause is most likely not on your side. We check from one place, so an outage cannot always be distinguished from network trouble.",
    },
    fail_long: {
      isDown: "It has not opened for over a day",
      isBlocked: "Perhaps, but there is no evidence",
      isMe: "Unlikely",
      advice:
        "This happens when a service has closed, has left Russia, or cannot be reached because the network blocks the way to it: from one place we cannot tell which.",
    },
    err: {
      isDown: "Yes, it answers with an error",
      isBlocked: "No, it can be reached",
      isMe: "No",
      advice:
        "The service itself reports an error: the problem is on its side. Wait a little and try again.",
    },
    restricted_fail: {
      isDown: "We cannot tell from here",
      isBlocked: "Yes: the reasons are below",
      isMe: "No",
      advice:
        "Access to the service from Russia is restricted, and it does not open from the probe in Moscow. Your phone, computer and app have nothing to do with it.",
    },
    restricted: {
      isDown: "No: it answers our probe",
      isBlocked: "Yes: reason and date below",
      isMe: "No",
      advice:
        "Access to the service is restricted in Russia, although it answers our probe. If it does not open for you, your device is not the cause.",
    },
    slow: {
      isDown: "No, but it answers slowly",
      isBlocked: "No evidence of that",
      isMe: "Unlikely",
      advice: "The service opens, but noticeably slower than usual. Wait a little or try again.",
    },
    partial: {
      isDown: "In part",
      isBlocked: "No evidence of that",
      isMe: "Unlikely",
      advice:
        "Some addresses of the service do not respond: one thing may work and another not. The results of the checks below show which.",
    },
    spike: {
      isDown: "Perhaps: reports have risen sharply",
      isBlocked: "The reports do not show that",
      isMe: "Unlikely: many report it",
      advice:
        "The checks do not confirm an outage yet: it may have just begun, or affect only some regions, sign-in or payments. Check again in a few minutes.",
    },
    slowed_ru: {
      isDown: "No",
      isBlocked: "Reportedly slowed down",
      isMe: "Unlikely",
      advice:
        "Reportedly, the service is being slowed down in Russia. It answers our probe, but may load slowly or stutter for you.",
    },
    partial_ru: {
      isDown: "No",
      isBlocked: "Reportedly in part",
      isMe: "Unlikely",
      advice:
        "Reportedly, not all of it works in Russia. It answers our probe, but some things may not open for you.",
    },
    provider: {
      isDown: "No",
      isBlocked: "Restricted by the service itself",
      isMe: "No",
      advice:
        "The service itself restricts visitors from Russia: by region or by payment. It is not an outage, and your network is not the cause.",
    },
    none: {
      isDown: "We do not know",
      isBlocked: "We do not know",
      isMe: "We do not know",
      advice: "There are no recent checks, so we do not know.",
      report: "If it does not open for you, send a report: we count reports even without checks.",
    },
  },
};
