import fc from "fast-check";
import { expect, test } from "vitest";
import {
  indexOfLevel,
  LEVEL_CHARS,
  levelOf,
  msOfIndex,
  msOfLevel,
} from "../../src/model/response-level.ts";

test("a level is within 7 % of any time from 5 ms to 20 s", () => {
  fc.assert(
    fc.property(fc.double({ min: 5, max: 20_000, noNaN: true }), (ms) => {
      const ratio = (msOfLevel(levelOf(ms)) ?? 0) / ms;
      expect(ratio).toBeGreaterThan(0.93);
      expect(ratio).toBeLessThan(1.07);
    }),
  );
});

test.each([
  [0, "A"],
  [5, "A"],
  [20_000, "_"],
  [1e9, "_"],
])("%d ms is clamped to the scale", (ms, char) => {
  expect(levelOf(ms)).toBe(char);
});

test("a slower answer never has a lower level", () => {
  const time = fc.integer({ min: 0, max: 30_000 });
  fc.assert(
    fc.property(time, time, (a, b) => {
      const [fast, slow] = [Math.min(a, b), Math.max(a, b)];
      expect(msOfLevel(levelOf(fast)) ?? 0).toBeLessThanOrEqual(msOfLevel(levelOf(slow)) ?? 0);
    }),
  );
});

test("each level has its own time, and other characters have none", () => {
  expect(LEVEL_CHARS.map((char) => levelOf(msOfLevel(char) ?? 0))).toEqual(LEVEL_CHARS);
  for (const char of ["", ".", "~", "AB"])
    expect([indexOfLevel(char), msOfLevel(char)]).toEqual([undefined, undefined]);
  expect(LEVEL_CHARS.map(indexOfLevel)).toEqual([...Array(64).keys()]);
  expect(LEVEL_CHARS.map(msOfLevel)).toEqual(LEVEL_CHARS.map((_, index) => msOfIndex(index)));
  expect([msOfIndex(0), Math.round(msOfIndex(63))]).toEqual([5, 20_000]);
});
