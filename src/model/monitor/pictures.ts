import { type BadgeTone, byWindow, type UptimeCount, type UptimeWindow } from "./monitor.ts";
import { hashText } from "../fnv1a.ts";
import type { Color } from "../../contract/codes/verdict.ts";

/** The lowest uptime of each tone, in hundredths of a per cent. Source: docs/monitors/badges.md, "Colours". */
const TONES: readonly (readonly [fromHundredths: number, tone: BadgeTone])[] = [
  [9990, "best"],
  [9900, "good"],
  [9700, "fair"],
  [9000, "poor"],
];

export interface UptimeGrade {
  /** `99.98%`; null: no decided check. */
  readonly value: string | null;
  readonly tone: BadgeTone;
}

/** The value is never rounded up: `100%` means that no check failed. Source: docs/monitors/badges.md, "The value". */
export function gradeUptime({ decided, healthy }: UptimeCount): UptimeGrade {
  if (decided <= 0) return { value: null, tone: "none" };
  if (healthy >= decided) return { value: "100%", tone: "best" };
  // Integers: with floating-point fractions, the floor could be one hundredth too low.
  const hundredths = Math.floor((healthy * 10_000) / decided);
  const tone = TONES.find(([from]) => hundredths >= from)?.[1] ?? "bad";
  const decimals = String(hundredths % 100).padStart(2, "0");
  return { value: `${Math.floor(hundredths / 100)}.${decimals}%`, tone };
}

/** The grade of each window. */
export function gradeUptimes(
  uptimes: Readonly<Record<UptimeWindow, UptimeCount>>,
): Readonly<Record<UptimeWindow, UptimeGrade>> {
  return byWindow((window) => gradeUptime(uptimes[window]));
}

/** The content of the preview image of a shared link: equal content gives equal bytes. */
export interface CardContent {
  /** Name of the service or monitor; the name of a monitor is hostile input. */
  readonly title: string;
  /** The status, in Russian. */
  readonly label: string;
  /** Since when, below it; absent: the status has no start. */
  readonly since?: string;
  /** Status and start in English, smaller. */
  readonly sublabel: string;
  readonly color: Color;
  /** Host of the website. */
  readonly site: string;
}

/** Add one after every change of font, colours or shape: then all cards are written again. */
const CARD_DESIGN = 3;

/** A short text that is equal exactly for contents whose cards have equal bytes, apart from collisions. */
export function signatureOfCard(content: CardContent): string {
  const { title, label, since, sublabel, color, site } = content;
  // As JSON, so that no title can imitate another title with a label.
  return `${CARD_DESIGN}|${hashText(JSON.stringify([title, label, since, sublabel, color, site]))}`;
}

/** Renders a card as PNG, 1200 × 630 pixels. */
export type DrawCard = (content: CardContent) => Promise<Uint8Array>;
