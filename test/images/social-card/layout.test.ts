import { beforeAll, expect, test } from "vitest";
import {
  type Block,
  createCardSetter,
  type SetBlock,
  type TextArea,
} from "../../../src/images/social-card/layout.ts";
import { boxOf } from "../../../src/images/text/glyph-path.ts";
import { openLettering } from "../../../src/images/text/font.ts";
import { FONT } from "../font.ts";

let setBlock: SetBlock;
beforeAll(async () => {
  setBlock = await createCardSetter(FONT);
});

/** Space for so many units of the em square at the only size. */
const room = (units: number, mostLines = 1): TextArea => ({
  widthPixels: units,
  steps: [[1_000, mostLines]],
});

const widthsOf = ({ lines }: Block) => lines.map((line) => boxOf(line)?.right ?? 0);

/** A line as it is set at once, with its left edge at 0 and capitals on the baseline. */
async function setWhole(text: string) {
  const { setLine } = openLettering(FONT);
  const outline = await setLine(text, 1_000);
  const { left, right } = boxOf(outline) ?? { left: 0, right: 0 };
  return { width: right - left, contours: outline.length };
}

test("words are set beside each other as the whole line is", async () => {
  const text = "Сбой: не открывается";
  const [line = []] = (await setBlock(text, room(100_000))).lines;
  const whole = await setWhole(text);
  expect(line).toHaveLength(whole.contours);
  const { left, right, bottom } = boxOf(line) ?? { left: 1, right: 0, bottom: 9 };
  expect(left).toBe(0);
  // Kerning across spaces is the only difference.
  expect(Math.abs(right - whole.width)).toBeLessThanOrEqual(4);
  expect(bottom).toBeGreaterThanOrEqual(0);
});

test("a text in the first size that has room is set in it", async () => {
  const { width } = await setWhole("HH");
  const steps = [
    [2_000, 1],
    [1_000, 1],
    [500, 1],
  ] as const;
  const sizeIn = async (widthPixels: number) =>
    (await setBlock("HH", { widthPixels, steps })).sizePixels;
  expect(await sizeIn(2 * width)).toBe(2_000);
  expect(await sizeIn(2 * width - 1)).toBe(1_000);
  expect(await sizeIn(width)).toBe(1_000);
  expect(await sizeIn(width - 1)).toBe(500);
});

test("a text that needs more lines than a size has is set in the next", async () => {
  const { width } = await setWhole("HH");
  const steps = [1, 2, 3].map((mostLines) => [1_000 - mostLines, mostLines] as const);
  const { sizePixels, lines } = await setBlock("HH HH HH", { widthPixels: width, steps });
  expect([sizePixels, lines.length]).toEqual([997, 3]);
});

test("a line has as many words as fit", async () => {
  const { width } = await setWhole("HH HH");
  expect((await setBlock("HH HH HH", room(width + 2, 9))).lines).toHaveLength(2);
  expect((await setBlock("HH HH HH", room(width - 3, 9))).lines).toHaveLength(3);
});

test("a word wider than a line goes on in the next, without a gap or a loss", async () => {
  const { width } = await setWhole("HHH");
  const block = await setBlock("HHHHHHHH", room(width, 9));
  expect(block.lines.flat()).toHaveLength(8);
  expect(block.lines.length).toBeLessThanOrEqual(4);
  expect(Math.max(...widthsOf(block))).toBeLessThanOrEqual(width);
});

test("a letter wider than a line is set all the same", async () => {
  const block = await setBlock("HH", room(1, 9));
  expect(block.lines).toHaveLength(2);
});

test("a text that does not fit ends with an ellipsis, without the signs before it", async () => {
  const { width } = await setWhole("HH HH…");
  const cut = await setBlock("HH HH, HHHH", room(width + 2));
  const told = await setBlock("HH HH…", room(100_000));
  expect(widthsOf(cut)).toEqual(widthsOf(told));
  expect(cut.lines[0]).toHaveLength(told.lines[0]?.length ?? 0);
  // A single word loses letters.
  const short = await setBlock("HHH", room((await setWhole("H…")).width));
  expect(widthsOf(short)).toEqual([(await setWhole("H…")).width]);
});

test("the last of several lines is cut, those before it stay", async () => {
  const { width } = await setWhole("HHHH");
  const { lines } = await setBlock("HHHH HHHH HHHH", room(width, 2));
  expect(lines).toHaveLength(2);
  expect(boxOf(lines[0] ?? [])?.right).toBe(width);
  expect(boxOf(lines[1] ?? [])?.right).toBeLessThanOrEqual(width);
  expect(lines[1]).not.toEqual(lines[0]);
});

test("a text has 120 characters at most, and one without any has no lines", async () => {
  const countOf = async (text: string) => (await setBlock(text, room(1_000_000))).lines[0]?.length;
  expect(await countOf("H".repeat(121))).toBe(120);
  expect(await countOf("H".repeat(119))).toBe(119);
  expect((await setBlock("漢字 \u200B", room(100))).lines).toEqual([]);
  expect(await setBlock("H", { widthPixels: 100, steps: [] })).toEqual({
    sizePixels: 0,
    lines: [],
  });
});

test("a wide word whose first letters are its widest stays within the line", async () => {
  const { width } = await setWhole("WW");
  const text = "WWWlll";
  const block = await setBlock(text, room(width, 9));
  expect(block.lines.flat()).toHaveLength((await setWhole(text)).contours);
  expect(Math.max(...widthsOf(block))).toBeLessThanOrEqual(width);
});
