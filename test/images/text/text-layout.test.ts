import satori from "satori";
import { describe, expect, test } from "vitest";
import {
  boxOf,
  moveOutline,
  type Outline,
  UNITS_PER_PIXEL,
} from "../../../src/images/text/glyph-path.ts";
import { readPath } from "../../../src/images/text/parse-svg-path.ts";
import { createCardSetter } from "../../../src/images/social-card/layout.ts";
import { createTypesetter } from "../../../src/images/badge/badge-renderer.ts";
import { blankFont, FONT } from "../font.ts";

/** One list for all calls, because satori parses a font again for each new list. */
const FONTS = [{ name: "any", data: Uint8Array.from(FONT).buffer }];

/** The whole text as satori sets it, left edge at 0. */
async function layOutWhole(text: string): Promise<Outline> {
  const style = { display: "flex", fontSize: 11 * UNITS_PER_PIXEL, whiteSpace: "pre" };
  const svg = await satori(
    { type: "div", props: { style, children: text } },
    { width: 10_000, height: 1_000, fonts: FONTS },
  );
  const outline = readPath(/ d="([^"]*)"/u.exec(svg)?.[1] ?? "");
  return moveOutline(outline, -(boxOf(outline)?.left ?? 0), 0);
}

/** On a busy machine a hundred layouts take long. */

describe("a percentage", () => {
  test("is composed of halves as satori sets the whole, with kerning", async () => {
    const typesetter = await createTypesetter(FONT);
    // 37 has no common factor with 10,000, so all pairs of digits meet.
    const values = Array.from({ length: 80 }, (_, index) => (index * 37 * 67) % 10_000);
    for (const value of [...values, 9_998, 9_711, 4_174, 7]) {
      const text = `${Math.floor(value / 100)}.${String(value % 100).padStart(2, "0")}%`;
      const [ours, whole] = [await typesetter.typeset(text), await layOutWhole(text)];
      expect(ours.length, text).toBe(whole.length);
      for (const [index, contour] of ours.entries()) {
        // Each half is rounded separately.
        expect(Math.abs(contour.x - (whole[index]?.x ?? Infinity)), text).toBeLessThanOrEqual(2);
      }
    }
  });

  test("is kerned: a point moves under a seven", async () => {
    const typesetter = await createTypesetter(FONT);
    const width = async (text: string): Promise<number> =>
      boxOf(await typesetter.typeset(text))?.right ?? 0;
    expect(await width("97.00%")).toBeLessThan(await width("98.00%"));
  });
});

test("capitals and digits are eight pixels high, so that they fill whole pixels", async () => {
  const typesetter = await createTypesetter(FONT);
  expect(typesetter.capHeight).toBe(8 * UNITS_PER_PIXEL);
  expect(boxOf(await typesetter.typeset("1"))).toMatchObject({
    left: 0,
    top: -8 * UNITS_PER_PIXEL,
    bottom: 0,
  });
});

test("a character without a glyph is omitted, not a box", async () => {
  const typesetter = await createTypesetter(FONT);
  expect(await typesetter.typeset("漢字🚀")).toEqual([]);
  expect(await typesetter.typeset("漢 a")).toEqual(await typesetter.typeset("a"));
});

test("bytes that are not a font are refused", async () => {
  await expect(createTypesetter(new Uint8Array(100))).rejects.toThrow(/./u);
});

test("a font without letters is refused, for badges and for cards", async () => {
  const font = blankFont();
  const error = new TypeError("The font has no letters.");
  await expect(createTypesetter(font)).rejects.toThrow(error);
  await expect(createCardSetter(font)).rejects.toThrow(error);
});
