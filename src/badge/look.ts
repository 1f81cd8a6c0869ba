import type {
  BadgeLook,
  BadgeLooks,
  BadgeTone,
  UptimeCount,
  UptimeWindow,
} from "../model/monitor.ts";
import { fnv1a } from "../model/fnv.ts";
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

/** From which uptime on, in hundredths of a per cent, a tone applies. Source: docs/badges.md, "Colours". */
const TONES: readonly (readonly [fromHundredths: number, tone: BadgeTone])[] = [
  [9990, "best"],
  [9900, "good"],
  [9700, "fair"],
  [9000, "poor"],
];

/** What the badges of a monitor show, one for each window. Never throws. */
export function looksOf(
  counts: Readonly<Record<UptimeWindow, UptimeCount>>,
  words: BadgeWords,
): BadgeLooks {
  const { label, noData } = WORDS[words.language];
  const own = cleanLabel(words.label ?? "");
  const look = (count: UptimeCount): BadgeLook => ({
    label: own === "" ? label : own,
    ...judge(count, noData),
  });
  return {
    "24h": look(counts["24h"]),
    "7d": look(counts["7d"]),
    "30d": look(counts["30d"]),
    "90d": look(counts["90d"]),
  };
}

/** The value is floored, never rounded up: `100%` means that not one check failed. Source: docs/badges.md, "The value". */
function judge({ decided, healthy }: UptimeCount, noData: string): Omit<BadgeLook, "label"> {
  if (decided <= 0) return { message: noData, tone: "none" };
  if (healthy >= decided) return { message: "100%", tone: "best" };
  // Whole numbers until the end: 0.9998 as a fraction would be a hair less than 99.98 hundredths.
  const hundredths = Math.floor((healthy * 10_000) / decided);
  const tone = TONES.find(([from]) => hundredths >= from)?.[1] ?? "bad";
  const decimals = String(hundredths % 100).padStart(2, "0");
  return { message: `${Math.floor(hundredths / 100)}.${decimals}%`, tone };
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

/** Any other basis makes of one hash of 32 bits a second one. */
const OTHER_BASIS = 0x2f0b4c47;

/** There may be 100,000 of them in the state: what is longer than the word for uptime stands there as 64 bits of it. */
function shorten(label: string): string {
  return label.length <= 6
    ? label
    : `#${fnv1a(label).toString(36)}.${fnv1a(label, OTHER_BASIS).toString(36)}`;
}
