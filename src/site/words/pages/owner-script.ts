import type { MonitorWarning } from "../../../model/monitor/monitor.ts";
import { CONDITION_WORDS, WARNING_WORDS } from "./monitor-page.ts";
import type { OwnerChannel } from "../../../model/monitor/owner-channel.ts";
import type { OwnerProblem } from "../../../model/monitor/problems.ts";
import type { MonitorCondition } from "../../../model/monitor/uptime.ts";
import type { FailureCode } from "../../../model/probe-outcome.ts";
import type { ByLanguage } from "../by-language.ts";
import type { PushProblem } from "./follow.ts";
import { FAILURE_WORDS } from "../failure.ts";
import type { Language } from "../language.ts";
import {
  FIELD_RULES,
  OWNER_PROBLEM_WORDS,
  type OwnerField,
  URL_FAULTS,
  type UrlFault,
} from "../owner-problem.ts";

/** The state of a monitor as its owner sees it; `candidate`: a new key waits for its proof. */
export type OwnerStatus =
  | "pending"
  | "proved"
  | "lost"
  | "dormant"
  | "refused"
  | "removed"
  | "expired"
  | "candidate";

/** Texts of the script of the pages for owners, which reads them from the page. */
export interface OwnerScriptWords {
  readonly problems: Readonly<Record<OwnerProblem, string>>;
  readonly fields: Readonly<Record<OwnerField, string>>;
  /** Of the field of the address; `{port}`. */
  readonly urlFaults: Readonly<Record<UrlFault, string>>;
  readonly failures: Readonly<Record<FailureCode, string>>;
  readonly conditions: Readonly<Record<MonitorCondition, string>>;
  readonly statuses: Readonly<Record<OwnerStatus, string>>;
  /** What each status means; `{date}` is when something ends. */
  readonly explanations: Readonly<Record<OwnerStatus, string>>;
  readonly denied: string;
  readonly blocked: string;
  readonly offline: string;
  readonly sending: string;
  readonly looking: string;
  /** `{seconds}` until a look is possible again. */
  readonly wait: string;
  readonly notFound: string;
  readonly found: string;
  readonly absent: Readonly<Record<"file" | "dns" | "meta", string>>;
  /** `{text}`: what is there. */
  readonly other: Readonly<Record<"file" | "dns" | "meta", string>>;
  /** `{status}` of HTTP. */
  readonly httpStatus: string;
  /** `{host}` of a redirect. */
  readonly elsewhere: string;
  /** `{why}`. */
  readonly failed: string;
  readonly deniedLook: string;
  readonly saved: string;
  readonly moving: string;
  readonly pressAgain: string;
  readonly removed: string;
  readonly checkedNever: string;
  /** `{condition}`, `{uptime}`. */
  readonly checked: string;
  readonly warnings: Readonly<Record<MonitorWarning, string>>;
  readonly notAnAddress: string;
  /** `{to}`. */
  readonly channels: Readonly<Record<OwnerChannel["kind"], string>>;
  /** `{date}`. */
  readonly channelStopped: string;
  readonly removeChannel: string;
  readonly channelRemoved: string;
  readonly webhookAdded: string;
  readonly webhookRule: string;
  readonly pushAdded: string;
  readonly pushProblems: Readonly<Record<PushProblem, string>>;
}

const OWN: ByLanguage<
  Omit<OwnerScriptWords, "problems" | "fields" | "urlFaults" | "failures" | "conditions">
