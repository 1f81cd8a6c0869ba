import { inLanguages } from "./language.ts";

export const FEED_WORDS = inLanguages({
  /** Title of the feed of all services. */
  title: ["Статус сервисов: изменения", "Service status: changes"],
  /** Title of the feed of one service. */
  titleOf: [
    (name: string) => `${name}: изменения статуса`,
    (name: string) => `${name}: status changes`,
  ],
  /** Takes the labels before and after the change. */
  changed: [
    (before: string, now: string) => `Было: «${before}». Стало: «${now}».`,
    (before: string, now: string) => `Before: “${before}”. After: “${now}”.`,
  ],
});
