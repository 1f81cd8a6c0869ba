import type { Language } from "../language.ts";
import type { ByLanguage } from "../by-language.ts";

/** Texts on every page. */
export interface FrameWords {
  readonly siteName: string;
  readonly skip: string;
  readonly navigation: string;
  readonly services: string;
  readonly api: string;
  readonly about: string;
  readonly accuracy: string;
  /** Name of the other language, in that language. */
  readonly otherLanguage: string;
  readonly estimate: string;
  readonly linkBack: string;
  readonly program: string;
  readonly feed: string;
  /** Text alternative of the picture with the time of the last run. */
  readonly checked: string;
  readonly lastCheck: string;
  readonly vantage: string;
}

/** Source of the two sentences of `estimate`: the API, "What the service does" and "Limits". */
export const FRAME_WORDS: ByLanguage<FrameWords> = {
  ru: {
    siteName: "Статус сервисов",
    skip: "К содержанию",
    navigation: "Разделы сайта",
    services: "Сервисы",
    api: "API",
    about: "Как это работает",
    accuracy: "Как часто мы ошибаемся",
    otherLanguage: "English",
    estimate:
      "Это оценка, а не официальная позиция сервисов. Не принимайте по ней решений, от которых зависят деньги или безопасность.",
    linkBack: "Показываете эти данные у себя? Поставьте, пожалуйста, ссылку на нас.",
    program: "Работает на свободной программе status-snapshot.",
    feed: "Лента изменений (Atom)",
    checked: "Время последней проверки",
    lastCheck: "Последняя проверка:",
    vantage: "Узел в Москве проверяет сервисы каждые 5 минут.",
  },
  en: {
    siteName: "Service status",
    skip: "Skip to content",
    navigation: "Sections of the site",
    services: "Services",
    api: "API",
    about: "How it works",
    accuracy: "How often we are wrong",
    otherLanguage: "Русский",
    estimate:
      "This is an estimate, not the official position of the services. Do not use it for decisions on which money or safety depends.",
    linkBack: "Showing this data on your own site? Please link to us.",
    program: "Runs on the free software status-snapshot.",
    feed: "Feed of changes (Atom)",
    checked: "Time of the last check",
    lastCheck: "Last check:",
    vantage: "A probe in Moscow checks the services every 5 minutes.",
  },
};

/** The language that a page is not in. */
export function otherLanguage(language: Language): Language {
  return language === "ru" ? "en" : "ru";
}
