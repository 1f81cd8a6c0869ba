import { expect, test } from "vitest";
import { readCoverage } from "../../../src/images/text/font-coverage.ts";
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
