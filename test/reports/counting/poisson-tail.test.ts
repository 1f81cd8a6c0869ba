import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isSharp, sharpThreshold, tailProbability } from "../../../src/reports/counting/surge.ts";

/** P(X ≥ count) as a sum of probabilities from their recurrence, independent of the closed form. */
function sumTail(count: number, mean: number): number {
  const failure = mean / (4 + mean);
  let probability = (4 / (4 + mean)) ** 4;
  let sum = 0;
  for (let n = 0; n < count + 5_000; n += 1) {
    if (n >= count) sum += probability;
    probability *= ((n + 4) / (n + 1)) * failure;
  }
  return sum;
}

test.each([
  [0.05, 6],
  [0.5, 9],
  [1, 13],
  [2.5, 21],
  [5, 35],
  [10, 63],
  [25, 143],
])("where %d is expected, a surge starts at %d", (mean, threshold) => {
  expect(sharpThreshold(mean)).toBe(threshold);
  expect(isSharp(threshold, mean)).toBe(true);
  expect(isSharp(threshold - 1, mean)).toBe(false);
});

test("the tail is the sum of its probabilities, also at 1e-6 and far below", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 300 }),
      fc.double({ min: 0.05, max: 60, noNaN: true }),
      (count, mean) => {
        const oracle = sumTail(count, mean);
        // Smaller numbers have too few digits to compare.
        fc.pre(oracle > 1e-290);
        expect(Math.abs(tailProbability(count, mean) / oracle - 1)).toBeLessThan(1e-9);
      },
    ),
  );
});

test("with a mean of 4 each trial is a coin toss: 1/16 for none, 4/32 for one", () => {
  expect(tailProbability(1, 4)).toBeCloseTo(1 - 1 / 16, 12);
  expect(tailProbability(2, 4)).toBeCloseTo(1 - 1 / 16 - 4 / 32, 12);
});

test("zero or more is certain, and a flood rounds to impossible", () => {
  expect(tailProbability(0, 0.05)).toBe(1);
  expect(tailProbability(1_000_000, 0.05)).toBe(0);
  expect(sharpThreshold(1_000_000) / 1_000_000).toBeCloseTo(5.34, 2);
});
