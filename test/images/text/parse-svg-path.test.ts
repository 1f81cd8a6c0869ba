import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { boxOf, moveOutline, toPathData } from "../../../src/images/text/glyph-path.ts";
import { readPath } from "../../../src/images/text/parse-svg-path.ts";
import { followPath } from "./follow-path.ts";

describe("a path of satori", () => {
  test("becomes short relative commands", () => {
    const outline = readPath("M10 20L10 20L30 20L30 40.4Q30 50 20 50Q10 50 10 40L10 20Z ");
    expect(toPathData(outline)).toBe("m10 20h20v20q0 10-10 10t-10-10z");
    expect(boxOf(outline)).toEqual({ left: 10, right: 30, top: 20, bottom: 50 });
  });

  test("further contours start from the start of the previous one", () => {
    expect(toPathData(readPath("M5 5L9 5L9 9ZM3 8L9 5L7 7Z"))).toBe("m5 5h4v4zm-2 3l6-3-2 2z");
  });

  test("can be moved", () => {
    const outline = moveOutline(readPath("M5 5L9 5L9 9Z"), 10, -5);
    expect(toPathData(outline)).toBe("m15 0h4v4z");
    expect(boxOf(outline)).toEqual({ left: 15, right: 19, top: 0, bottom: 4 });
  });

  test("nothing is nothing", () => {
    expect(readPath("")).toEqual([]);
    expect(boxOf([])).toBeUndefined();
  });

  test.each([
    ["M1 1C1 1 2 2 3 3Z", "Not a path command that is known here: C1 1 2 2 3 3"],
    ["M1 1L2Z", "Not a path command that is known here: L2"],
    ["m1 1Z", "Not a path command that is known here: m1 1"],
    ["M1 1L2 2", "A contour is not closed: M1 1L2 2"],
    ["L1 1Z", "A contour has no start."],
    ["Z", "A contour has no start."],
  ])("%s is refused", (data, message) => {
    expect(() => readPath(data)).toThrow(new TypeError(message));
  });

  test("leads through the same points", () => {
    // So small that many control points nearly mirror each other, as they do in letters.
    const number = fc.integer({ min: -12, max: 12 });
    const command = fc.oneof(
      fc.tuple(fc.constant("L"), fc.array(number, { minLength: 2, maxLength: 2 })),
      fc.tuple(fc.constant("Q"), fc.array(number, { minLength: 4, maxLength: 4 })),
    );
    const contour = fc
      .tuple(number, number, fc.array(command, { minLength: 1, maxLength: 12 }))
      .map(([x, y, rest]) => {
        const drawn = rest.map(([letter, numbers]) => `${letter}${numbers.join(" ")}`);
        return `M${x} ${y}${drawn.join("")}Z`;
      });
    fc.assert(
      fc.property(fc.array(contour, { maxLength: 4 }), (contours) => {
        const data = contours.join("");
        const [before, after] = [followPath(data), followPath(toPathData(readPath(data)))];
        expect(after.length).toBe(before.length);
        for (const [index, [x, y]] of before.entries()) {
          const [newX, newY] = after[index] ?? [];
          expect(Math.abs((newX ?? Infinity) - x)).toBeLessThanOrEqual(2);
          expect(Math.abs((newY ?? Infinity) - y)).toBeLessThanOrEqual(2);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
