import { ELSEWHERE_WORDS } from "./elsewhere.ts";
import { inLanguages } from "../../contract/codes/language.ts";

/** The words of each part of an answer. No answer claims more than its code says. */
export const ANSWER_WORDS = inLanguages({
  isDown: {
    opens: ["Нет, открывается", "No, it opens"],
    seems: ["Похоже, да", "It seems so"],
    "seems-everywhere": ["Похоже, да: не только в России", "It looks like it: it fails abroad too"],
    "opens-abroad": ["Нет, за границей открывается", "No, it opens abroad"],
    "not-at-home": [
      "Нет, в дата-центрах Москвы открывается",
      "No, it opens in Moscow's data centres",
    ],
    "not-browsers": ["Нет, программам отвечает", "No, it answers programs"],
    "opens-in-network": [
      "Вряд ли: из другой сети открывается",
      "Unlikely: it opens from another network",
    ],
    "for-some": ["Похоже, для части людей", "It looks like it, for some people"],
    long: ["Не открывается больше суток", "It has not opened for over a day"],
    errors: ["Да, отвечает ошибкой", "Yes, it answers with an error"],
    "cannot-tell": ["Отсюда этого не видно", "We cannot tell from here"],
    "answers-probe": ["Нет: нашему узлу он отвечает", "No: it answers our probe"],
    slow: ["Нет, но отвечает медленно", "No, but it answers slowly"],
    partly: ["Частично", "In part"],
    reports: ["Возможно: жалоб резко больше", "Perhaps: reports have risen sharply"],
    "one-operator": [
      "Похоже, нет: жалуются у одного оператора",
      "It seems not: one operator's subscribers report it",
    ],
    no: ["Нет", "No"],
    unknown: ["Не знаем", "We do not know"],
  },
  isBlocked: {
    "block-page": ["Да: пришла страница блокировки", "Yes: a block page came"],
    "stub-address": ["Да: DNS выдал адрес заглушки", "Yes: DNS gave a block page's address"],
    "legal-refusal": ["Да: пришёл отказ по закону (451)", "Yes: refused for legal reasons (451)"],
    "other-name": [
      "Похоже: под другим именем отвечает",
      "It looks like it: another name is answered",
    ],
    "other-name-agreed": ["Да: под другим именем отвечает", "Yes: another name is answered"],
    "home-lines": ["Да: дома обрывают по имени", "Yes: cut by name on home lines"],
    unnamed: ["Похоже, да", "It looks like it"],
    "not-heard": ["Нам об этом неизвестно", "Not that we know of"],
    unconfirmed: ["Подтверждений нет", "No evidence of that"],
    possible: ["Возможно, но подтверждений нет", "Perhaps, but there is no evidence"],
    "fails-abroad": [
      "Не похоже: сбой не только в России",
      "It does not look like it: it fails abroad too",
    ],
    reached: ["Нет, связь с ним есть", "No, it can be reached"],
    reports: ["По жалобам не понять", "The reports do not show that"],
    slowed: ["По сообщениям, замедлен", "Reportedly slowed down"],
    partly: ["По сообщениям, отчасти", "Reportedly in part"],
    "by-owner": ["Да, самим сервисом", "Restricted by the service itself"],
    unknown: ["Не знаем", "We do not know"],
  },
  annotated: ["Да, отмечено с {day}", "Yes, on record since {day}"],
  isMe: {
    "if-alone": ["Возможно, если у вас не работает", "Perhaps, if it fails for you"],
    unlikely: ["Вряд ли", "Unlikely"],
    no: ["Нет", "No"],
    network: ["Возможно, дело в вашем провайдере", "It may be your provider"],
    "one-operator": ["Дело может быть в операторе", "It may be your operator"],
    many: ["Вряд ли: жалуются многие", "Unlikely: many report it"],
    unknown: ["Не знаем", "We do not know"],
  },
  /** Of a restricted service that does not open, by the sign. */
  signs: {
    annotated: [
      "Доступ к сервису в России ограничен, и из Москвы он не открывается.",
      "Access to the service is restricted in Russia, and it does not open from Moscow.",
    ],
    "block-page": [
      "Вместо сервиса из Москвы открывается страница блокировки.",
      "A block page opens from Moscow instead of the service.",
    ],
    "stub-address": [
      "Вместо адреса сервиса DNS в Москве выдаёт адрес заглушки.",
      "In Moscow, DNS gives the address of a block page instead of the service's.",
    ],
    "legal-refusal": [
      "На запрос из Москвы приходит отказ 451, по юридическим причинам.",
      "A request from Moscow is refused with 451, for legal reasons.",
    ],
    "other-name": [
      "Из Москвы не открывается, и похоже, что соединение обрывают по имени сервиса.",
      "It does not open from Moscow, and it looks as if connections are cut by the name of the service.",
    ],
    "other-name-agreed": [
      "Из Москвы не открывается: в нескольких сетях соединение обрывают по имени сервиса.",
      "It does not open from Moscow: several networks cut connections by the name of the service.",
    ],
    "home-lines": [
      "На домашних линиях в Москве не открывается: соединение обрывают по имени сервиса.",
      "It does not open on home lines in Moscow: connections are cut by the name of the service.",
    ],
    unnamed: [
      "Из Москвы не открывается, и есть признаки, что доступ в России ограничен.",
      "It does not open from Moscow, and there are signs that access is restricted in Russia.",
    ],
  },
  /** What was found where the runner's own checks pass. */
  found: {
    access: [
      "На домашних линиях в Москве не открывается.",
      "It does not open on home lines in Moscow.",
    ],
    client: ["Браузеры из Москвы его не открывают.", "Browsers do not open it from Moscow."],
  },
  elsewhere: ELSEWHERE_WORDS,
  advice: {
    ok: [
      "У нас открывается. Если у вас нет, попробуйте другую сеть (мобильный интернет вместо Wi-Fi), перезапустите приложение, выключите VPN. Не помогло? Дело может быть в провайдере или регионе.",
      "It opens for us. If it does not for you, try another network (mobile data instead of Wi-Fi), restart the app, turn your VPN off. Still nothing? It may be your provider or region.",
    ],
    fail: [
      "Из Москвы тоже не открывается. Перезагружать роутер и переустанавливать приложение незачем: причина, скорее всего, не у вас.",
      "It does not open from Moscow either. No need to restart the router or reinstall the app: the cause is most likely not on your side.",
    ],
    fail_long: [
      "Так бывает, когда сервис закрылся, ушёл из России или к нему не пропускает сеть.",
      "This happens when a service has closed, has left Russia, or cannot be reached because the network blocks the way to it.",
    ],
    err: [
      "Сервис сам сообщает об ошибке: неполадка на его стороне. Подождите немного и попробуйте снова.",
      "The service itself reports an error: the problem is on its side. Wait a little and try again.",
    ],
    restricted_fail: [
      "Ваш телефон, компьютер и приложение ни при чём: из Москвы не открывается и у нас.",
      "Your phone, computer and app have nothing to do with it: it does not open from Moscow for us either.",
    ],
    restricted: [
      "Доступ к сервису в России ограничен, хотя нашему узлу он отвечает. У вас он может не открываться, и это не поломка вашего устройства.",
      "Access to the service is restricted in Russia, although it answers our probe. If it does not open for you, your device is not the cause.",
    ],
    slow: [
      "Сервис открывается, но заметно медленнее, чем обычно. Подождите немного или повторите попытку.",
      "The service opens, but noticeably slower than usual. Wait a little or try again.",
    ],
    partial: [
      "Часть адресов сервиса не отвечает: одно может работать, другое нет. Что именно, видно ниже, в результатах проверок.",
      "Some addresses of the service do not respond: one thing may work and another not. The results of the checks below show which.",
    ],
    spike: [
      "Проверки сбоя пока не подтверждают: он мог только что начаться или касаться лишь части регионов, входа или платежей. Загляните снова через несколько минут.",
      "The checks do not confirm an outage yet: it may have just begun, or affect only some regions, sign-in or payments. Check again in a few minutes.",
    ],
    slowed_ru: [
      "По сообщениям, сервис в России замедляют. Нашему узлу он отвечает, а у вас может грузиться долго или рывками.",
      "Reportedly, the service is being slowed down in Russia. It answers our probe, but may load slowly or stutter for you.",
    ],
    partial_ru: [
      "По сообщениям, в России работает не всё. Нашему узлу сервис отвечает, а у вас что-то может не открываться.",
      "Reportedly, not all of it works in Russia. It answers our probe, but some things may not open for you.",
    ],
    "one-operator": [
      "У нас открывается, и у абонентов других операторов тоже: жалуются почти только у одного. Если это ваш оператор, попробуйте другую сеть, например Wi-Fi вместо мобильного интернета.",
      "It opens for us, and for subscribers of other operators: nearly all reports are from one. If it is yours, try another network, such as Wi-Fi instead of mobile data.",
    ],
    provider: [
      "Сервис сам ограничивает тех, кто заходит из России: по региону или по оплате. Это не сбой, и ваша сеть ни при чём.",
      "The service itself restricts visitors from Russia: by region or by payment. It is not an outage, and your network is not the cause.",
    ],
    none: [
      "Свежих проверок нет, поэтому мы не знаем.",
      "There are no recent checks, so we do not know.",
    ],
    refused: [
      "Работает ли он у вас, отсюда не видно: многие банки, магазины и госсайты не пускают дата-центры, чтобы защититься от роботов.",
      "From here we cannot see whether it works for you: many banks, shops and state sites keep data centres out to protect themselves from robots.",
    ],
    "wall-only": [
      "Защита принимает нашу проверку за робота и не пропускает дальше. Открывается ли сам сервис, отсюда не видно.",
      "The protection takes our check for a robot and stops it. From here we cannot see whether the service itself opens.",
    ],
    "never-reached": [
      "Скорее всего, мы проверяем не тот адрес, поэтому сбоем это не считаем.",
      "Most likely we check the wrong address, so we do not call it an outage.",
    ],
    russia: [
      "Перезагружать роутер и переустанавливать приложение незачем: из Москвы не открывается и у нас. Причина на пути к сервису или у него самого.",
      "No need to restart the router or reinstall the app: it does not open from Moscow for us either. The cause is on the way to the service, or the service itself.",
    ],
    access: [
      "Перезагружать роутер и переустанавливать приложение незачем: в Москве не открывается и у абонентов других провайдеров.",
      "No need to restart the router or reinstall the app: it does not open for subscribers of other providers in Moscow either.",
    ],
    client: [
      "Перезагружать роутер и переустанавливать браузер незачем: из Москвы браузерам не открывается и у нас. Приложение сервиса может работать.",
      "No need to restart the router or reinstall the browser: from Moscow browsers get nothing here either. The app of the service may work.",
    ],
    everywhere: [
      "Перезагружать роутер и переустанавливать приложение незачем. Подождите и попробуйте позже.",
      "No need to restart the router or reinstall the app. Wait, and try again later.",
    ],
    network: [
      "В одних сетях открывается, в других нет. Попробуйте другую сеть: мобильный интернет вместо Wi-Fi или наоборот.",
      "It opens in some networks and not in others. Try another one: mobile data instead of Wi-Fi, or the other way round.",
    ],
    mixed: [
      "Перезагружать роутер и переустанавливать приложение незачем: из Москвы не открывается и у нас. Подождите и попробуйте позже.",
      "No need to restart the router or reinstall the app: it does not open from Moscow for us either. Wait, and try again later.",
    ],
  },
  /** What the checks found of a service of which nothing is known. */
  unknown: {
    refused: [
      "Дата-центрам сервис не отвечает, а проверяем мы из дата-центра.",
      "The service does not answer data centres, and we check from one.",
    ],
    "wall-only": [
      "Вместо сервиса отвечает только защита от роботов.",
      "Only a protection against robots answers in place of the service.",
    ],
    "never-reached": [
      "Проверки ещё ни разу до него не дошли.",
      "The checks have never reached it yet.",
    ],
  },
  onePlace: [
    "Проверяем из одной точки, поэтому причину не всегда можно различить.",
    "We check from one place, so the cause cannot always be told.",
  ],
  report: {
    ok: ["Сообщите об этом кнопкой ниже.", "Tell us with the button below."],
    none: [
      "Если у вас не открывается, сообщите: жалобы мы считаем и без проверок.",
      "If it does not open for you, send a report: we count reports even without checks.",
    ],
  },
});
