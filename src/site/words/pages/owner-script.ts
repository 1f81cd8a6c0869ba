import { CONDITION_WORDS, WARNING_WORDS } from "./monitor-page.ts";
import { FAILURE_WORDS } from "../failure.ts";
import { type Language, inLanguages } from "../../../contract/codes/language.ts";
import { FIELD_RULES } from "../owner-fields.ts";
import { OWNER_PROBLEM_WORDS, URL_FAULTS } from "../owner-problem.ts";

export type OwnerScriptWords = ReturnType<typeof ownerScriptWords>;

const OWN = inLanguages({
  /** `candidate`: a new key waits for its proof. */
  statuses: {
    pending: ["Ждёт подтверждения", "Waits for its proof"],
    proved: ["Подтверждён", "Proved"],
    lost: ["Подтверждение пропало", "The proof is gone"],
    dormant: ["Страница отключена", "The page is off"],
    refused: ["Не принимается", "Not accepted"],
    removed: ["Удалён", "Removed"],
    expired: ["Срок вышел", "Out of time"],
    candidate: ["Новая ссылка ждёт подтверждения", "A new link waits for its proof"],
  },
  /** What each status means; `{date}` is when something ends. */
  explanations: {
    pending: [
      "Пока вы не подтвердите, что сайт ваш, мы его не проверяем. Время есть до {date}.",
      "We do not check the site before you prove that it is yours. There is time until {date}.",
    ],
    proved: [
      "Сайт проверяется из Москвы каждые 5 минут. Подтверждение мы ищем раз в месяц: не убирайте его.",
      "The site is checked from Moscow every 5 minutes. We look for the proof once a month: leave it in place.",
    ],
    lost: [
      "Мы не нашли подтверждение на прежнем месте. Верните его до {date}, иначе страница и значок исчезнут.",
      "We did not find the proof in its place. Put it back by {date}, or the page and the badge will go.",
    ],
    dormant: [
      "Подтверждения давно нет, страница и значок отключены. Верните его до {date}, и всё продолжится.",
      "The proof has been gone for long, so the page and the badge are off. Put it back by {date}, and all goes on.",
    ],
    refused: ["Сайт не проверяется.", "The site is not checked."],
    removed: [
      "Страница и значок исчезли. Восстановить монитор можно до {date}.",
      "The page and the badge are gone. The monitor can be restored until {date}.",
    ],
    expired: [
      "Сайт не подтвердили вовремя. Добавьте его ещё раз.",
      "The site was not proved in time. Add it again.",
    ],
    candidate: [
      "Подтвердите, что сайт ваш, и эта ссылка заменит прежнюю. Время есть до {date}.",
      "Prove that the site is yours, and this link replaces the old one. There is time until {date}.",
    ],
  },
  denied: [
    "Владелец домена запретил проверки записью в DNS.",
    "The owner of the domain has refused checks by a record in DNS.",
  ],
  blocked: ["Этот сайт отключил оператор.", "The operator has blocked this site."],
  offline: [
    "Не получается связаться с сервером. Проверьте, есть ли интернет.",
    "The server cannot be reached. Check your internet connection.",
  ],
  sending: ["Отправляем…", "Sending…"],
  looking: ["Ищем подтверждение…", "Looking for the proof…"],
  wait: ["Следующая проверка через {seconds} с", "The next look is possible in {seconds} s"],
  notFound: [
    "Пока не нашли. Мы смотрим сами каждые 5 минут; страницу можно закрыть.",
    "Not found yet. We look ourselves every 5 minutes; you can close the page.",
  ],
  found: ["найдено", "found"],
  absent: {
    file: ["файла нет", "there is no such file"],
    dns: ["такой записи нет", "there is no such record"],
    meta: ["на странице нет этого тега в <head>", "the page has no such tag in its <head>"],
  },
  other: {
    file: ["в файле другое: «{text}»", "the file has something else: “{text}”"],
    dns: ["в записи другое: «{text}»", "the record has something else: “{text}”"],
    meta: ["в теге другое: «{text}»", "the tag has something else: “{text}”"],
  },
  httpStatus: ["(ответ {status})", "(status {status})"],
  elsewhere: [
    "перенаправляет на {host}, а это другой домен",
    "redirects to {host}, which is another domain",
  ],
  failed: ["не прочитать: {why}", "cannot be read: {why}"],
  deniedLook: [
    "Владелец домена запретил проверки записью в DNS. Мы больше не обращаемся к сайту.",
    "The owner of the domain has refused checks by a record in DNS. We leave the site alone.",
  ],
  saved: ["Сохранено.", "Saved."],
  moving: [
    "Сохранено. Новый адрес начнёт проверяться, когда вы подтвердите и его.",
    "Saved. The new address will be checked once you have proved it, too.",
  ],
  pressAgain: ["Нажмите ещё раз, чтобы удалить", "Press again to remove"],
  removed: ["Удалено.", "Removed."],
  checkedNever: [
    "Ещё не проверялся: первая проверка будет в течение пяти минут.",
    "Not checked yet: the first check comes within five minutes.",
  ],
  checked: [
    "{condition}. Доступность за 30 дней: {uptime}.",
    "{condition}. Uptime of 30 days: {uptime}.",
  ],
  warnings: [WARNING_WORDS.ru, WARNING_WORDS.en],
  notAnAddress: [
    "Это не похоже ни на ссылку управления, ни на адрес значка или страницы.",
    "That looks neither like a manage link nor like the address of a badge or a page.",
  ],
  channels: {
    webhook: ["Вебхук {to}", "Webhook {to}"],
    push: ["Браузер (через {to})", "Browser (through {to})"],
  },
  channelStopped: ["(не отвечает, отключён {date})", "(does not answer, off since {date})"],
  removeChannel: ["Убрать", "Remove"],
  channelRemoved: ["Убрали: больше туда не пишем.", "Removed: nothing more is sent there."],
  webhookAdded: [
    "Добавили. Через минуту придёт первое сообщение, проверочное.",
    "Added. The first message, a test, comes within a minute.",
  ],
  webhookRule: [
    "Нужен адрес, который начинается с https:// и открыт из интернета.",
    "It has to be an address that begins with https:// and is open to the internet.",
  ],
  pushAdded: [
    "Готово. Через минуту придёт первое уведомление, проверочное.",
    "Done. The first notice, a test, comes within a minute.",
  ],
  pushProblems: {
    denied: [
      "Браузер не разрешил уведомления. Разрешите их в настройках этой страницы.",
      "The browser does not allow notices. Allow them in the settings of this page.",
    ],
    private: [
      "Браузер отказал, не спросив вас: так бывает в приватном окне. Откройте страницу в обычном.",
      "The browser refused without asking you, as in a private window. Open the page in an ordinary one.",
    ],
    unreachable: [
      "Браузер не связался со своей службой уведомлений. Добавьте вебхук или попробуйте другой браузер.",
      "The browser could not reach its notification service. Add a webhook, or try another browser.",
    ],
  },
});

/** All texts of the script of the pages for owners in a language, which reads them from the page. */
export function ownerScriptWords(language: Language) {
  return {
    problems: OWNER_PROBLEM_WORDS[language],
    fields: FIELD_RULES[language],
    urlFaults: URL_FAULTS[language],
    failures: FAILURE_WORDS[language],
    conditions: CONDITION_WORDS[language],
    ...OWN[language],
  };
}
