import { expect, test } from "vitest";
import { decodeText, decodeUtf8 } from "../../src/yaml/strict-yaml.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function messageOf(source: Uint8Array | string, maxBytes = 1_000): unknown {
  const decoded = decodeText(source, maxBytes);
  if (decoded.kind === "text") return decoded.text;
  return [decoded.finding.offset, decoded.finding.message];
}

test("a byte that is no UTF-8 is found wherever it is", () => {
  for (const good of ["", "a", "ab", "абв", "a\nя😀"]) {
    for (const bad of [[0xff], [0xc3], [0xf0, 0x9f], [0xff, 0x61, 0x62]]) {
      const bytes = Uint8Array.from([...encode(good), ...bad]);
      expect(decodeUtf8(bytes, 1_000)).toEqual({
        kind: "refused",
        text: good,
        finding: {
          offset: good.length,
          path: [],
          message: "the file is not valid UTF-8 from here on; save it as UTF-8.",
        },
      });
    }
  }
});

test.each([
  ["abc", 3],
  ["яя", 4],
  ["", 0],
])("%j has %i bytes, as text and as bytes", (text, bytes) => {
  for (const source of [text, encode(text)]) {
    expect(decodeUtf8(source, bytes)).toEqual({ kind: "text", text });
    expect(decodeUtf8(source, bytes - 1)).toMatchObject({
      kind: "refused",
      finding: { offset: 0, message: `the file is over ${bytes - 1} bytes; make it shorter.` },
    });
  }
});

test("a byte order mark is removed at the beginning alone", () => {
  for (const source of ["\uFEFFa\uFEFF", encode("\uFEFFa\uFEFF")])
    expect(decodeUtf8(source, 100)).toEqual({ kind: "text", text: "a\uFEFF" });
});

test.each([
  ["\u0000", "U+0000"],
  ["\u001B", "U+001B"],
  ["\u007F", "U+007F"],
  ["\u009F", "U+009F"],
  ["\uFFFE", "U+FFFE"],
  ["\uFFFF", "U+FFFF"],
  ["\uD83D", "U+D83D"],
  ["\r", "U+000D"],
])("the character %j is refused in a file of people", (character, name) => {
  expect(messageOf(`ab${character}c`)).toEqual([
    2,
    `the character ${name} is not allowed in this file; remove it.`,
  ]);
});

test("tabs, line ends, next lines and all letters are allowed", () => {
  const text = "a\tb\nc\r\nd\u0085яё\u00A0😀~";
  expect(messageOf(text)).toBe(text);
  expect(messageOf(encode(text))).toBe(text);
});

test("characters are refused after the bytes are", () => {
  expect(messageOf(Uint8Array.from([0x00, 0xff]))).toEqual([
    1,
    "the file is not valid UTF-8 from here on; save it as UTF-8.",
  ]);
});
