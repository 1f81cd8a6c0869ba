import { hashText } from "../model/fnv.ts";
import { judgeUptime } from "../model/judge-uptime.ts";
import type { BadgeLook, BadgeLooks, UptimeCount, UptimeWindow } from "../model/monitor.ts";
import { cleanLabel } from "./label.ts";

/** Counts one up with every change of font, colours or shape: it makes all badges be written again. */
const DESIGN = 1;

export type BadgeLanguage = "ru" | "en";

/** The words on a badge. */
export interface BadgeWords {
  readonly language: BadgeLanguage;
  /** The owner's own label, hostile. Absent, or nothing printable in it: the word for uptime. */
  readonly label?: string;
}

const WORDS = {
  ru: { label: "аптайм", noData: "нет данных" },
  en: { label: "uptime", noData: "no data" },
} as const satisfies Record<BadgeLanguage, unknown>;

/** What the badges of a monitor show, one for each window. Never throws. */
export function looksOf(
  counts: Readonly<Record<UptimeWindow, UptimeCount>>,
  words: BadgeWords,
): BadgeLooks {
  const { label, noData } = WORDS[words.language];
  const own = cleanLabel(words.label ?? "");
  const look = (count: UptimeCount): BadgeLook => {
    const { value, tone } = judgeUptime(count);
    return { label: own === "" ? label : own, message: value ?? noData, tone };
  };
  return {
    "24h": look(counts["24h"]),
    "7d": look(counts["7d"]),
    "30d": look(counts["30d"]),
    "90d": look(counts["90d"]),
  };
}

/**
 * A short text that is equal for looks whose documents have equal bytes, and for no others that anybody will meet: the design's
 * number, the four messages (a message decides its tone), and the label, or 64 bits that stand for it.
 */
export function signatureOf(looks: BadgeLooks): string {
  const messages = [looks["24h"], looks["7d"], looks["30d"], looks["90d"]].map(
    ({ message }) => message,
  );
  return [DESIGN, ...messages, shorten(looks["30d"].label)].join("|");
}

/** There may be 100,000 of them in the state: what is longer than the word for uptime stands there as 64 bits of it. */
function shorten(label: string): string {
  return label.length <= 6 ? label : `#${hashText(label)}`;
}
