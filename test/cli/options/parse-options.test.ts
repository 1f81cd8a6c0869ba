import { expect, test } from "vitest";
import { DEFAULT_CONFIRM, parseConfirm, parseHost } from "../../../src/setup/parse-options.ts";

test.each([
  "127.0.0.1",
  "0.0.0.0",
  "::",
  "::1",
  "fe80::1%eth0",
  "localhost",
  "intake.example.ru",
  "my_host-7",
  "example.ru.",
])("--host %s is taken as it is", (text) => {
  expect(parseHost(text)).toEqual({ value: text });
});

test.each([
  "",
  " ",
  "[::1]",
  "127.0.0.1:8081",
  "http://127.0.0.1",
  "localhost/",
  "a b",
  "a..b",
  "-a",
  ".",
  "пример.рф",
  "a".repeat(254),
])("--host %j is refused with what to write", (text) => {
  expect(parseHost(text)).toEqual({
    problem: expect.stringContaining(`--host ${text}: give an address such as 127.0.0.1`),
  });
});

test("the last delay of --confirm is for doubtful failures only by default", () => {
  expect(parseConfirm(DEFAULT_CONFIRM)).toEqual({
    value: { confirmDelaysMs: [20_000, 60_000, 100_000], doubtDelayMs: 160_000 },
  });
  expect(parseConfirm("20,60,100")).toEqual({
    value: { confirmDelaysMs: [20_000, 60_000, 100_000] },
  });
  expect(parseConfirm("5,160")).toEqual({ value: { confirmDelaysMs: [5_000, 160_000] } });
  expect(parseConfirm("none")).toEqual({ value: { confirmDelaysMs: [] } });
  expect(parseConfirm("60,20")).toHaveProperty("problem");
});
