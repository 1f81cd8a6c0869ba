import satori, { type SatoriOptions } from "satori";
import { readCoverage } from "./coverage.ts";
import type { Outline } from "./outline.ts";
import { readPath } from "./read-path.ts";

/** Room for the widest line, in sizes of the text: 120 wide letters, and more. */
const ROOM_WIDTHS = 400;

/** A font that texts can be drawn with. */
export interface Lettering {
  /** Whether the font has a glyph for a code point. */
  readonly hasGlyph: (codePoint: number) => boolean;
  /**
   * One line as satori draws it, in whole units. Its height on the page is satori's own: see where an "H" stands.
   * @param text has to be drawable: see `drawableText`.
   * @param size units of the em square.
   */
  readonly setLine: (text: string, size: number) => Promise<Outline>;
}

/** Badges and cards use the same bytes, which cost some 20 ms to read. */
const known = new WeakMap<Uint8Array, Lettering>();

/** @param font bytes of a TrueType font, read once. Throws, or `setLine` rejects, when it is none. */
export function openLettering(font: Uint8Array): Lettering {
  const lettering = known.get(font) ?? readLettering(font);
  known.set(font, lettering);
  return lettering;
}

function readLettering(font: Uint8Array): Lettering {
  const hasGlyph = readCoverage(font);
  const data = Uint8Array.from(font).buffer;
  // Satori reads a font once for each list that it gets, so it always gets this one.
  const fonts: SatoriOptions["fonts"] = [{ name: "badge", data, weight: 500, style: "normal" }];
  return {
    hasGlyph,
    setLine: (text, size) =>
      layOut(text, size, { width: ROOM_WIDTHS * size, height: 2 * size, fonts }),
  };
}

/** Nothing in the text can make satori load anything: it is plain, without missing glyphs. */
async function layOut(text: string, fontSize: number, options: SatoriOptions): Promise<Outline> {
  const style = { display: "flex", fontSize, whiteSpace: "pre", color: "#fff" };
  const svg = await satori({ type: "div", props: { style, children: text } }, options);
  return Array.from(svg.matchAll(/<path\b[^>]*?\sd="([^"]*)"/gu)).flatMap(([, data = ""]) =>
    readPath(data),
  );
}
