import { expect, test } from "vitest";
import { assessRaces } from "../../src/doctor/races.ts";
import { readGiven } from "../setup/given.ts";

const WELL = {
  acknowledged: 200,
  lost: 0,
  creations: 10,
  badCreations: 0,
  conflicts: 300,
  unknown: 0,
};

test("a store that kept everything is ok, with the counts", () => {
  expect(assessRaces(WELL, 20_000)).toEqual({
    result: "ok",
    detail:
      "200 of 200 acknowledged updates kept in 20 s by four writers, 10 creations each won once; they met 300 times.",
  });
});

test.each([
  [{ lost: 4 }, "4 of 200 acknowledged updates were lost in 20 s by four writers."],
  [{ badCreations: 1 }, "1 of 10 creations were won by several writers, or did not stay"],
  [{ lost: 4, unknown: 3 }, "The outcome of 3 more is unknown."],
])("a store that loses is a failure: %o", (fault, words) => {
  const { result, detail } = assessRaces({ ...WELL, ...fault }, 20_000);
  expect(result).toBe("fail");
  expect(detail).toContain(words);
  expect(detail).toContain("Let one writer at a time use it");
});

test.each([
  { acknowledged: 0, unknown: 9 },
  { acknowledged: 3, conflicts: 0 },
])("writers that never met prove nothing: %o", (few) => {
  expect(assessRaces({ ...WELL, ...few }, 1_000)).toMatchObject({
    result: "warn",
    detail: expect.stringMatching(/^unknown: /u),
  });
});

test("the time of the races is in seconds, or the default", () => {
  const read = (races?: string | true) => readGiven(["doctor"], { races });
  expect(read()).toMatchObject({ value: { raceMs: undefined } });
  expect(read(true)).toMatchObject({ value: { raceMs: 20_000 } });
  expect(read("1.5")).toMatchObject({ value: { raceMs: 1_500 } });
});

test.each(["0", "601", "-1", "two", "1e2", ""])("%j is refused as a time of races", (text) => {
  expect(readGiven(["doctor"], { races: text })).toMatchObject({
    problem: expect.stringContaining("--races"),
  });
});
