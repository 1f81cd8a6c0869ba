import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { faultInVisibility } from "../../src/yaml/validators.ts";

/** By hand, one of each range that Unicode or a font renders as nothing. */
const INVISIBLE = [
  ["soft hyphen", 0x00ad],
  ["combining grapheme joiner", 0x034f],
  ["Arabic letter mark", 0x061c],
  ["Hangul choseong filler", 0x115f],
  ["Hangul jungseong filler", 0x1160],
  ["Khmer inherent vowel", 0x17b4],
  ["Mongolian variation selector", 0x180b],
  ["Mongolian vowel separator", 0x180e],
  ["zero width space", 0x200b],
  ["zero width non-joiner", 0x200c],
  ["zero width joiner", 0x200d],
  ["left-to-right mark", 0x200e],
  ["right-to-left mark", 0x200f],
  ["word joiner", 0x2060],
  ["invisible times", 0x2062],
  ["reserved", 0x2065],
  ["nominal digit shapes", 0x206f],
  ["Braille blank", 0x2800],
  ["Hangul filler", 0x3164],
  ["variation selector 1", 0xfe00],
  ["variation selector 16", 0xfe0f],
  ["byte order mark", 0xfeff],
  ["half-width Hangul filler", 0xffa0],
  ["reserved", 0xfff0],
  ["interlinear annotation", 0xfff9],
  ["object replacement", 0xfffc],
  ["hieroglyph joiner", 0x13430],
  ["hieroglyph full blank", 0x13441],
  ["Khitan filler", 0x16fe4],
  ["shorthand format", 0x1bca0],
  ["null note head", 0x1d159],
  ["musical beam", 0x1d173],
  ["language tag", 0xe0001],
  ["tag A", 0xe0041],
  ["cancel tag", 0xe007f],
  ["variation selector 17", 0xe0100],
  ["variation selector 256", 0xe01ef],
  ["reserved", 0xe0fff],
] as const;

