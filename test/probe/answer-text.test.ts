import zlib, { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { hasText, isCoded, textOf } from "../../src/probe/answer/answer-text.ts";

const coded = (coding: string, body: Buffer) => ({ headers: { "content-encoding": coding }, body });

test("a body that cannot be shown has no text, not even that of its name", () => {
  const broken = coded("gzip", Buffer.from("no gzip"));
  expect([textOf(broken), hasText(broken, "broken"), hasText(broken, "")]).toEqual([
    "broken",
    false,
    false,
  ]);
});

test.each(["constructor", "__proto__", "none"])("the coding %s changes nothing", (coding) => {
  const body = Buffer.from("text");
  expect(textOf(coded(coding, body))).toBe(body);
});

test.each([
  ["gzip", "gzip", "gzip"],
  ["gzip, gzip", "gzip", "gzip"],
  [" GZIP ,identity", "", "gzip"],
])("a body is unpacked by all of its codings: %j", (...codings) => {
  const applied = codings.join().match(/gzip/giu) ?? [];
  const body = applied.reduce((bytes) => gzipSync(bytes), Buffer.from("text"));
  const answer = { headers: { "content-encoding": codings }, body };
  const isTooMuch = applied.length > 3;
  expect([String(textOf(answer)), isCoded(answer)]).toEqual([isTooMuch ? "broken" : "text", true]);
});

test.each([undefined, "", "identity", "Identity , identity"])(
  "a body with the coding %j is not packed",
  (coding) => {
    const headers = coding === undefined ? {} : { "content-encoding": coding };
    expect(isCoded({ headers, body: Buffer.alloc(0) })).toBe(false);
  },
);

test("codings are undone in the reverse order", () => {
  const body = gzipSync(zlib.brotliCompressSync("text"));
  expect(String(textOf(coded("br, gzip", body)))).toBe("text");
  expect(textOf(coded("gzip, br", body))).toBe("broken");
});

test("a packed body without bytes is empty", () => {
  expect(String(textOf(coded("gzip", Buffer.alloc(0))))).toBe("");
});

test("a text is decoded once for all who read it", () => {
  const answer = coded("gzip", gzipSync("text"));
  expect(textOf(answer)).toBe(textOf(answer));
  expect([hasText(answer, "ex"), hasText(answer, "xe")]).toEqual([true, false]);
});

test("of what would be too long, a beginning is read", () => {
  const text = textOf(coded("gzip", gzipSync("a".repeat(20_000_000))));
  expect(text.length).toBeGreaterThan(1_000);
  expect(text.length).toBeLessThanOrEqual(1024 * 1024);
});

test.each<readonly [string, (text: string) => Buffer]>([
  ["gzip", zlib.gzipSync],
  ["x-gzip", zlib.gzipSync],
  ["deflate", zlib.deflateSync],
  ["deflate", zlib.deflateRawSync],
  ["br", zlib.brotliCompressSync],
])("of a body in %s that was cut off, the beginning is read", (coding, compress) => {
  const numbers = Array.from({ length: 20_000 }, (_, index) => index * 7_919).join(" ");
  const packed = compress(numbers);
  const text = String(textOf(coded(coding, packed.subarray(0, packed.length / 2))));
  expect(text.length).toBeGreaterThan(1_000);
  expect(numbers.startsWith(text)).toBe(true);
});

test("a limit within a character does not make a page windows-1251", () => {
  const page = Buffer.from("Страница");
  expect(textOf({ headers: {}, body: page.subarray(0, -1) }).toString()).toContain("Страниц");
});

test.each([
  ["utf-8", [0xef, 0xbb, 0xbf, 0xd1, 0x8f]],
  ["utf-16le", [0xff, 0xfe, 0x4f, 0x04]],
  ["utf-16be", [0xfe, 0xff, 0x04, 0x4f]],
])("a mark of %s counts more than a header", (_, bytes) => {
  const headers = { "content-type": "text/html; charset=windows-1251" };
  const text = textOf({ headers, body: Buffer.from(bytes) });
  expect(String(text).replace("\uFEFF", "")).toBe("я");
});

test("without a mark the header decides, then the page, then the bytes", () => {
  const read = (body: Buffer, type?: string) =>
    String(textOf({ headers: type === undefined ? {} : { "content-type": type }, body }));
  const old = Buffer.from([0xff, 0x21]);
  expect(read(old, "text/html; charset=windows-1251")).toBe("я!");
  expect(read(old, "text/html; charset=nonsense")).toBe("я!");
  expect(read(Buffer.concat([Buffer.from("<meta charset=koi8-r>"), Buffer.from([0xd1])]))).toBe(
    "<meta charset=koi8-r>я",
  );
  expect(read(Buffer.from("я"))).toBe("я");
  expect(read(old)).toBe("я!");
  expect(read(Buffer.from("<meta charset=utf-16>я"))).toBe("<meta charset=utf-16>я");
  expect(read(old, "text/html; Charset = 'KOI8-R'")).toBe("Ъ!");
});

test("a page says its charset within its first 1,024 bytes", () => {
  const sign = "charset=koi8-r ";
  const read = (at: number) =>
    String(
      textOf({
        headers: {},
        body: Buffer.concat([Buffer.from(`${" ".repeat(at)}${sign}`), Buffer.from([0xff, 0x21])]),
      }),
    ).slice(-2);
  const lastBytes = 1_024 - "charset=koi8-r".length;
  expect([read(lastBytes), read(lastBytes + 1)]).toEqual(["Ъ!", "я!"]);
});

test.each([
  ["я", 1],
  ["€", 1],
  ["€", 2],
  ["😀", 1],
  ["😀", 2],
  ["😀", 3],
])("the character %s, cut to %d of its bytes, is in UTF-8", (character, bytes) => {
  const body = Buffer.concat([Buffer.from("яя"), Buffer.from(character).subarray(0, bytes)]);
  expect(textOf({ headers: {}, body }).toString().slice(0, 2)).toBe("яя");
});

test.each([
  [[0xd1], "я"],
  [[0x80, 0x80, 0x80, 0x80], "СЏ"],
  [[0xd1, 0x21], "СЏ"],
  [[0xf0, 0x9f, 0x98, 0x80, 0x80], "СЏ"],
])("only one character is taken for cut: after a letter, %j", (tail, letters) => {
  const text = String(textOf({ headers: {}, body: Buffer.from([0xd1, 0x8f, ...tail]) }));
  expect(text.startsWith(letters)).toBe(true);
});
