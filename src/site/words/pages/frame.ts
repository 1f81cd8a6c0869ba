import { inLanguages } from "../../../contract/codes/language.ts";

/** Source of the two sentences of `estimate`: the API, "What the service does" and "Limits". */
export const FRAME_WORDS = inLanguages({
  siteName: ["Статус сервисов", "Service status"],
  skip: ["К содержанию", "Skip to content"],
  navigation: ["Разделы сайта", "Sections of the site"],
  services: ["Сервисы", "Services"],
  api: ["API", "API"],
  about: ["Как это работает", "How it works"],
  accuracy: ["Как часто мы ошибаемся", "How often we are wrong"],
  otherLanguage: ["English", "Русский"],
  estimate: [
    "Это оценка, а не официальная позиция сервисов. Не принимайте по ней решений, от которых зависят деньги или безопасность.",
    "This is an estimate, not the official position of the services. Do not use it for decisions on which money or safety depends.",
  ],
  linkBack: [
    "Показываете эти данные у себя? Поставьте, пожалуйста, ссылку на нас.",
    "Showing this data on your own site? Please link to us.",
  ],
  program: [
    "Работает на свободной программе status-snapshot.",
    "Runs on the free software status-snapshot.",
  ],
  feed: ["Лента изменений (Atom)", "Feed of changes (Atom)"],
  /** The mark of a current outage or spike. */
  live: ["сейчас", "now"],
  /** Text alternative of the picture with the time of the last run. */
  checked: ["Время последней проверки", "Time of the last check"],
  lastCheck: ["Последняя проверка:", "Last check:"],
  elsewhere: [
    "Этот сайт проверяет сервисы не из Москвы и не говорит, открываются ли они в России. Откуда он проверяет:",
    "This site does not check from Moscow, and does not say whether services open in Russia. It checks from:",
  ],
  vantage: [
    "Узел в Москве проверяет сервисы каждые 5 минут.",
    "A probe in Moscow checks the services every 5 minutes.",
  ],
});
