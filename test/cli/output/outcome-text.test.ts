import { describe, expect, test } from "vitest";
import { FAILURES } from "../../../src/model/failures.ts";
import { COLOR_OF } from "../../../src/contract/codes/verdict.ts";
import { FAILURE_TEXT, VERDICT_WORDS } from "../../../src/cli/output/outcome-text.ts";

describe("words", () => {
  test("every failure and every verdict has its own text, as the end of a sentence", () => {
    for (const [words, codes] of [
      [FAILURE_TEXT, FAILURES],
      [VERDICT_WORDS, COLOR_OF],
    ] as const) {
      expect(Object.keys(words).toSorted()).toEqual(Object.keys(codes).toSorted());
      const texts = Object.values<string>(words);
      expect(new Set(texts).size).toBe(texts.length);
      for (const text of texts) expect(text).toMatch(/^\S.*[^.\s]$/u);
    }
  });
});
