import { describe, expect, test } from "vitest";
import { FAILURES } from "../../../src/model/failures.ts";
import { COLOR_OF } from "../../../src/contract/codes/verdict.ts";
import { nameFailure, nameWarning, VERDICT_WORDS } from "../../../src/cli/output/outcome-text.ts";
import { MONITOR_WARNINGS } from "../../../src/model/monitor/monitor.ts";
import { FAILURE_WORDS } from "../../../src/site/words/failure.ts";

describe("words", () => {
  test("every failure and every verdict has its own text, as the end of a sentence", () => {
    for (const [words, codes] of [
      [FAILURE_WORDS.en, FAILURES],
      [VERDICT_WORDS, COLOR_OF],
    ] as const) {
      expect(Object.keys(words).toSorted()).toEqual(Object.keys(codes).toSorted());
      const texts = Object.values<string>(words);
      expect(new Set(texts).size).toBe(texts.length);
      for (const text of texts) expect(text).toMatch(/^\S.*[^.\s]$/u);
    }
  });

  test("a failure is told in the words of the website, with its code", () => {
    expect(nameFailure("tcp-refused")).toBe("the server refused the connection [tcp-refused]");
  });

  test("a warning is what the website tells the owner, as the end of a sentence", () => {
    expect(nameWarning("location-repeated")).toBe(
      "the target of a redirect is named twice. Browsers forgive that",
    );
    const texts = MONITOR_WARNINGS.map(nameWarning);
    expect(new Set(texts).size).toBe(texts.length);
    for (const text of texts) expect(text).toMatch(/^(?!but )(?:[a-z]|DNS |100 ).*[^.\s]$/u);
  });
});
