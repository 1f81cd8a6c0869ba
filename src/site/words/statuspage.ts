import { describeVerdict } from "./describe-answer.ts";
import { VERDICT_LABELS } from "../../contract/codes/verdict-words.ts";
import type { VerdictCode } from "../../contract/codes/verdict.ts";

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
