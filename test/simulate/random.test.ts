import { describe, expect, test } from "vitest";
import { chanceAt, createRandom, drawLength, drawTimes } from "./random.ts";

describe("chance at a time", () => {
  test("is the same for each call", () => {
    expect(chanceAt(1, 2, 1_800_000_000_000, 3)).toBe(chanceAt(1, 2, 1_800_000_000_000, 3));
  });

  test("is uniform over sites and times", () => {
    const tenths = Array.from({ length: 10 }, () => 0);
    for (let index = 0; index < 20_000; index += 1) {
      const tenth = Math.floor(
        chanceAt(7, index % 256, 1_800_000_000_000 + index * 300_000, 1) * 10,
      );
      tenths[tenth] = (tenths[tenth] ?? 0) + 1;
    }
    expect(Math.min(...tenths)).toBeGreaterThan(1_850);
    expect(Math.max(...tenths)).toBeLessThan(2_150);
  });

  test("differs by each of its arguments", () => {
    const all = [
      chanceAt(1, 2, 3_000, 4),
      chanceAt(2, 2, 3_000, 4),
      chanceAt(1, 3, 3_000, 4),
      chanceAt(1, 2, 3_001, 4),
      chanceAt(1, 2, 3_000, 5),
    ];
    expect(new Set(all).size).toBe(5);
  });
});

describe("drawn values", () => {
  test("a Poisson process has the number of events of its rate", () => {
    const times = drawTimes(0.01, 1_000_000, createRandom(1));
    expect(times.length).toBeGreaterThan(9_700);
    expect(times.length).toBeLessThan(10_300);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  test("a rate of zero has no events", () => {
    expect(drawTimes(0, 1_000, createRandom(1))).toEqual([]);
  });

  test("lengths are within their bounds, around their median", () => {
    const random = createRandom(1);
    const lengths = Array.from({ length: 2_001 }, () =>
      drawLength({ median: 20, sigma: 1, least: 3, most: 200 }, random),
    ).toSorted((a, b) => a - b);
    expect(lengths[0]).toBeGreaterThanOrEqual(3);
    expect(lengths.at(-1)).toBeLessThanOrEqual(200);
    expect(lengths[1_000]).toBeGreaterThan(17);
    expect(lengths[1_000]).toBeLessThan(24);
  });
});
