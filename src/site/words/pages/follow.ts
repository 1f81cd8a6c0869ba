import type { ByLanguage } from "../by-language.ts";

/**
 * Why a browser takes no notices. `private`: it refuses without asking, as in a private window. `unreachable`: its maker's service does
 * not answer, as often in Russia.
 */
export type PushProblem = "denied" | "private" | "unreachable";

/** Texts of the script that switches notices on and off, which reads them from the page. */
export interface FollowScriptWords {
  readonly turnOn: string;
  readonly turnOff: string;
  readonly isOn: string;
  /** `{count}` services. */
  readonly inAll: string;
  readonly turningOn: string;
  readonly turnedOff: string;
  readonly denied: string;
  readonly private: string;
  readonly unreachable: string;
  readonly unsupported: string;
  readonly apple: string;
  readonly tooMany: string;
  readonly failed: string;
}

/** Texts of «Следить за сервисом». */
export interface FollowWords {
  readonly telegram: string;
  readonly max: string;
  readonly pushHint: string;
  readonly turnAllOff: string;
  readonly script: Omit<FollowScriptWords, "unreachable">;
  /** What to do where the service of the browser's maker does not answer: the channels that there are. */
  readonly unreachable: (channels: readonly string[]) => string;
}

export const FOLLOW_WORDS: ByLanguage<FollowWords> = {
  ru: {
    telegram: "Канал в Telegram",
    max: "Канал в MAX",
    pushHint:
      "Уведомление придёт в этот браузер, когда состояние сервиса изменится. Имя и почта не нужны.",
    turnAllOff: "Отключить для всех сервисов",
    script: {
      turnOn: "Включить уведомления",
      turnOff: "Отключить уведомления",
      isOn: "Уведомления об этом сервисе включены.",
      inAll: "Сервисов с уведомлениями в этом браузере: {count}.",
      turningOn: "Включаем…",
      turnedOff: "Уведомления отключены.",
      denied:
        "Браузер не показывает уведомления этого сайта. Разрешите их в настройках браузера и обновите страницу.",
      private:
        "Браузер отказал, не спросив вас: так бывает в приватном окне. Откройте сайт в обычном.",
      unsupported:
        "Здесь браузер уведомлений не принимает: так бывает в приватном окне и в старых браузерах.",
      apple:
        "На iPhone и iPad уведомления работают только с экрана «Домой». Нажмите «Поделиться», затем «На экран „Домой“», и откройте сайт оттуда.",
      tooMany: "Из вашей сети пришло слишком много запросов. Попробуйте позже.",
      failed: "Наш сервер не ответил. Попробуйте через несколько минут.",
    },
    unreachable: (channels) =>
      `Браузер не связался со своей службой уведомлений. ${channels.length === 0 ? "Подпишитесь на ленту изменений: ссылка ниже." : `Подпишитесь на канал в ${channels.join(" или ")}: ссылка ниже.`}`,
  },
  en: {
    telegram: "Telegram channel",
    max: "MAX channel",
    pushHint:
      "A notification comes to this browser when the state of the service changes. No name or e-mail is needed.",
    turnAllOff: "Turn off for all services",
    script: {
      turnOn: "Turn notifications on",
      turnOff: "Turn notifications off",
      isOn: "Notifications about this service are on.",
      inAll: "Services with notifications in this browser: {count}.",
      turningOn: "Turning on…",
      turnedOff: "Notifications are off.",
      denied:
        "The browser does not show notifications of this site. Allow them in its settings and reload the page.",
      private:
        "The browser refused without asking you, as in a private window. Open the site in an ordinary one.",
      unsupported:
        "The browser takes no notifications here, as in a private window or in an old version.",
      apple:
        "On iPhone and iPad notifications work from the home screen only. Tap Share, then Add to Home Screen, and open the site from there.",
      tooMany: "Too many requests came from your network. Try again later.",
      failed: "Our server did not answer. Try again in a few minutes.",
    },
    unreachable: (channels) =>
      `The browser could not reach its notification service. ${channels.length === 0 ? "Subscribe to the feed of changes: the link is below." : `Subscribe to the channel in ${channels.join(" or ")}: the link is below.`}`,
  },
};
