import { describe, expect, test } from "vitest";
import { readCoverage } from "../../../src/images/text/font.ts";
import { cleanLabel, drawableText } from "../../../src/images/text/printable-text.ts";
import { FONT } from "../font.ts";

describe("a label", () => {
  test.each([
    ["line breaks and tabs become spaces", "a\r\n\tb", "a b"],
    ["control characters go", "a\u0000\u001B[31mb\u007F", "a [31mb"],
    ["directions cannot be turned", "\u202Egpj\u202C.exe\u2066", "gpj.exe"],
    ["lone surrogates go", "a\uD800b\uDC00c", "abc"],
    ["noncharacters and private use go", "a\uFFFE\uFFFF\uE000b", "ab"],
    ["letters are composed", "мои\u0306", "мой"],
    ["blanks around go", " \u00A0a \u3000 b\t", "a b"],
    ["what is composed after another goes is composed", "и\u200B\u0306", "й"],
    ["emoji stay for those who read the title", "🚀 shop", "🚀 shop"],
    ["markup is only text", "</svg><script>", "</svg><script>"],
  ])("%s", (_name, text, expected) => {
    expect(cleanLabel(text)).toBe(expected);
  });

  test("ends after forty characters, never in the middle of one", () => {
    expect(cleanLabel("🚀".repeat(100))).toBe("🚀".repeat(40));
    expect(cleanLabel("a".repeat(40))).toBe("a".repeat(40));
    expect(cleanLabel("a".repeat(41))).toBe("a".repeat(40));
    expect(cleanLabel("abc", 2)).toBe("ab");
    // Also not with a space.
    expect(cleanLabel(`${"a".repeat(39)} bc`)).toBe("a".repeat(39));
  });
});

describe("its drawable part", () => {
  const draw = (text: string): string => drawableText(text, readCoverage(FONT));

  test.each([
    ["what the font has", "Мой shop «№ 1» — Ёж", "Мой shop «№ 1» — Ёж"],
    ["nothing of emoji", "🚀 shop 👨‍👩‍👧", "shop"],
    ["nothing of Chinese", "稼働率 uptime", "uptime"],
    ["the plain form of full-width letters", "ｕｐｔｉｍｅ", "uptime"],
    ["no combining marks", "z\u0300\u0301\u0302a", "za"],
    ["nothing at all", "漢字", ""],
    ["no gap where something was", "a 漢 🚀 b 漢", "a b"],
    ["nothing of a plain form that is drawn in part", "㍿a", "a"],
    ["all of a plain form", "㎏a", "kga"],
  ])("%s", (_name, text, expected) => {
    expect(draw(text)).toBe(expected);
  });

  test("ends after forty characters, without a space, or after as many as are asked for", () => {
    expect(draw("a".repeat(40))).toBe("a".repeat(40));
    expect(draw("a".repeat(41))).toBe("a".repeat(40));
    expect(draw(`${"a".repeat(39)} b`)).toBe("a".repeat(39));
    expect(drawableText("abc", () => true, 2)).toBe("ab");
    expect(drawableText("abc", (code) => code !== 0x62)).toBe("ac");
  });
});
