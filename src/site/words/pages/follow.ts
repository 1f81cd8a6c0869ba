import { inLanguages } from "../../../contract/codes/language.ts";

/**
 * Why a browser takes no notices. `private`: it refuses without asking, as in a private window. `unreachable`: its maker's service does
 * not answer, as often in Russia.
 */
export type PushProblem = "denied" | "private" | "unreachable";

/** Texts of the script that switches notices on and off, which reads them from the page. */
export type FollowScriptWords = (typeof FOLLOW_WORDS)["ru"]["script"] & {
  readonly unreachable: string;
};

/** Texts of «Следить за сервисом». */
export const FOLLOW_WORDS = inLanguages({
  telegram: ["Канал в Telegram", "Telegram channel"],
  max: ["Канал в MAX", "MAX channel"],
  pushHint: [
    "Уведомление придёт в этот браузер, когда состояние сервиса изменится. Имя и почта не нужны.",
    "A notification comes to this browser when the state of the service changes. No name or e-mail is needed.",
  ],
  turnAllOff: ["Отключить для всех сервисов", "Turn off for all services"],
  script: {
    turnOn: ["Включить уведомления", "Turn notifications on"],
    turnOff: ["Отключить уведомления", "Turn notifications off"],
    isOn: ["Уведомления об этом сервисе включены.", "Notifications about this service are on."],
    inAll: [
      "Сервисов с уведомлениями в этом браузере: {count}.",
      "Services with notifications in this browser: {count}.",
    ],
    turningOn: ["Включаем…", "Turning on…"],
    turnedOff: ["Уведомления отключены.", "Notifications are off."],
    denied: [
      "Браузер не показывает уведомления этого сайта. Разрешите их в настройках браузера и обновите страницу.",
      "The browser does not show notifications of this site. Allow them in its settings and reload the page.",
    ],
    private: [
      "Браузер отказал, не спросив вас: так бывает в приватном окне. Откройте сайт в обычном.",
      "The browser refused without asking you, as in a private window. Open the site in an ordinary one.",
    ],
    unsupported: [
      "Здесь браузер уведомлений не принимает: так бывает в приватном окне и в старых браузерах.",
      "The browser takes no notifications here, as in a private window or in an old version.",
    ],
    apple: [
      "На iPhone и iPad уведомления работают только с экрана «Домой». Нажмите «Поделиться», затем «На экран „Домой“», и откройте сайт оттуда.",
      "On iPhone and iPad notifications work from the home screen only. Tap Share, then Add to Home Screen, and open the site from there.",
    ],
    tooMany: [
      "Из вашей сети пришло слишком много запросов. Попробуйте позже.",
      "Too many requests came from your network. Try again later.",
    ],
    failed: [
      "Наш сервер не ответил. Попробуйте через несколько минут.",
      "Our server did not answer. Try again in a few minutes.",
    ],
  },
  /** What to do where the service of the browser's maker does not answer: the channels that there are. */
  unreachable: [
    (channels: readonly string[]) =>
      `Браузер не связался со своей службой уведомлений. ${channels.length === 0 ? "Подпишитесь на ленту изменений: ссылка ниже." : `Подпишитесь на канал в ${channels.join(" или ")}: ссылка ниже.`}`,
    (channels: readonly string[]) =>
      `The browser could not reach its notification service. ${channels.length === 0 ? "Subscribe to the feed of changes: the link is below." : `Subscribe to the channel in ${channels.join(" or ")}: the link is below.`}`,
  ],
});
