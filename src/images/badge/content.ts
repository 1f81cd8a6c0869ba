import type { Language } from "../../contract/codes/language.ts";
import { hashText } from "../../model/fnv1a.ts";
import { gradeUptime } from "../../model/monitor/pictures.ts";
import {
  type BadgeContent,
  type BadgeContents,
  type UptimeCount,
  type UptimeWindow,
  BADGE_WINDOW,
  byWindow,
  UPTIME_WINDOWS,
} from "../../model/monitor/monitor.ts";
import { cleanLabel } from "../text/printable-text.ts";
import { type Document, toDocument } from "../../model/service/snapshot.ts";
import type { BadgePicture, PaintBadge } from "./badge-renderer.ts";

/** Add one after every change of font, colours or shape: then all badges are written again. */
const DESIGN = 1;

export interface BadgeWords {
  readonly language: Language;
  /** The owner's own label, which is untrusted. If absent or without a printable character, the word for uptime is used. */
  readonly label?: string;
}

const WORDS = {
  ru: { label: "аптайм", noData: "нет данных" },
  en: { label: "uptime", noData: "no data" },
} as const satisfies Record<Language, unknown>;

/** The content of the badges of a monitor, one for each window. Never throws. */
export function looksOf(
  counts: Readonly<Record<UptimeWindow, UptimeCount>>,
  words: BadgeWords,
): BadgeContents {
  const { label, noData } = WORDS[words.language];
  const own = cleanLabel(words.label ?? "");
  return byWindow((window) => {
    const { value, tone } = gradeUptime(counts[window]);
    return { label: own === "" ? label : own, message: value ?? noData, tone };
  });
}

/** Equal exactly for contents whose documents have equal bytes, but for collisions of 64 bits. A message decides its tone. */
export function signatureOf(looks: BadgeContents): string {
  const messages = UPTIME_WINDOWS.map((window) => looks[window].message);
  const { label } = looks["30d"];
  // The state may have 100,000 signatures, so a label longer than the word for uptime is shortened to 64 bits.
  const shortened = label.length <= 6 ? label : `#${hashText(label)}`;
  return [DESIGN, ...messages, shortened].join("|");
}

/** The same for a single badge. */
export function signatureOfBadge({ label, message, tone }: BadgeContent): string {
  return `${DESIGN}|${hashText(JSON.stringify([label, message, tone]))}`;
}

type BodyOf = (picture: BadgePicture) => Uint8Array;

const asSvg: BodyOf = ({ svg }) => svg;

/** In the order of their publication. The window of `badge.svg` has no second name. */
const FILES: readonly (readonly [name: string, UptimeWindow, BodyOf])[] = [
  ["badge.svg", BADGE_WINDOW, asSvg],
  ["badge.png", BADGE_WINDOW, (picture) => picture.png()],
  ["badge.json", BADGE_WINDOW, ({ json }) => json],
  ["badge-24h.svg", "24h", asSvg],
  ["badge-7d.svg", "7d", asSvg],
  ["badge-90d.svg", "90d", asSvg],
];

/** Keys of the six objects of a monitor: they exist exactly while its page is public. */
export function badgeKeys(id: string): readonly string[] {
  return FILES.map(([name]) => `api/m/${id}/${name}`);
}

/** The six documents of a monitor, under `badgeKeys(id)` in that order. Rejects only if the painter does. */
export async function buildBadgeDocuments(
  id: string,
  looks: BadgeContents,
  paint: PaintBadge,
): Promise<readonly Document[]> {
  return await Promise.all(
    FILES.map(async ([name, window, bodyOf]) =>
      toDocument(`api/m/${id}/${name}`, bodyOf(await paint(looks[window]))),
    ),
  );
}
