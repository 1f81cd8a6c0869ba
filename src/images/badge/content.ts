import { hashText } from "../../model/fnv1a.ts";
import { gradeUptime } from "../../model/monitor/pictures.ts";
import type {
  BadgeContent,
  BadgeContents,
  UptimeCount,
  UptimeWindow,
} from "../../model/monitor/monitor.ts";
import { cleanLabel } from "../text/printable-text.ts";

/** Add one after every change of font, colours or shape: then all badges are written again. */
const DESIGN = 1;

export type BadgeLanguage = "ru" | "en";

/** The words on a badge. */
export interface BadgeWords {
  readonly language: BadgeLanguage;
  /** The owner's own label, which is untrusted. If absent or without a printable character, the word for uptime is used. */
  readonly label?: string;
}

const WORDS = {
  ru: { label: "аптайм", noData: "нет данных" },
  en: { label: "uptime", noData: "no data" },
} as const satisfies Record<BadgeLanguage, unknown>;

/** The content of the badges of a monitor, one for each window. Never throws. */
export function looksOf(
  counts: Readonly<Record<UptimeWindow, UptimeCount>>,
  words: BadgeWords,
): BadgeContents {
  const { label, noData } = WORDS[words.language];
  const own = cleanLabel(words.label ?? "");
  const look = (count: UptimeCount): BadgeContent => {
    const { value, tone } = gradeUptime(count);
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
 * A short text that is equal exactly for contents whose documents have equal bytes, apart from collisions of 64 bits: the number of
 * the design, the four messages (a message decides its tone), and the label or 64 bits of its hash.
 */
export function signatureOf(looks: BadgeContents): string {
  const messages = [looks["24h"], looks["7d"], looks["30d"], looks["90d"]].map(
    ({ message }) => message,
  );
  return [DESIGN, ...messages, shorten(looks["30d"].label)].join("|");
}

/** The same for a single badge. */
export function signatureOfBadge({ label, message, tone }: BadgeContent): string {
  return `${DESIGN}|${hashText(JSON.stringify([label, message, tone]))}`;
}

/** The state may have 100,000 signatures, so a label longer than the word for uptime is shortened to 64 bits. */
function shorten(label: string): string {
  return label.length <= 6 ? label : `#${hashText(label)}`;
}
