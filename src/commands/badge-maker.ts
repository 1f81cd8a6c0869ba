import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { badgeKeys, buildBadgeDocuments } from "../badge/documents.ts";
import { type BadgeLanguage, looksOf, signatureOf } from "../badge/look.ts";
import type { DrawCard } from "../model/card.ts";
import type { BadgeMaker } from "../monitor-parts.ts";
import type { Parsed } from "./settings.ts";
import { createYoungCollector } from "./young-collector.ts";

/** The font of the badges, Latin and Cyrillic in one file. Ships with the program. */
const FONT_FILE = fileURLToPath(new URL("../../fonts/Inter-Medium.ttf", import.meta.url));

/** Badges, and cards for shared links. */
export interface PictureMaker extends BadgeMaker {
  readonly drawCard: DrawCard;
}

/** Badges in a language, and cards. Painters and their font are loaded when the first picture has to be drawn. */
export function createBadgeMaker(language: BadgeLanguage): PictureMaker {
  const loadFont = once(() => readFile(FONT_FILE));
  const openBadges = once(async () => {
    const { createBadgePainter } = await import("../badge/painter.ts");
    return createBadgePainter(await loadFont());
  });
  const openCards = once(async () => {
    const { createCardPainter } = await import("../badge/card.ts");
    return createCardPainter(await loadFont(), createYoungCollector());
  });
  return {
    looksOf: (counts, { label }) =>
      looksOf(counts, { language, ...(label === undefined ? {} : { label }) }),
    signatureOf,
    keysOf: badgeKeys,
    build: async (id, looks) => buildBadgeDocuments(id, looks, await openBadges()),
    drawCard: async (look) => (await openCards())(look),
  };
}

function once<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loaded: Promise<Value> | undefined;
  return () => (loaded ??= load());
}

/** `ru` or `en`. */
export function parseBadgeLanguage(text: string): Parsed<BadgeLanguage> {
  if (text === "ru" || text === "en") return { value: text };
  return { problem: `--badge-language ${text}: give ru or en.` };
}
