import { expect, test } from "vitest";
import {
  fits,
  formatOf,
  MAX_BYTES,
  parseMonitors,
} from "../../../src/monitors/registry/parse-registry.ts";

test("JSON lines fit up to 64 MiB, whatever their letters take", () => {
  const most = MAX_BYTES["json-lines"];
  expect(most).toBe(64 * 1024 * 1024);
  const text = "a".repeat(most);
  expect([fits(text, 1), fits(`${text}a`, 1)]).toEqual([true, false]);
  const russian = "я".repeat(most / 2);
  expect([fits(russian, 1), fits(`${russian}a`, 1)]).toEqual([true, false]);
});

test("JSON lines fit up to 150,000 monitors", () => {
  expect([fits("", 150_000), fits("", 150_001)]).toEqual([true, false]);
});

test.each([
  ["", undefined],
  [" \t\r\n", undefined],
  ["{", "json-lines"],
  ["\uFEFF\n {", "json-lines"],
  ["monitors:", "yaml"],
  ["\uFEFF# {", "yaml"],
  ["}", "yaml"],
] as const)("the format of %j is %s, as text and as bytes", (text, format) => {
  expect(formatOf(text)).toBe(format);
  expect(formatOf(new TextEncoder().encode(text))).toBe(format);
});

test.each([
  ["is private", "is private."],
  ["is private.", "is private."],
  ["is private?", "is private?"],
])("a URL that is refused with %j has one sign at its end", (refusal, message) => {
  const rules = { refusalOfUrl: () => refusal };
  const { problems } = parseMonitors('{"id":"a","url":"http://a/"}', rules);
  expect(problems.map((one) => one.message)).toEqual([message]);
});
