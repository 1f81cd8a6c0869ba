import { expect, test } from "vitest";
import { DEFAULT_CONFIRM } from "../../../src/setup/options/texts.ts";
import { readGiven } from "../given.ts";

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
])("--host %s is taken as it is", (host) => {
  expect(readGiven(["listen"], { host })).toEqual({ value: { host } });
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
])("--host %j is refused with what to write", (host) => {
  expect(readGiven(["listen"], { host })).toEqual({
    problem: expect.stringContaining(`--host ${host}: give an address such as 127.0.0.1`),
  });
});

test("the last delay of confirm is for doubtful failures only by default", () => {
  const read = (confirm?: string) => readGiven(["run"], { confirm });
  const delays = (confirmation: object) => ({ value: expect.objectContaining({ confirmation }) });
  const byDefault = { confirmDelaysMs: [20_000, 60_000, 100_000], doubtDelayMs: 160_000 };
  expect(read()).toEqual(delays(byDefault));
  expect(read(DEFAULT_CONFIRM)).toEqual(delays(byDefault));
  expect(read("20,60,100")).toEqual(delays({ confirmDelaysMs: [20_000, 60_000, 100_000] }));
  expect(read("5,160")).toEqual(delays({ confirmDelaysMs: [5_000, 160_000] }));
  expect(read("none")).toEqual(delays({ confirmDelaysMs: [] }));
  expect(read("60,20")).toHaveProperty("problem");
});

test("a wrong value is a problem, and the default stands for it", () => {
  expect(readGiven(["run"], { deadline: "x", line: "boat" })).toEqual({
    problem: [
      "deadline x: give a number of seconds such as 240, at most a day.",
      "line boat: give one of hosting, home, office, mobile.",
    ].join("\n"),
  });
});
