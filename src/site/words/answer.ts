import type { UnknownReason } from "../../model/service/history.ts";
import type { VerdictCode } from "../../contract/codes/verdict.ts";
import type { Advice, BlockAnswer, BlockSign, DownAnswer, Elsewhere, MeAnswer } from "../answer.ts";
import type { ByLanguage } from "./by-language.ts";

/** The words of each part of an answer. */
export interface AnswerWords {
  readonly isDown: Readonly<Record<DownAnswer, string>>;
  readonly isBlocked: Readonly<Record<Exclude<BlockAnswer, "annotated">, string>>;
  readonly annotated: (day: string) => string;
  readonly isMe: Readonly<Record<MeAnswer, string>>;
  /** Of a restricted service that does not open, by the sign. */
  readonly signs: Readonly<Record<BlockSign, string>>;
  /** Countries stand in brackets, so that they need no cases. */
  readonly elsewhere: Readonly<Record<Elsewhere, (works: string, fails: string) => string>>;
  readonly advice: Readonly<Record<Advice, string>>;
  /** What the checks found of a service of which nothing is known. */
  readonly unknown: Readonly<Record<UnknownReason, string>>;
  readonly onePlace: string;
  readonly report: Readonly<Partial<Record<VerdictCode, string>>>;
}

/** No answer claims more than its code says. */
export const ANSWER_WORDS: ByLanguage<AnswerWords> = {
  ru: {
    isDown: {
      opens: "Нет, открывается",
      seems: "Похоже, да",
      "seems-everywhere": "Похоже, да: не только в России",
      "opens-abroad": "Нет, за границей открывается",
      "opens-in-network": "Вряд ли: из другой сети открывается",
      "for-some": "Похоже, для части людей",
      long: "Не открывается больше суток",
      errors: "Да, отвечает ошибкой",
      "cannot-tell": "Отсюда этого не видно",
      "answers-probe": "Нет: нашему узлу он отвечает",
      slow: "Нет, но отвечает медленно",
      partly: "Частично",
      reports: "Возможно: жалоб резко больше",
      no: "Нет",
      unknown: "Не знаем",
    },
    isBlocked: {
      "block-page": "Да: пришла страница блокировки",
      "stub-address": "Да: DNS выдал адрес заглушки",
      "legal-refusal": "Да: пришёл отказ по закону (451)",
      "other-name": "Похоже: под другим именем отвечает",
      unnamed: "Похоже, да",
      "not-heard": "Нам об этом неизвестно",
      unconfirmed: "Подтверждений нет",
      possible: "Возможно, но подтверждений нет",
      "fails-abroad": "Не похоже: сбой не только в России",
      reached: "Нет, связь с ним есть",
      reports: "По жалобам не понять",
      slowed: "По сообщениям, замедлен",
      partly: "По сообщениям, отчасти",
      "by-owner": "Да, самим сервисом",
      unknown: "Не знаем",
    },
    annotated: (day) => `Да, отмечено с ${day}`,
    isMe: {
      "if-alone": "Возможно, если у вас не работает",
      unlikely: "Вряд ли",
      no: "Нет",
      network: "Возможно, дело в вашем провайдере",
      many: "Вряд ли: жалуются многие",
      unknown: "Не знаем",
    },
    signs: {
      annotated: "Доступ к сервису в России ограничен, и из Москвы он не открывается.",
      "block-page": "Вместо сервиса из Москвы открывается страница блокировки.",
      "stub-address": "Вместо адреса сервиса DNS в Москве выдаёт адрес заглушки.",
      "legal-refusal": "На запрос из Москвы приходит отказ 451, по юридическим причинам.",
      "other-name": "Из Москвы не открывается, и похоже, что соединение обрывают по имени сервиса.",
      unnamed: "Из Москвы не открывается, и есть признаки, что доступ в России ограничен.",
    },
    elsewhere: {
      abroad: (works) => `За границей открывается${works}.`,
      "abroad-claimed": (works) =>
        `За границей открывается${works}, а из Москвы тот же сервер отвечает, только если назвать ему другое имя.`,
      "abroad-doubt": (works) =>
        `За границей открывается${works}, из Москвы нет. Блокировка это или сбой по пути, мы не знаем.`,
      everywhere: (_, fails) =>
        `За границей тоже не открывается${fails}. Похоже на сбой самого сервиса.`,
      "everywhere-too": (_, fails) =>
        `Сейчас не открывается и за границей${fails}: похоже ещё и на сбой самого сервиса.`,
      network: () =>
        "Из другой сети в Москве открывается. Причина может быть в сети, из которой мы проверяем.",
      path: () =>
        "За границей открывается, но связь нашего узла с зарубежными сетями сейчас нарушена, поэтому причины мы не знаем.",
      mixed: (works, fails) =>
        `За границей открывается не везде: где-то да${works}, где-то нет${fails}.`,
    },
    advice: {
      ok: "У нас открывается. Если у вас нет, попробуйте другую сеть (мобильный интернет вместо Wi-Fi), перезапустите приложение, выключите VPN. Не помогло? Дело может быть в провайдере или регионе.",
      fail: "Из Москвы тоже не открывается. Перезагружать роутер и переустанавливать приложение незачем: причина, скорее всего, не у вас.",
      fail_long: "Так бывает, когда сервис закрылся, ушёл из России или к нему не пропускает сеть.",
      err: "Сервис сам сообщает об ошибке: неполадка на его стороне. Подождите немного и попробуйте снова.",
      restricted_fail:
        "Ваш телефон, компьютер и приложение ни при чём: из Москвы не открывается и у нас.",
      restricted:
        "Доступ к сервису в России ограничен, хотя нашему узлу он отвечает. У вас он может не открываться, и это не поломка вашего устройства.",
      slow: "Сервис открывается, но заметно медленнее, чем обычно. Подождите немного или повторите попытку.",
      partial:
        "Часть адресов сервиса не отвечает: одно может работать, другое нет. Что именно, видно ниже, в результатах проверок.",
      spike:
        "Проверки сбоя пока не подтверждают: он мог только что начаться или касаться лишь части регионов, входа или платежей. Загляните снова через несколько минут.",
      slowed_ru:
        "По сообщениям, сервис в России замедляют. Нашему узлу он отвечает, а у вас может грузиться долго или рывками.",
      partial_ru:
        "По сообщениям, в России работает не всё. Нашему узлу сервис отвечает, а у вас что-то может не открываться.",
      provider:
        "Сервис сам ограничивает тех, кто заходит из России: по региону или по оплате. Это не сбой, и ваша сеть ни при чём.",
      none: "Свежих проверок нет, поэтому мы не знаем.",
      refused:
        "Работает ли он у вас, отсюда не видно: многие банки, магазины и госсайты не пускают дата-центры, чтобы защититься от роботов.",
      "wall-only":
        "Защита принимает нашу проверку за робота и не пропускает дальше. Открывается ли сам сервис, отсюда не видно.",
      "never-reached": "Скорее всего, мы проверяем не тот адрес, поэтому сбоем это не считаем.",
      russia:
        "Перезагружать роутер и переустанавливать приложение незачем: из Москвы не открывается и у нас. Причина на пути к сервису или у него самого.",
      everywhere:
        "Перезагружать роутер и переустанавливать приложение незачем. Подождите и попробуйте позже.",
      network:
        "В одних сетях открывается, в других нет. Попробуйте другую сеть: мобильный интернет вместо Wi-Fi или наоборот.",
      mixed:
        "Перезагружать роутер и переустанавливать приложение незачем: из Москвы не открывается и у нас. Подождите и попробуйте позже.",
    },
    unknown: {
      refused: "Дата-центрам сервис не отвечает, а проверяем мы из дата-центра.",
      "wall-only": "Вместо сервиса отвечает только защита от роботов.",
      "never-reached": "Проверки ещё ни разу до него не дошли.",
    },
    onePlace: "Проверяем из одной точки, поэтому причину не всегда можно различить.",
    report: {
      ok: "Сообщите об этом кнопкой ниже.",
      none: "Если у вас не открывается, сообщите: жалобы мы считаем и без проверок.",
    },
  },
  en: {
    isDown: {
      opens: "No, it opens",
      seems: "It seems so",
      "seems-everywhere": "It looks like it: it fails abroad too",
      "opens-abroad": "No, it opens abroad",
      "opens-in-network": "Unlikely: it opens from another network",
      "for-some": "It looks like it, for some people",
      long: "It has not opened for over a day",
      errors: "Yes, it answers with an error",
      "cannot-tell": "We cannot tell from here",
      "answers-probe": "No: it answers our probe",
      slow: "No, but it answers slowly",
      partly: "In part",
      reports: "Perhaps: reports have risen sharply",
      no: "No",
      unknown: "We do not know",
    },
    isBlocked: {
      "block-page": "Yes: a block page came",
      "stub-address": "Yes: DNS gave a block page's address",
      "legal-refusal": "Yes: refused for legal reasons (451)",
      "other-name": "It looks like it: another name is answered",
      unnamed: "It looks like it",
      "not-heard": "Not that we know of",
      unconfirmed: "No evidence of that",
      possible: "Perhaps, but there is no evidence",
      "fails-abroad": "It does not look like it: it fails abroad too",
      reached: "No, it can be reached",
      reports: "The reports do not show that",
      slowed: "Reportedly slowed down",
      partly: "Reportedly in part",
      "by-owner": "Restricted by the service itself",
      unknown: "We do not know",
    },
    annotated: (day) => `Yes, on record since ${day}`,
    isMe: {
      "if-alone": "Perhaps, if it fails for you",
      unlikely: "Unlikely",
      no: "No",
      network: "It may be your provider",
      many: "Unlikely: many report it",
      unknown: "We do not know",
    },
    signs: {
      annotated: "Access to the service is restricted in Russia, and it does not open from Moscow.",
      "block-page": "A block page opens from Moscow instead of the service.",
      "stub-address": "In Moscow, DNS gives the address of a block page instead of the service's.",
      "legal-refusal": "A request from Moscow is refused with 451, for legal reasons.",
      "other-name":
        "It does not open from Moscow, and it looks as if connections are cut by the name of the service.",
      unnamed:
        "It does not open from Moscow, and there are signs that access is restricted in Russia.",
    },
    elsewhere: {
      abroad: (works) => `It opens abroad${works}.`,
      "abroad-claimed": (works) =>
        `It opens abroad${works}, and from Moscow the same server answers only under another name.`,
      "abroad-doubt": (works) =>
        `It opens abroad${works}, but not from Moscow. Whether it is blocked or the route is broken, we do not know.`,
      everywhere: (_, fails) =>
        `It does not open abroad either${fails}. This looks like a failure of the service itself.`,
      "everywhere-too": (_, fails) =>
        `At the moment it does not open abroad either${fails}: this looks like a failure of the service itself, too.`,
      network: () =>
        "It opens from another network in Moscow. The cause may be the network we check from.",
      path: () =>
        "It opens abroad, but our own connection abroad is disrupted at the moment, so we do not know the cause.",
      mixed: (works, fails) => `Abroad it opens in some places${works} and not in others${fails}.`,
    },
    advice: {
      ok: "It opens for us. If it does not for you, try another network (mobile data instead of Wi-Fi), restart the app, turn your VPN off. Still nothing? It may be your provider or region.",
      fail: "It does not open from Moscow either. No need to restart the router or reinstall the app: the cause is most likely not on your side.",
      fail_long:
        "This happens when a service has closed, has left Russia, or cannot be reached because the network blocks the way to it.",
      err: "The service itself reports an error: the problem is on its side. Wait a little and try again.",
      restricted_fail:
        "Your phone, computer and app have nothing to do with it: it does not open from Moscow for us either.",
      restricted:
        "Access to the service is restricted in Russia, although it answers our probe. If it does not open for you, your device is not the cause.",
      slow: "The service opens, but noticeably slower than usual. Wait a little or try again.",
      partial:
        "Some addresses of the service do not respond: one thing may work and another not. The results of the checks below show which.",
      spike:
        "The checks do not confirm an outage yet: it may have just begun, or affect only some regions, sign-in or payments. Check again in a few minutes.",
      slowed_ru:
        "Reportedly, the service is being slowed down in Russia. It answers our probe, but may load slowly or stutter for you.",
      partial_ru:
        "Reportedly, not all of it works in Russia. It answers our probe, but some things may not open for you.",
      provider:
        "The service itself restricts visitors from Russia: by region or by payment. It is not an outage, and your network is not the cause.",
      none: "There are no recent checks, so we do not know.",
      refused:
        "From here we cannot see whether it works for you: many banks, shops and state sites keep data centres out to protect themselves from robots.",
      "wall-only":
        "The protection takes our check for a robot and stops it. From here we cannot see whether the service itself opens.",
      "never-reached": "Most likely we check the wrong address, so we do not call it an outage.",
      russia:
        "No need to restart the router or reinstall the app: it does not open from Moscow for us either. The cause is on the way to the service, or the service itself.",
      everywhere: "No need to restart the router or reinstall the app. Wait, and try again later.",
      network:
        "It opens in some networks and not in others. Try another one: mobile data instead of Wi-Fi, or the other way round.",
      mixed:
        "No need to restart the router or reinstall the app: it does not open from Moscow for us either. Wait, and try again later.",
    },
    unknown: {
      refused: "The service does not answer data centres, and we check from one.",
      "wall-only": "Only a protection against robots answers in place of the service.",
      "never-reached": "The checks have never reached it yet.",
    },
    onePlace: "We check from one place, so the cause cannot always be told.",
    report: {
      ok: "Tell us with the button below.",
      none: "If it does not open for you, send a report: we count reports even without checks.",
    },
  },
};
