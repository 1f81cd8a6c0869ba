import { drawableText } from "./printable-text.ts";
import { openLettering } from "./font.ts";
import { memoise } from "./memoise.ts";
import { boxOf, moveOutline, type Outline, UNITS_PER_PIXEL } from "./glyph-path.ts";

/** Size of the text: 11 pixels, as on the badges of shields.io, next to which ours are shown. */
const SIZE = 11 * UNITS_PER_PIXEL;
/** Number of cached texts, of parts set by satori and of whole ones. */
const LINES_KEPT = 2_000;

/** Turns text into outlines. */
export interface Typesetter {
  /** Height of capitals and digits, in units of outlines. */
  readonly capHeight: number;
  /** Outline of the characters that the font has; empty if it has none of them. Its left edge is at 0, its baseline at 0. */
  typeset(text: string): Promise<Outline>;
}

/** @param font bytes of a TrueType font. Throws, or rejects, if it is invalid. */
export async function createTypesetter(font: Uint8Array): Promise<Typesetter> {
  const lettering = openLettering(font);
  const capital = boxOf(await lettering.setLine("H", SIZE));
  if (capital === undefined) throw new TypeError("The font has no letters.");
  // Satori sets few texts: labels, words, and the halves of percentages.
  const setLine = memoise(LINES_KEPT, async (text) =>
    moveOutline(await lettering.setLine(text, SIZE), 0, -capital.bottom),
  );
  return {
    capHeight: capital.bottom - capital.top,
    typeset: memoise(LINES_KEPT, async (text) =>
      alignLeft(await compose(drawableText(text, lettering.hasGlyph), setLine)),
    ),
  };
}

type SetText = (text: string) => Promise<Outline>;

/**
 * A percentage is composed of two halves that meet at the point: two hundred halves make all ten thousand, with the font's kerning
 * on both sides of the point.
 */
async function compose(text: string, setLine: SetText): Promise<Outline> {
  if (text === "") return [];
  if (!/^\d{1,2}\.\d\d%$/u.test(text)) return await setLine(text);
  const point = text.indexOf(".");
  const [left, right] = await Promise.all([
    setLine(text.slice(0, point + 1)),
    setLine(text.slice(point)),
  ]);
  const [end, start] = [left.at(-1), right[0]];
  if (end === undefined || start === undefined) return [];
  return [...left, ...moveOutline(right.slice(1), end.x - start.x, 0)];
}

function alignLeft(outline: Outline): Outline {
  return moveOutline(outline, -(boxOf(outline)?.left ?? 0), 0);
}
