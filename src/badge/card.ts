import { Resvg } from "@resvg/resvg-js";
import type { DrawCard } from "../model/card.ts";
import { drawCardSvg } from "./card-svg.ts";
import { type CardSetter, createCardSetter } from "./card-text.ts";
import { createPngEncoder, type EncodePng } from "./png.ts";

/**
 * Draws the pictures of shared links, one after the other. Equal looks give equal bytes, always; no look makes it fail.
 *
 * @param font bytes of a TrueType font, read at the first card. It rejects when they are none.
 * @param freePixels called after each card, when nothing holds its 6 MB of pixels any more: see `createYoungCollector`.
 */
export function createCardPainter(
  font: Uint8Array,
  freePixels: () => void = () => undefined,
): DrawCard {
  let setter: Promise<CardSetter> | undefined;
  const encode = createPngEncoder();
  let last: Promise<unknown> = Promise.resolve();
  const draw: DrawCard = async (look) => {
    setter ??= createCardSetter(font);
    const svg = await drawCardSvg(look, await setter);
    const png = await rasterize(svg, encode);
    freePixels();
    return png;
  };
  return (look) => {
    // Drawing keeps the processor busy either way: several at once would only hold several times the memory.
    const card = last.then(() => draw(look));
    last = card.catch(() => undefined);
    return card;
  };
}

/** Not async, so that nothing holds the pixels while they are packed. */
function rasterize(svg: string, encode: EncodePng): Promise<Uint8Array> {
  // All text is paths: to look for the system's fonts would take most of the time.
  const { width, height, pixels } = new Resvg(svg, { font: { loadSystemFonts: false } }).render();
  return encode({ width, height, rgba: pixels });
}