const nameOf = (code: number): string => `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;

test.each(["", " ", "   "])("%j has nothing that is visible", (text) => {
  expect(faultInVisibility(text)).toMatch(/^has no visible character/u);
});

describe.each(INVISIBLE)("%s", (_, code) => {
  const one = String.fromCodePoint(code);

  test("alone or with other invisible characters is not a name", () => {
    for (const text of [one, `${one}${one}`, `\u200B${one} ${one}\u00A0`, `\u0301${one}`]) {
      expect(faultInVisibility(text)).toMatch(/^has no visible character; use letters/u);
    }
  });

  test("is refused within a name, with its position", () => {
    const fault = `contains an invisible character, ${nameOf(code)}, at position 3; remove it.`;
    expect(faultInVisibility(`ab${one}cd`)).toBe(fault);
    // After an emoji, this one selects its coloured form.
    const isAllowed = code === 0xfe0f;
    expect(faultInVisibility(`Щ🦊${one}`)).toBe(isAllowed ? undefined : fault);
  });
});

test("each character of the ranges that Unicode reserves for invisible ones is refused", () => {
  const ranges = [
    [0x200b, 0x200f],
    [0x2060, 0x206f],
    [0xfe00, 0xfe0f],
    [0xfff0, 0xfffb],
    [0xe0000, 0xe0fff],
  ] as const;
  for (const [first, last] of ranges) {
    for (let code = first; code <= last; code += 1) {
      const text = `ab${String.fromCodePoint(code)}cd`;
      expect(faultInVisibility(text), nameOf(code)).toContain(nameOf(code));
    }
  }
});

describe("an invisible character with a visible effect is allowed:", () => {
  test.each([
    ["a joiner in Persian", "می\u200Cخواهم"],
    ["a joiner after a mark", "نامه\u0654\u200Cای"],
    ["a joiner in Hindi", "क्\u200Dष"],
    ["a joiner in Sinhala", "ශ්\u200Dරී"],
    ["a directional mark in Hebrew", "חנות!\u200E (Shop)"],
    ["a directional mark in Arabic", "متجر \u200F#1 \u061C"],
    ["a family", "👨\u200D👩\u200D👧"],
    ["a coder with a skin tone", "👩🏽\u200D💻"],
    ["a pirate's flag", "🏴\u200D☠\uFE0F"],
    ["a rainbow", "🏳\uFE0F\u200D🌈"],
    ["a burning heart", "❤\uFE0F\u200D🔥"],
    ["red hair", "👨🏻\u200D🦰"],
    ["a person who walks to the right", "🚶🏿\u200D♀\uFE0F\u200D➡\uFE0F"],
    ["a sign as text", "☎\uFE0E"],
    ["a key", "1\uFE0F\u20E3"],
    ["the flag of Scotland", "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}"],
    ["a variant of a Chinese character", "葛\u{E0100}城"],
  ])("%s", (_, text) => {
    expect(faultInVisibility(text)).toBeUndefined();
    expect(faultInVisibility(`Магазин ${text}`)).toBeUndefined();
  });
});

test("a joiner is allowed between letters of each script that joins them", () => {
  const letters = ["ب", "ক", "क", "ક", "ਕ", "ಕ", "ក", "ക", "ᠠ", "က", "କ", "ක", "ܐ", "க", "క"];
  const refused = letters.filter(
    (letter) => faultInVisibility(`${letter}\u200C${letter}`) !== undefined,
  );
  expect(refused).toEqual([]);
});

describe("the same character without that effect is refused:", () => {
  test.each([
    ["two joiners", "می\u200C\u200Cخواهم", 3],
    ["a joiner at the end", "می\u200C", 3],
    ["a directional mark among Latin letters", "shop\u200F!", 5],
    ["a directional mark with only an Arabic digit", "\u0661\u200F", 2],
    ["a word joiner in Hebrew, after a mark", "חנות\u200F\u2060", 6],
    ["a joiner among Latin letters", "shop\u200Dshop", 5],
    ["a joiner between Cyrillic letter and emoji", "Щ\u200D🔥", 2],
    ["a joiner before nothing", "🔥\u200D", 2],
    ["a second selector", "☎\uFE0F\uFE0F", 3],
    ["a selector after a digit without a keycap", "1\uFE0F", 2],
    ["a selector after a letter", "a\uFE0F", 2],
    ["a flag with a text in it", "🏴\u{E0061}\u{E0062}\u{E0063}\u{E007F}", 2],
    ["a flag without its end", "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}", 2],
  ])("%s", (_, text, position) => {
    expect(faultInVisibility(text)).toMatch(
      new RegExp(`at position ${position}; remove it\\.$`, "u"),
    );
  });
});

test.each([
  "Shop",
  "Мой магазин №1 «Ёлка» — лучший",
  "ООО\u00A0«Ромашка»",
  "日本\u3000語",
  "한국",
  "!",
  "★",
  "☺",
  "１",
  "x\u0301",
  "\u0600\u0661\u0662",
  "\uFFFD",
])("%j is visible", (text) => {
  expect(faultInVisibility(text)).toBeUndefined();
});

test("an invisible character is found anywhere in a Latin, Cyrillic or Greek name", () => {
  const visible = fc.stringMatching(
    /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Nd} .,!-]{1,20}$/u,
  );
  const codes = INVISIBLE.map(([, code]) => code);
  fc.assert(
    fc.property(visible, visible, fc.constantFrom(...codes), (before, after, code) => {
      // A combining mark alone is not visible.
      fc.pre(/[\p{L}\p{N}\p{P}]/u.test(before));
      expect(faultInVisibility(before + after)).toBeUndefined();
      const fault = faultInVisibility(before + String.fromCodePoint(code) + after);
      const position = [...before].length + 1;
      expect(fault).toBe(
        `contains an invisible character, ${nameOf(code)}, at position ${position}; remove it.`,
      );
    }),
    { numRuns: 500 },
  );
});
