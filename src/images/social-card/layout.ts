import { cleanLabel, drawableText } from "../text/printable-text.ts";
import { memoise, openLettering } from "../text/font.ts";
import { boxOf, moveOutline, type Outline } from "../text/glyph-path.ts";

/** Units of the em square: at the largest size eight of them are one pixel of a card. */
export const UNITS_PER_EM = 1_000;
/** Longest text, in code points. Source: docs/monitors/badges.md. */
const MAX_TEXT_LENGTH = 120;
const WORDS_KEPT = 1_000;
/** A letter that every font for badges has, which stands on the baseline. */
const CAPITAL = "H";

/** How large a text is, and on how many lines at most. */
export type TextSize = readonly [sizePixels: number, mostLines: number];

/** Space for a text: the first step in which it fits is used; in the last one it is truncated. */
export interface TextArea {
  readonly widthPixels: number;
  readonly steps: readonly TextSize[];
}

/** A text in lines: outlines in units, left edge and baseline at 0. */
export interface Block {
  readonly sizePixels: number;
  readonly lines: readonly Outline[];
}

/** Sets untrusted text. Characters that the font cannot draw are removed; no lines if nothing remains. */
export type SetBlock = (text: string, place: TextArea) => Promise<Block>;

/** Ink on one line. Its left edge is at 0. */
interface Word {
  readonly text: string;
  readonly outline: Outline;
  readonly width: number;
  /** From the pen position before the word to its left edge. */
  readonly bearing: number;
  /** From its left edge to the pen position after the word, and a space unless the word continues. */
  readonly advance: number;
}

/** @param font bytes of a TrueType font. Throws, or rejects, if it is invalid. */
export async function createCardSetter(font: Uint8Array): Promise<SetBlock> {
  const { hasGlyph, setLine } = openLettering(font);
  const capitalOutline = await setLine(CAPITAL, UNITS_PER_EM);
  const capital = boxOf(capitalOutline);
  if (capital === undefined) throw new TypeError("The font has no letters.");
  const setWord = memoise(WORDS_KEPT, async (text): Promise<Word> => {
    // An outline does not include the advance of its last letter and a space, so a capital is set behind them.
    const followed = await setLine(`${text} ${CAPITAL}`, UNITS_PER_EM);
    const outline = followed.slice(0, -capitalOutline.length);
    const { left, right } = boxOf(outline) ?? { left: 0, right: 0 };
    const next = boxOf(followed.slice(-capitalOutline.length))?.left ?? right;
    return {
      text,
      outline: moveOutline(outline, -left, -capital.bottom),
      width: right - left,
      bearing: left,
      advance: next - capital.left - left,
    };
  });
  return async (text, place) => {
    const shown = drawableText(cleanLabel(text, MAX_TEXT_LENGTH), hasGlyph, MAX_TEXT_LENGTH);
    const widest = Math.max(...place.steps.map((step) => roomOf(step, place)));
    const words: Word[] = [];
    for (const word of shown.split(" ")) {
      words.push(...(await setPieces(word, widest, setWord)));
    }
    const visible = words.filter(({ width }) => width > 0);
    return await fit(visible, place, setWord);
  };
}

type SetWord = (text: string) => Promise<Word>;

const roomOf = ([sizePixels]: TextSize, { widthPixels }: TextArea): number =>
  (widthPixels * UNITS_PER_EM) / sizePixels;

/** A word; one that is wider than a whole line of the smallest size is split into pieces that continue without a space. */
async function setPieces(text: string, room: number, setWord: SetWord): Promise<readonly Word[]> {
  const characters = Array.from(text);
  const word = await setWord(text);
  if (word.width <= room || characters.length <= 1) return [word];
  let length = Math.max(1, Math.floor((characters.length * room) / word.width));
  let piece = await setWord(characters.slice(0, length).join(""));
  // Letters differ in width.
  while (piece.width > room && length > 1) {
    length = Math.min(length - 1, Math.max(1, Math.floor((length * room) / piece.width)));
    piece = await setWord(characters.slice(0, length).join(""));
  }
  const rest = await setPieces(characters.slice(length).join(""), room, setWord);
  return [{ ...piece, advance: piece.width }, ...rest];
}

async function fit(words: readonly Word[], place: TextArea, setWord: SetWord): Promise<Block> {
  for (const step of place.steps) {
    const lines = breakLines(words, roomOf(step, place));
    const isFitting = lines.every((line) => widthOf(line) <= roomOf(step, place));
    const [, mostLines] = step;
    if (isFitting && lines.length <= mostLines) return toBlock(step, lines);
  }
  const last = place.steps.at(-1);
  if (last === undefined) return { sizePixels: 0, lines: [] };
  const lines = breakLines(words, roomOf(last, place));
  const [, mostLines] = last;
  const kept = lines.slice(0, mostLines);
  const cut = await shorten(kept.at(-1) ?? [], roomOf(last, place), setWord);
  return toBlock(last, [...kept.slice(0, -1), cut]);
}

/** As many words in each line as fit. */
function breakLines(words: readonly Word[], room: number): readonly (readonly Word[])[] {
  const lines: Word[][] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line !== undefined && widthOf([...line, word]) <= room) line.push(word);
    else lines.push([word]);
  }
  return lines;
}

function widthOf(line: readonly Word[]): number {
  const lefts = placeWords(line);
  return (lefts.at(-1) ?? 0) + (line.at(-1)?.width ?? 0);
}

/** Left edges of the words; the first is at 0. */
function placeWords(line: readonly Word[]): readonly number[] {
  let pen = -(line[0]?.bearing ?? 0);
  return line.map(({ bearing, advance }) => {
    const left = pen + bearing;
    pen = left + advance;
    return left;
  });
}

/** A line that ends with an ellipsis, without the words, or the letters of a single word, that do not fit before it. */
async function shorten(
  line: readonly Word[],
  room: number,
  setWord: SetWord,
): Promise<readonly Word[]> {
  const last = line.at(-1);
  if (last === undefined) return [];
  const before = line.slice(0, -1);
  const ended = [...before, await setWord(`${last.text.replace(/[,.:;–—-]+$/u, "")}…`)];
  if (widthOf(ended) <= room) return ended;
  if (before.length > 0) return await shorten(before, room, setWord);
  const shorter = Array.from(last.text).slice(0, -1).join("");
  return shorter === "" ? [] : await shorten([await setWord(shorter)], room, setWord);
}

function toBlock([sizePixels]: TextSize, lines: readonly (readonly Word[])[]): Block {
  const outlines = lines.map((line) => {
    const lefts = placeWords(line);
    return line.flatMap(({ outline }, index) => moveOutline(outline, lefts[index] ?? 0, 0));
  });
  return { sizePixels, lines: outlines };
}
