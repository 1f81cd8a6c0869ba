import { inLanguages } from "../../contract/codes/language.ts";
import { describeVerdict } from "./describe-answer.ts";
import { VERDICT_LABELS } from "../../contract/codes/verdict-words.ts";
import type { VerdictCode } from "../../contract/codes/verdict.ts";

/** Texts of the feeds of changes. */
export const FEED_WORDS = inLanguages({
  title: ["Статус сервисов: изменения", "Service status: changes"],
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

/** Texts of the documents in the format of Statuspage. They are English, like the fixed words of that format. */
export const STATUSPAGE_WORDS = {
  indicators: {
    none: "All Systems Operational",
    minor: "Minor Service Outage",
    major: "Partial System Outage",
    critical: "Major Service Outage",
  },
  labelOf: (code: VerdictCode): string => VERDICT_LABELS.en[code],
  explain: (code: VerdictCode): string => describeVerdict({ code, sign: "unnamed" }, "en"),
  /** The end of an incident whose service has left the catalogue. */
  gone: "No longer checked. The service has left this page; how it is now is not known.",
} as const;
