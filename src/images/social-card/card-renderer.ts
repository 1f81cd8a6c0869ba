import { Resvg } from "@resvg/resvg-js";
import type { DrawCard } from "../../model/monitor/pictures.ts";
import { drawCardSvg } from "./card-svg.ts";
import { type CardSetter, createCardSetter } from "./layout.ts";
import { createPngEncoder, type EncodePng } from "./encode-png.ts";

/**
 * Draws the pictures of shared links, one after the other. Equal contents always give equal bytes; no content makes it fail.
 * @param font bytes of a TrueType font, read at the first card. It rejects if they are invalid.
 * @param freePixels called after each card, when its 6 MB of pixels are unreferenced: see `createYoungCollector`.
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
    // Drawing is bound by the processor: concurrent drawing would only multiply the memory.
    const card = last.then(() => draw(look));
    last = card.catch(() => undefined);
    return card;
  };
}

/** Not async, so that nothing references the pixels while they are encoded. */
function rasterize(svg: string, encode: EncodePng): Promise<Uint8Array> {
  // All text is paths: searching for system fonts would take most of the time.
  const { width, height, pixels } = new Resvg(svg, { font: { loadSystemFonts: false } }).render();
  return encode({ width, height, rgba: pixels });
}
