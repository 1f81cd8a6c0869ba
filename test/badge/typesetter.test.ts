import satori from "satori";
import { describe, expect, test } from "vitest";
import { boxOf, moveOutline, type Outline, UNITS_PER_PIXEL } from "../../src/badge/outline.ts";
import { readPath } from "../../src/badge/read-path.ts";
import { createTypesetter } from "../../src/badge/typesetter.ts";
import { FONT } from "./font.ts";

/** One list for all calls: satori reads a font again for each new one. */
const FONTS = [{ name: "any", data: Uint8Array.from(FONT).buffer }];

/** The whole text as satori lays it out in one go, left edge at 0. */
async function layOutWhole(text: string): Promise<Outline> {
  const style = { display: "flex", fontSize: 11 * UNITS_PER_PIXEL, whiteSpace: "pre" };
  const svg = await satori(
    { type: "div", props: { style, children: text } },
    { width: 10_000, height: 1_000, fonts: FONTS },
  );
  const outline = readPath(/ d="([^"]*)"/u.exec(svg)?.[1] ?? "");
  return moveOutline(outline, -(boxOf(outline)?.left ?? 0), 0);
}

/** On a busy machine a hundred layouts take their time. */

describe("a percentage", () => {
  test("is put together from halves as satori would lay out the whole, kerning included", async () => {
    const typesetter = await createTypesetter(FONT);
    // 37 has no factor in common with 10,000, so all digits meet all others.
    const values = Array.from({ length: 80 }, (_, index) => (index * 37 * 67) % 10_000);
    for (const value of [...values, 9_998, 9_711, 4_174, 7]) {
      const text = `${Math.floor(value / 100)}.${String(value % 100).padStart(2, "0")}%`;
      const [ours, whole] = [await typesetter.typeset(text), await layOutWhole(text)];
      expect(ours.length, text).toBe(whole.length);
      for (const [index, contour] of ours.entries()) {
        // Each half was rounded by itself.
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

test("what the font has no glyph for is nothing, not a box", async () => {
  const typesetter = await createTypesetter(FONT);
  expect(await typesetter.typeset("漢字🚀")).toEqual([]);
  expect(await typesetter.typeset("漢 a")).toEqual(await typesetter.typeset("a"));
});

test("bytes that are no font are refused", async () => {
  await expect(createTypesetter(new Uint8Array(100))).rejects.toThrow(/./u);
});
