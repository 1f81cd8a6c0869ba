import { expect, test } from "vitest";
import { readCoverage } from "../../../src/images/text/font.ts";
import { FONT } from "../font.ts";

test("the shipped font has all characters of Russian and English badges", () => {
  const has = readCoverage(FONT);
  const needed =
    "аптайм нет данных uptime no data 0123456789.%" +
    "АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдеёжзийклмнопрстуфхцчшщъыьэюя" +
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz«»—–№„“”…";
  expect(Array.from(needed).filter((character) => !has(character.codePointAt(0) ?? 0))).toEqual([]);
});

test("it has no emoji and no Chinese", () => {
  const has = readCoverage(FONT);
  expect(["漢", "🚀", "\uFFFF"].some((character) => has(character.codePointAt(0) ?? 0))).toBe(
    false,
  );
});

test("bytes within a larger buffer are read from their offset", () => {
  const larger = new Uint8Array(FONT.length + 7);
  larger.set(FONT, 7);
  expect(readCoverage(larger.subarray(7))(0x42f)).toBe(true);
});

test.each([
  ["no bytes", new Uint8Array(0)],
  ["text", new TextEncoder().encode("no font at all, though long enough to look for tables in it")],
  ["half a font", FONT.subarray(0, 2_000)],
])("%s are refused", (_name, bytes) => {
  expect(() => readCoverage(bytes)).toThrow(/./u);
});

/** A font of one table, `cmap`, with one map of this platform. */
function fontOf(platform: number, map: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(28 + 12 + map.length * 2);
  const view = new DataView(bytes.buffer);
  view.setUint16(4, 1);
  for (const [at, letter] of Array.from("cmap").entries())
    view.setUint8(12 + at, letter.codePointAt(0) ?? 0);
  view.setUint32(20, 28);
  view.setUint16(30, 1);
  view.setUint16(32, platform);
  view.setUint32(36, 12);
  for (const [at, word] of map.entries()) view.setUint16(40 + at * 2, word);
  return bytes;
}

/** Format 4: the letters from 65 to 70 have glyphs from 1 on, 80 to 82 those of a list in which 81 has none. */
const SEGMENTS = [
  [4, 0, 0, 6, 0, 0, 0],
  [70, 82, 0xffff, 0],
  [65, 80, 0xffff],
  [0x1_0000 - 64, 5, 1],
  [0, 4, 0],
  [3, 0, 4],
].flat();

test.each([0, 3])("a map of segments is read, of platform %i", (platform) => {
  const has = readCoverage(fontOf(platform, SEGMENTS));
  const known = Array.from({ length: 200 }, (_, code) => code).filter(has);
  expect(known).toEqual([65, 66, 67, 68, 69, 70, 80, 82]);
  expect(has(0xffff)).toBe(false);
});

test("a map of groups is read, without its glyph 0", () => {
  const has = readCoverage(
    fontOf(3, [12, 0, 0, 0, 0, 0, 0, 2, 0, 65, 0, 67, 0, 0, 1, 0xf600, 1, 0xf601, 0, 9]),
  );
  const known = Array.from({ length: 200 }, (_, code) => code).filter(has);
  expect(known).toEqual([66, 67]);
  expect([0x1_f5ff, 0x1_f600, 0x1_f601, 0x1_f602].map(has)).toEqual([false, true, true, false]);
});

test("a font with a map of another platform, or without one, is refused", () => {
  const error = new TypeError("The font has no Unicode map of format 4 or 12.");
  expect(() => readCoverage(fontOf(1, SEGMENTS))).toThrow(error);
  expect(() => readCoverage(fontOf(3, [6, 0]))).toThrow(error);
});

test("a font without any map is refused", () => {
  const font = fontOf(3, SEGMENTS).fill(0, 12, 16);
  expect(() => readCoverage(font)).toThrow(new TypeError("The font has no table cmap."));
});
