import { Resvg } from "@resvg/resvg-js";
import type { DrawCard } from "../model/card.ts";
import { drawCardSvg } from "./card-svg.ts";
import { type CardSetter, createCardSetter } from "./card-text.ts";
import { encodePng } from "./png.ts";

/**
 * Draws the pictures of shared links. Equal looks give equal bytes, always; no look makes it fail.
 *
 * @param font bytes of a TrueType font, read at the first card. It rejects when they are none.
 */
export function createCardPainter(font: Uint8Array): DrawCard {
  let setter: Promise<CardSetter> | undefined;
  return async (look) => {
    setter ??= createCardSetter(font);
    const svg = await drawCardSvg(look, await setter);
    // All text is paths: to look for the system's fonts would take most of the time.
    const { width, height, pixels } = new Resvg(svg, { font: { loadSystemFonts: false } }).render();
    return await encodePng({ width, height, rgba: pixels });
  };
}
