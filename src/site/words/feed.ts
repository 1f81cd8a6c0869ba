import type { ByLanguage } from "./by-language.ts";

/** Words of the feeds of changes. */
export interface FeedWords {
  /** Of the feed of all services. */
  readonly title: string;
  /** Of the feed of one service. */
  readonly titleOf: (name: string) => string;
  /** From one label to the other. */
  readonly changed: (before: string, now: string) => string;
}

export const FEED_WORDS: ByLanguage<FeedWords> = {
  ru: {
    title: "Статус сервисов: изменения",
    titleOf: (name) => `${name}: изменения статуса`,
    changed: (before, now) => `Было: «${before}». Стало: «${now}».`,
  },
  en: {
    title: "Service status: changes",
    titleOf: (name) => `${name}: changes of status`,
    changed: (before, now) => `Before: “${before}”. Now: “${now}”.`,
  },
};
