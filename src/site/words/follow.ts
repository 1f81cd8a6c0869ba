import type { ByLanguage } from "./by-language.ts";

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
  readonly script: FollowScriptWords;
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
      apple:
        "На iPhone и iPad уведомления работают только с экрана «Домой». Нажмите «Поделиться», затем «На экран „Домой“», и откройте сайт оттуда.",
      tooMany: "Из вашей сети пришло слишком много запросов. Попробуйте позже.",
      failed: "Сейчас не получается. Попробуйте через несколько минут.",
    },
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
      apple:
        "On iPhone and iPad notifications work from the home screen only. Tap Share, then Add to Home Screen, and open the site from there.",
      tooMany: "Too many requests came from your network. Try again later.",
      failed: "This is not possible now. Try again in a few minutes.",
    },
  },
};
