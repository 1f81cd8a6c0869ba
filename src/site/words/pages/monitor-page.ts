import { inLanguages, type Words } from "../../../contract/codes/language.ts";
import type { MonitorWarning } from "../../../model/monitor/monitor.ts";
import type { MonitorCondition } from "../../../model/monitor/uptime.ts";

/** Texts of the page of a monitor, of its feed and its badge. */
export const MONITOR_WORDS = inLanguages({
  kind: ["Монитор сайта", "Site monitor"],
  uptimeHint: [
    "Доля удачных проверок, округлена вниз: 100% значит, что не было ни одной неудачной.",
    "Share of successful checks, rounded down: 100% means that no check failed.",
  ],
  days: ["90 дней", "90 days"],
  daysHint: [
    "Сбой считается долгим, если неудачных проверок за сутки 5% или больше: это от 72 минут.",
    "An outage counts as long if 5% or more of the day's checks failed: 72 minutes or more.",
  ],
  response: ["Время ответа за 24 часа", "Response time in the last 24 hours"],
  responseHint: [
    "По одной удачной проверке за каждый час.",
    "One successful check from each hour.",
  ],
  lastCheck: ["Проверено", "Checked"],
  /** In place of the condition. */
  walled: ["Отвечает защита от роботов", "A protection against robots answers"],
  badge: ["Значок для вашего сайта", "Badge for your site"],
  badgeHint: [
    "Показывает доступность и обновляется каждые 5 минут.",
    "Shows the uptime and is updated every 5 minutes.",
  ],
  badgeForm: ["Вид значка", "Form of the badge"],
  /** By names of its pictures, the usual one first. Source: docs/monitors/badges.md. */
  badgeForms: {
    "badge.svg": ["30 дней", "30 days"],
    "badge-24h.svg": ["24 часа", "24 hours"],
    "badge-7d.svg": ["7 дней", "7 days"],
    "badge-90d.svg": ["90 дней", "90 days"],
    "badge.png": ["30 дней, PNG", "30 days, PNG"],
  },
  badgeAlt: ["Доступность", "Uptime"],
  copy: ["Скопировать", "Copy"],
  description: [
    "Проверки из Москвы каждые 5 минут: доступность, сбои и время ответа.",
    "Checks from Moscow every 5 minutes: uptime, outages and response time.",
  ],
  notOurs: [
    "Название и адрес указал владелец монитора.",
    "The owner of the monitor gave the name and address.",
  ],
  /** Of a monitor that its owner has added, before the link. */
  isOwned: [
    "Этот монитор добавил владелец сайта, а не мы.",
    "The owner of the site has added this monitor, not us.",
  ],
  abuse: ["Пожаловаться", "Report abuse"],
  since: ["Без изменений с", "Unchanged since"],
  reason: ["Причина", "Reason"],
  feed: ["Лента сбоев (Atom)", "Feed of outages (Atom)"],
  feedTitle: [(name: string) => `${name}: сбои`, (name: string) => `${name}: outages`],
  /** Of an entry of the feed about a failure that is over. */
  isOver: ["Сбой закончился", "The outage is over"],
  /** The length stands after it. */
  lasted: ["Длительность сбоя:", "The outage lasted"],
});

/** Result of the last check that was not skipped. */
export const CONDITION_WORDS: Words<MonitorCondition> = inLanguages({
  healthy: ["Открывается", "Opens"],
  failing: ["Не открывается", "Does not open"],
  refused: ["Адрес не проверяется", "The address is not checked"],
  unknown: ["Ещё не проверялся", "Not checked yet"],
});

/** What the condition means. */
export const CONDITION_HINTS: Words<MonitorCondition> = inLanguages({
  healthy: ["Последняя проверка из Москвы прошла удачно.", "The last check from Moscow succeeded."],
  failing: ["Проверка из Москвы не удалась.", "The check from Moscow failed."],
  refused: [
    "Адрес ведёт туда, куда проверки не ходят, например во внутреннюю сеть. Простоем это не считается.",
    "The address leads to a place that we do not check, such as a private network. That is not counted as downtime.",
  ],
  unknown: [
    "Первые данные появятся после ближайшей проверки: мы проверяем каждые 5 минут.",
    "The first data comes with the next check: there is one every 5 minutes.",
  ],
});

