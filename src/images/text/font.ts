import satori, { type SatoriOptions } from "satori";
import { readCoverage } from "./font-coverage.ts";
import type { Outline } from "./glyph-path.ts";
import { readPath } from "./parse-svg-path.ts";

/** Space for the widest line, relative to the size of the text: more than 120 wide letters. */
const ROOM_WIDTHS = 400;

/** A font for drawing texts. */
export interface Lettering {
  /** Whether the font has a glyph for a code point. */
  readonly hasGlyph: (codePoint: number) => boolean;
  /**
   * One line as satori draws it, in whole units. Satori chooses its height on the page; the position of an "H" shows it.
   * @param text must be drawable: see `drawableText`.
   * @param size units of the em square.
   */
  readonly setLine: (text: string, size: number) => Promise<Outline>;
}

/** Badges and cards use the same bytes, which take some 20 ms to parse. */
const known = new WeakMap<Uint8Array, Lettering>();

/** @param font bytes of a TrueType font, read once. Throws, or `setLine` rejects, if it is invalid. */
export function openLettering(font: Uint8Array): Lettering {
  const lettering = known.get(font) ?? readLettering(font);
  known.set(font, lettering);
  return lettering;
}

function readLettering(font: Uint8Array): Lettering {
  const hasGlyph = readCoverage(font);
  const data = Uint8Array.from(font).buffer;
  // Satori parses a font once for each list object, so it always gets this one.
  const fonts: SatoriOptions["fonts"] = [{ name: "badge", data, weight: 500, style: "normal" }];
  return {
    hasGlyph,
    setLine: (text, size) =>
      layOut(text, size, { width: ROOM_WIDTHS * size, height: 2 * size, fonts }),
  };
}

/** Satori cannot load anything for this text: it is plain and has no missing glyphs. */
async function layOut(text: string, fontSize: number, options: SatoriOptions): Promise<Outline> {
  const style = { display: "flex", fontSize, whiteSpace: "pre", color: "#fff" };
  const svg = await satori({ type: "div", props: { style, children: text } }, options);
  return Array.from(svg.matchAll(/<path\b[^>]*?\sd="([^"]*)"/gu)).flatMap(([, data = ""]) =>
    readPath(data),
  );
}
