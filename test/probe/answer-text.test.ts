import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { hasText, textOf } from "../../src/probe/answer/answer-text.ts";

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

test("of what would be too long, a beginning is read", () => {
  const text = textOf(coded("gzip", gzipSync("a".repeat(20_000_000))));
  expect(text.length).toBeGreaterThan(1_000);
  expect(text.length).toBeLessThanOrEqual(1024 * 1024);
});

test("a limit within a character does not make a page windows-1251", () => {
  const page = Buffer.from("Страница");
  expect(textOf({ headers: {}, body: page.subarray(0, -1) }).toString()).toContain("Страниц");
});
