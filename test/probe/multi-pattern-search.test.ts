import { expect, test } from "vitest";
import { compilePatterns, findPattern } from "../../src/probe/answer/fingerprints.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const PATTERNS = compilePatterns(
  new Map([
    ["access denied by law", "law"],
    ["blocked", "short"],
    ["доступ ограничен", "russian"],
  ]),
);

test.each([
  ["access denied by law", "law"],
  ["blocked", "short"],
  ["…blocked", "short"],
  ["blocked…", "short"],
  ["доступ ограничен", "russian"],
])("a pattern is found wherever it stands: %s", (text, id) => {
  for (let before = 0; before < 12; before += 1) {
    expect(findPattern(PATTERNS, encode("x".repeat(before) + text))).toBe(id);
    expect(findPattern(PATTERNS, encode(`${"x".repeat(before)}${text}y`))).toBe(id);
  }
});

test("a pattern is found in windows-1251 too", () => {
  const word = [0xe4, 0xee, 0xf1, 0xf2, 0xf3, 0xef, 0x20];
  const rest = [0xee, 0xe3, 0xf0, 0xe0, 0xed, 0xe8, 0xf7, 0xe5, 0xed];
  expect(findPattern(PATTERNS, Uint8Array.from([...word, ...rest]))).toBe("russian");
});

test("a text that differs in one byte, up or down, or misses its end, is none", () => {
  for (const text of ["access denied by law", "blocked"]) {
    for (let at = 0; at < text.length; at += 1) {
      for (const step of [-1, 1]) {
        const near = encode(text).map((byte, index) => (index === at ? byte + step : byte));
        expect([at, step, findPattern(PATTERNS, near)]).toEqual([at, step, undefined]);
      }
    }
    expect(findPattern(PATTERNS, encode(text.slice(0, -1)))).toBeUndefined();
  }
});

test("of two patterns in a text, the first one is found", () => {
  expect(findPattern(PATTERNS, encode("blocked: access denied by law"))).toBe("short");
  expect(findPattern(PATTERNS, encode("access denied by law: blocked"))).toBe("law");
});

test("without patterns nothing is found", () => {
  expect(findPattern(compilePatterns(new Map()), encode("blocked"))).toBeUndefined();
});
