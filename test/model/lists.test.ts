import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  compareTexts,
  countEach,
  firstIndexWhere,
  groupBy,
  mapValues,
  onceFor,
  sumOf,
} from "../../src/model/lists.ts";

test("groups and counts are in the order in which their keys occur first", () => {
  const words = ["bee", "ant", "bat", "ape", "bee"];
  expect([...groupBy(words, (word) => word.charAt(0))]).toEqual([
    ["b", ["bee", "bat", "bee"]],
    ["a", ["ant", "ape"]],
  ]);
  expect([...countEach(words)]).toEqual([
    ["bee", 2],
    ["ant", 1],
    ["bat", 1],
    ["ape", 1],
  ]);
  expect([...groupBy([], String)]).toEqual([]);
});

test("a sum is that of all numbers, and 0 of no number", () => {
  expect([sumOf([]), sumOf([3]), sumOf([3, -1, 5])]).toEqual([0, 3, 7]);
});

test("each value of a map is changed, under the same key", () => {
  const map = new Map([
    ["b", 2],
    ["a", 1],
  ]);
  expect([...mapValues(map, (value, key) => `${key}${value}`)]).toEqual([
    ["b", "b2"],
    ["a", "a1"],
  ]);
});

test("what is made of an object is made once for each", () => {
  let calls = 0;
  const sizeOf = onceFor((list: readonly number[]) => ({ size: list.length, call: (calls += 1) }));
  const [one, equal] = [[7], [7]];
  expect([sizeOf(one), sizeOf(equal), sizeOf(one)]).toEqual([
    { size: 1, call: 1 },
    { size: 1, call: 2 },
    { size: 1, call: 1 },
  ]);
});

test("the first index is found wherever it is, without a look beyond the length", () => {
  for (let length = 0; length <= 9; length += 1)
    for (let first = 0; first <= length; first += 1) {
      const asked: number[] = [];
      const found = firstIndexWhere(length, (index) => asked.push(index) > 0 && index >= first);
      expect([length, first, found]).toEqual([length, first, first]);
      expect(asked.every((index) => index >= 0 && index < length)).toBe(true);
      // Halving ten places takes four looks at most.
      expect(asked.length).toBeLessThanOrEqual(4);
    }
});

test("texts are ordered by code units", () => {
  expect(["б", "a", "Z", "ё", "aa", ""].toSorted(compareTexts)).toEqual([
    "",
    "Z",
    "a",
    "aa",
    "б",
    "ё",
  ]);
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      expect(Math.sign(compareTexts(a, b)) + Math.sign(compareTexts(b, a))).toBe(0);
      expect(compareTexts(a, b) === 0).toBe(a === b);
    }),
  );
});
