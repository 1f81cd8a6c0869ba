import fc from "fast-check";
import { expect, test } from "vitest";
import { suggestWord } from "../../src/yaml/suggest.ts";

/** The textbook algorithm with the whole table. */
function editsBetween(left: string, right: string): number {
  const table = [Array.from({ length: right.length + 1 }, (_, j) => j)];
  const cell = (i: number, j: number): number => table[i]?.[j] ?? Number.NaN;
  for (let i = 1; i <= left.length; i += 1) {
    table.push([i]);
    for (let j = 1; j <= right.length; j += 1) {
      const replaced = cell(i - 1, j - 1) + (left[i - 1] === right[j - 1] ? 0 : 1);
      table[i]?.push(Math.min(replaced, cell(i - 1, j) + 1, cell(i, j - 1) + 1));
    }
  }
  return cell(left.length, right.length);
}

test.each([
  ["bnaks", ["banks", "ai"], "banks"],
  ["Banks", ["banks"], "banks"],
  ["endpoint", ["endpoints", "slug"], "endpoints"],
  ["bankss", ["bank", "banks"], "banks"],
  ["games", ["banks", "gov"], undefined],
  ["ab", ["cb"], undefined],
  ["", ["a"], undefined],
  ["bamk", ["bank", "bark"], "bank"],
  ["bank", ["banks", "bank"], "bank"],
  ["abcde", ["abxxx"], undefined],
])("%j among %j means %j", (written, known, meant) => {
  expect(suggestWord(written, known)).toBe(meant);
});

test("a word is suggested if at most two letters and less than half of it are wrong", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(word, word, (written, known) => {
      const edits = editsBetween(written, known);
      const isNear = edits <= 2 && edits * 2 < known.length;
      expect(suggestWord(written, [known])).toBe(isNear ? known : undefined);
    }),
    { numRuns: 2_000 },
  );
});

test("a word of over 64 letters is compared with nothing", () => {
  const long = "a".repeat(64);
  expect(suggestWord(long, [`${long}b`])).toBe(`${long}b`);
  expect(suggestWord(`${long}b`, [long])).toBeUndefined();
});

test("at most 50 known words are compared, unless a caller says otherwise", () => {
  const words = [...Array.from({ length: 49 }, (_, at) => `other-word-${at}`), "banks", "shops"];
  expect(suggestWord("bnaks", words)).toBe("banks");
  expect(suggestWord("shpos", words)).toBeUndefined();
  expect(suggestWord("shpos", words, 51)).toBe("shops");
});
