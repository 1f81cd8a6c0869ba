import satori, { type SatoriOptions } from "satori";
import { readCoverage } from "./coverage.ts";
import { drawableText } from "./label.ts";
import { createRecent } from "./lru.ts";
import { boxOf, moveOutline, type Outline, UNITS_PER_PIXEL } from "./outline.ts";
import { readPath } from "./read-path.ts";

/** Size of the text, pixels: that of the badges of shields.io, next to which ours stand. */
const FONT_SIZE = 11;
/** Room for the widest line, 40 wide letters, and more. */
const ROOM = 200 * FONT_SIZE * UNITS_PER_PIXEL;
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
  const hasGlyph = readCoverage(font);
  const data = Uint8Array.from(font).buffer;
  // Satori reads a font once for each list that it gets, so it always gets this one.
  const options: SatoriOptions = {
    width: ROOM,
    height: 2 * FONT_SIZE * UNITS_PER_PIXEL,
    fonts: [{ name: "badge", data, weight: 500, style: "normal" }],
  };
  const capital = boxOf(await layOut("H", options));
  if (capital === undefined) throw new TypeError("The font has no letters.");
  // Satori gets to see few texts: labels, words, and the halves of percentages.
  const setLine = remember(async (text) =>
    moveOutline(await layOut(text, options), 0, -capital.bottom),
  );
  return {
    capHeight: capital.bottom - capital.top,
    typeset: remember(async (text) =>
      alignLeft(await compose(drawableText(text, hasGlyph), setLine)),
    ),
  };
}

type SetText = (text: string) => Promise<Outline>;

/** The same function, which does its work once for each text as long as that is remembered. A failure is not. */
function remember(setText: SetText): SetText {
  const lines = createRecent<Promise<Outline>>(LINES_KEPT);
  return (text) => {
    const known = lines.get(text);
    if (known !== undefined) return known;
    const line = setText(text);
    lines.set(text, line);
    line.catch(() => lines.delete(text));
    return line;
  };
}

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

/** One line as satori draws it. Nothing in it can make satori load anything: it is a plain text without missing glyphs. */
async function layOut(text: string, options: SatoriOptions): Promise<Outline> {
  const style = {
    display: "flex",
    fontSize: FONT_SIZE * UNITS_PER_PIXEL,
    whiteSpace: "pre",
    color: "#fff",
  };
  const svg = await satori({ type: "div", props: { style, children: text } }, options);
  return Array.from(svg.matchAll(/<path\b[^>]*?\sd="([^"]*)"/gu)).flatMap(([, data = ""]) =>
    readPath(data),
  );
}
