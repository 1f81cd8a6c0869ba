import { drawableText } from "./label.ts";
import { openLettering } from "./lettering.ts";
import { remember } from "./lru.ts";
import { boxOf, moveOutline, type Outline, UNITS_PER_PIXEL } from "./outline.ts";

/** Size of the text: 11 pixels, that of the badges of shields.io, next to which ours stand. */
const SIZE = 11 * UNITS_PER_PIXEL;
/** Texts that are remembered, by satori and whole. */
const LINES_KEPT = 2_000;

/** Turns text into outlines. */
export interface Typesetter {
  /** Height of capitals and digits, in units of outlines. */
  readonly capHeight: number;
  /**
   * Outline of the characters of the text that the font has, empty when it has none of them. Its left edge is at 0, its
   * baseline at 0.
   */
  typeset(text: string): Promise<Outline>;
}

/** @param font bytes of a TrueType font. Throws, or rejects, when it is none. */
export async function createTypesetter(font: Uint8Array): Promise<Typesetter> {
  const lettering = openLettering(font);
  const capital = boxOf(await lettering.setLine("H", SIZE));
  if (capital === undefined) throw new TypeError("The font has no letters.");
  // Satori gets to see few texts: labels, words, and the halves of percentages.
  const setLine = remember(LINES_KEPT, async (text) =>
    moveOutline(await lettering.setLine(text, SIZE), 0, -capital.bottom),
  );
  return {
    capHeight: capital.bottom - capital.top,
    typeset: remember(LINES_KEPT, async (text) =>
      alignLeft(await compose(drawableText(text, lettering.hasGlyph), setLine)),
    ),
  };
}

type SetText = (text: string) => Promise<Outline>;

/**
 * A percentage is put together from its two halves, which meet in the point: two hundred halves make all ten thousand, with the
 * font's kerning on both sides of the point.
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