> = {
  ru: {
    statuses: {
      pending: "Ждёт подтверждения",
      proved: "Подтверждён",
      lost: "Подтверждение пропало",
      dormant: "Страница отключена",
      refused: "Не принимается",
      removed: "Удалён",
      expired: "Срок вышел",
      candidate: "Новая ссылка ждёт подтверждения",
    },
    explanations: {
      pending: "Пока вы не подтвердите, что сайт ваш, мы его не проверяем. Время есть до {date}.",
      proved:
        "Сайт проверяется из Москвы каждые 5 минут. Подтверждение мы ищем раз в месяц: не убирайте его.",
      lost: "Мы не нашли подтверждение на прежнем месте. Верните его до {date}, иначе страница и значок исчезнут.",
      dormant:
        "Подтверждения давно нет, страница и значок отключены. Верните его до {date}, и всё продолжится.",
      refused: "Сайт не проверяется.",
      removed: "Страница и значок исчезли. Восстановить монитор можно до {date}.",
      expired: "Сайт не подтвердили вовремя. Добавьте его ещё раз.",
      candidate: "Подтвердите, что сайт ваш, и эта ссылка заменит прежнюю. Время есть до {date}.",
    },
    denied: "Владелец домена запретил проверки записью в DNS.",
    blocked: "Этот сайт отключил оператор.",
    offline: "Не получается связаться с сервером. Проверьте, есть ли интернет.",
    sending: "Отправляем…",
    looking: "Ищем подтверждение…",
    wait: "Следующая проверка через {seconds} с",
    notFound: "Пока не нашли. Мы смотрим сами каждые 5 минут; страницу можно закрыть.",
    found: "найдено",
    absent: {
      file: "файла нет",
      dns: "такой записи нет",
      meta: "на странице нет этого тега в <head>",
    },
    other: {
      file: "в файле другое: «{text}»",
      dns: "в записи другое: «{text}»",
      meta: "в теге другое: «{text}»",
    },
    httpStatus: "(ответ {status})",
    elsewhere: "перенаправляет на {host}, а это другой домен",
    failed: "не прочитать: {why}",
    deniedLook: "Владелец домена запретил проверки записью в DNS. Мы больше не обращаемся к сайту.",
    saved: "Сохранено.",
    moving: "Сохранено. Новый адрес начнёт проверяться, когда вы подтвердите и его.",
    pressAgain: "Нажмите ещё раз, чтобы удалить",
    removed: "Удалено.",
    checkedNever: "Ещё не проверялся: первая проверка будет в течение пяти минут.",
    checked: "{condition}. Доступность за 30 дней: {uptime}.",
    warnings: WARNING_WORDS.ru,
    notAnAddress: "Это не похоже ни на ссылку управления, ни на адрес значка или страницы.",
    channels: { webhook: "Вебхук {to}", push: "Браузер (через {to})" },
    channelStopped: "(не отвечает, отключён {date})",
    removeChannel: "Убрать",
    channelRemoved: "Убрали: больше туда не пишем.",
    webhookAdded: "Добавили. Через минуту придёт первое сообщение, проверочное.",
    webhookRule: "Нужен адрес, который начинается с https:// и открыт из интернета.",
    pushAdded: "Готово. Через минуту придёт первое уведомление, проверочное.",
    pushProblems: {
      denied: "Браузер не разрешил уведомления. Разрешите их в настройках этой страницы.",
      private:
        "Браузер отказал, не спросив вас: так бывает в приватном окне. Откройте страницу в обычном.",
      unreachable:
        "Браузер не связался со своей службой уведомлений. Добавьте вебхук или попробуйте другой браузер.",
    },
  },
  en: {
    statuses: {
      pending: "Waits for its proof",
      proved: "Proved",
      lost: "The proof is gone",
      dormant: "The page is off",
      refused: "Not accepted",
      removed: "Removed",
      expired: "Out of time",
      candidate: "A new link waits for its proof",
    },
    explanations: {
      pending:
        "We do not check the site before you prove that it is yours. There is time until {date}.",
      proved:
        "The site is checked from Moscow every 5 minutes. We look for the proof once a month: leave it in place.",
      lost: "We did not find the proof in its place. Put it back by {date}, or the page and the badge will go.",
      dormant:
        "The proof has been gone for long, so the page and the badge are off. Put it back by {date}, and all goes on.",
      refused: "The site is not checked.",
      removed: "The page and the badge are gone. The monitor can be restored until {date}.",
      expired: "The site was not proved in time. Add it again.",
      candidate:
        "Prove that the site is yours, and this link replaces the old one. There is time until {date}.",
    },
    denied: "The owner of the domain has refused checks by a record in DNS.",
    blocked: "The operator has blocked this site.",
    offline: "The server cannot be reached. Check your internet connection.",
    sending: "Sending…",
    looking: "Looking for the proof…",
    wait: "The next look is possible in {seconds} s",
    notFound: "Not found yet. We look ourselves every 5 minutes; you can close the page.",
    found: "found",
    absent: {
      file: "there is no such file",
      dns: "there is no such record",
      meta: "the page has no such tag in its <head>",
    },
    other: {
      file: "the file has something else: “{text}”",
      dns: "the record has something else: “{text}”",
      meta: "the tag has something else: “{text}”",
    },
    httpStatus: "(status {status})",
    elsewhere: "redirects to {host}, which is another domain",
    failed: "cannot be read: {why}",
    deniedLook:
      "The owner of the domain has refused checks by a record in DNS. We leave the site alone.",
    saved: "Saved.",
    moving: "Saved. The new address will be checked once you have proved it, too.",
    pressAgain: "Press again to remove",
    removed: "Removed.",
    checkedNever: "Not checked yet: the first check comes within five minutes.",
    checked: "{condition}. Uptime of 30 days: {uptime}.",
    warnings: WARNING_WORDS.en,
    notAnAddress:
      "That looks neither like a manage link nor like the address of a badge or a page.",
    channels: { webhook: "Webhook {to}", push: "Browser (through {to})" },
    channelStopped: "(does not answer, off since {date})",
    removeChannel: "Remove",
    channelRemoved: "Removed: nothing more is sent there.",
    webhookAdded: "Added. The first message, a test, comes within a minute.",
    webhookRule: "It has to be an address that begins with https:// and is open to the internet.",
    pushAdded: "Done. The first notice, a test, comes within a minute.",
    pushProblems: {
      denied: "The browser does not allow notices. Allow them in the settings of this page.",
      private:
        "The browser refused without asking you, as in a private window. Open the page in an ordinary one.",
      unreachable:
        "The browser could not reach its notification service. Add a webhook, or try another browser.",
    },
  },
};

/** All texts of the script in a language. */
export function ownerScriptWords(language: Language): OwnerScriptWords {
  return {
    problems: OWNER_PROBLEM_WORDS[language],
    fields: FIELD_RULES[language],
    urlFaults: URL_FAULTS[language],
    failures: FAILURE_WORDS[language],
    conditions: CONDITION_WORDS[language],
    ...OWN[language],
  };
}