/** Warnings for the owner of a healthy monitor, one sentence each. */
export const WARNING_WORDS: Words<MonitorWarning> = {
  ru: {
    "robot-wall":
      "Нам отвечает не сайт, а его защита от роботов, поэтому состояние сайта мы не знаем. Разрешите в ней наш адрес и User-Agent status-snapshot.",
    "mixed-addresses":
      "Но DNS выдаёт для этого имени и такие адреса, которых не может быть у сайта в интернете: у части посетителей он может не открываться.",
    "chain-incomplete":
      "Но сервер не присылает промежуточный сертификат. Браузеры скачивают его сами, а приложения и боты могут не открыть сайт.",
    "ipv4-fails": "Но сайт открывается только по IPv6: запись A или адрес в ней не работает.",
    "noise-before-status":
      "Но перед ответом сервер шлёт лишние байты. Браузеры это прощают, другие программы могут не простить.",
    "status-missing": "Но в первой строке ответа нет кода. Браузеры считают его равным 200.",
    "bare-line-feed":
      "Но строки заголовков ответа разделены не так, как требует HTTP. Браузеры это прощают.",
    "control-in-header": "Но в заголовках ответа есть управляющий символ. Браузеры это прощают.",
    "length-beside-chunked":
      "Но ответ называет длину двумя способами сразу. Браузеры это прощают, прокси могут отказать.",
    "length-repeated": "Но длина ответа названа дважды. Браузеры это прощают.",
    "length-invalid": "Но длина ответа указана не числом. Браузеры это прощают.",
    "chunked-repeated": "Но способ передачи chunked назван дважды. Браузеры это прощают.",
    "transfer-coding-unknown":
      "Но ответ назван сжатым способом, о котором не просили. Браузеры это прощают.",
    "continue-unasked":
      "Но перед ответом приходит 100 Continue, о котором не просили. Браузеры это прощают.",
    "location-repeated": "Но адрес перенаправления назван дважды. Браузеры это прощают.",
    "location-not-ascii":
      "Но в адресе перенаправления есть буквы, которые нужно закодировать. Браузеры делают это сами.",
    "coding-unasked":
      "Но страница приходит сжатой, хотя об этом не просили. Браузеры её открывают.",
  },
  en: {
    "robot-wall":
      "A protection against robots answers us in place of the site, so we do not know its state. Let our address and the User-Agent status-snapshot in.",
    "mixed-addresses":
      "But DNS also gives addresses for its name that no site on the internet can have: it may not open for some visitors.",
    "chain-incomplete":
      "But the server does not send an intermediate certificate. Browsers fetch it, apps and bots may not open the site.",
    "ipv4-fails": "But it opens over IPv6 alone: the A record, or the address in it, fails.",
    "noise-before-status":
      "But bytes stand before the answer. Browsers forgive that, other programs may not.",
    "status-missing": "But the first line of the answer has no status. Browsers take it for 200.",
    "bare-line-feed": "But lines of its head do not end as HTTP asks. Browsers forgive that.",
    "control-in-header": "But its head has a control character. Browsers forgive that.",
    "length-beside-chunked":
      "But the answer tells its length in two ways. Browsers forgive that, proxies may refuse.",
    "length-repeated": "But the length of the answer is told twice. Browsers forgive that.",
    "length-invalid": "But the length of the answer is not a number. Browsers forgive that.",
    "chunked-repeated": "But chunked is named twice. Browsers forgive that.",
    "transfer-coding-unknown":
      "But the answer names a coding that was not asked for. Browsers forgive that.",
    "continue-unasked":
      "But 100 Continue comes first, which was not asked for. Browsers forgive that.",
    "location-repeated": "But the target of a redirect is named twice. Browsers forgive that.",
    "location-not-ascii":
      "But the target of a redirect has letters that should be encoded. Browsers encode them.",
    "coding-unasked":
      "But the page comes compressed, although that was not asked for. Browsers open it.",
  },
};
