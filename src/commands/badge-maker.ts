import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { badgeKeys, buildBadgeDocuments } from "../badge/documents.ts";
import { type BadgeLanguage, looksOf, signatureOf } from "../badge/look.ts";
import type { BadgePainter } from "../badge/painter.ts";
import type { BadgeMaker } from "../monitor-badges.ts";
import type { Parsed } from "./settings.ts";

/** The font of the badges, Latin and Cyrillic in one file. Ships with the program. */
const FONT_FILE = fileURLToPath(new URL("../../fonts/Inter-Medium.ttf", import.meta.url));

/** Badges in a language. The painter and its font are loaded when the first badge has to be drawn. */
export function createBadgeMaker(language: BadgeLanguage): BadgeMaker {
  let painter: Promise<BadgePainter> | undefined;
  return {
    looksOf: (counts, { label }) =>
      looksOf(counts, { language, ...(label === undefined ? {} : { label }) }),
    signatureOf,
    keysOf: badgeKeys,
    build: async (id, looks) => {
      painter ??= openPainter();
      return buildBadgeDocuments(id, looks, await painter);
    },
  };
}

async function openPainter(): Promise<BadgePainter> {
  const { createBadgePainter } = await import("../badge/painter.ts");
  return createBadgePainter(await readFile(FONT_FILE));
}

/** `ru` or `en`. */
export function parseBadgeLanguage(text: string): Parsed<BadgeLanguage> {
  if (text === "ru" || text === "en") return { value: text };
  return { problem: `--badge-language ${text}: give ru or en.` };
}
