import type { ByLanguage } from "./by-language.ts";

/** Texts of the feeds of changes. */
export interface FeedWords {
  /** Title of the feed of all services. */
  readonly title: string;
  /** Title of the feed of one service. */
  readonly titleOf: (name: string) => string;
  /** Takes the labels before and after the change. */
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
    titleOf: (name) => `${name}: status changes`,
    changed: (before, now) => `Before: “${before}”. After: “${now}”.`,
  },
};
