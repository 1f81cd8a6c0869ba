import { readFile } from "node:fs/promises";
import { badgeKeys, buildBadgeDocuments } from "../images/badge/badge-files.ts";
import { type BadgeLanguage, looksOf, signatureOf } from "../images/badge/content.ts";
import type { BadgeMaker } from "../pipeline/pages/monitor-outputs.ts";
import type { SitePictures } from "../pipeline/pages/social-cards.ts";
import type { Parsed } from "./parse-options.ts";
import { FONT_FILE } from "./shipped-files.ts";
import { createYoungCollector } from "./collect-garbage.ts";

/** Draws badges, and cards for shared links. */
export interface PictureMaker extends BadgeMaker, SitePictures {}

/** Renderers and their font are loaded with the first picture. */
export function createBadgeMaker(language: BadgeLanguage): PictureMaker {
  const loadFont = once(() => readFile(FONT_FILE));
  const openBadges = once(async () => {
    const { createBadgePainter } = await import("../images/badge/badge-renderer.ts");
    return createBadgePainter(await loadFont());
  });
  const openCards = once(async () => {
    const { createCardPainter } = await import("../images/social-card/card-renderer.ts");
    return createCardPainter(await loadFont(), createYoungCollector());
  });
  return {
    looksOf: (counts, { label }) =>
      looksOf(counts, { language, ...(label === undefined ? {} : { label }) }),
    signatureOf,
    keysOf: badgeKeys,
    build: async (id, looks) => buildBadgeDocuments(id, looks, await openBadges()),
    drawCard: async (look) => (await openCards())(look),
    drawBadge: async (content) => (await openBadges()).paint(content),
    language,
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
