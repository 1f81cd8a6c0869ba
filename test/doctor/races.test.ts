import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { assessRaces, checkRaces } from "../../src/doctor/races.ts";
import { readGiven } from "../setup/given.ts";
import { makeScratchFolder } from "../store/scratch.ts";

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

test("the writes whose outcome is unknown are told", () => {
  expect(assessRaces({ ...WELL, unknown: 1 }, 20_000)).toMatchObject({
    result: "ok",
    detail: expect.stringMatching(/they met 300 times\. The outcome of 1 more is unknown\.$/u),
  });
});

const CURE = "Let one writer at a time use it: no overlapping runs, no intake.";

test.each([
  [{ lost: 1 }, "1 of 200 acknowledged updates were lost in 20 s by four writers."],
  [
    { badCreations: 1 },
    "1 of 10 creations were won by several writers, or did not stay in 20 s by four writers.",
  ],
  [
    { lost: 4, badCreations: 2, unknown: 3 },
    "4 of 200 acknowledged updates were lost and 2 of 10 creations were won by several writers, or did not stay in 20 s by four writers. The outcome of 3 more is unknown.",
  ],
])("a store that loses is a failure: %o", (fault, words) => {
  expect(assessRaces({ ...WELL, ...fault }, 20_000)).toEqual({
    result: "fail",
    detail: `${words} ${CURE}`,
  });
});

test.each([
  [
    { acknowledged: 0, unknown: 9 },
    "unknown: 0 updates were acknowledged in 1 s by four writers, which met 300 times. The outcome of 9 more is unknown. Give it more seconds.",
  ],
  [
    { acknowledged: 3, conflicts: 0 },
    "unknown: 3 updates were acknowledged in 1 s by four writers, which met 0 times. Give it more seconds.",
  ],
])("writers that never met prove nothing: %o", (few, detail) => {
  expect(assessRaces({ ...WELL, ...few }, 1_000)).toEqual({ result: "warn", detail });
});

test("four writers that meet once are enough", () => {
  expect(assessRaces({ ...WELL, acknowledged: 1, conflicts: 1 }, 1_000).result).toBe("ok");
});

describe("writers of a folder", () => {
  /** Each time that is asked is a millisecond later, so that no test waits. */
  const rules = () => {
    let nowMs = 0;
    return { now: () => (nowMs += 1), forMs: 60, stop: new AbortController().signal };
  };

  test("are four, lose nothing, and leave nothing", async () => {
    const folder = makeScratchFolder();
    const { name, result, detail } = await checkRaces("public", `file:${folder}`, rules());
    expect([name, result]).toEqual(["--store races", "ok"]);
    expect(detail).toMatch(/^(?<kept>\d+) of \k<kept> acknowledged updates kept in 0\.06 s/u);
    const left = await readdir(folder, { recursive: true, withFileTypes: true });
    expect(left.filter((one) => one.isFile())).toEqual([]);
  });

  test("that cannot write are a failure, with its reason", async () => {
    const file = join(makeScratchFolder(), "file");
    await writeFile(file, "");
    expect(await checkRaces("private", `file:${file}`, rules())).toMatchObject({
      name: "--state races",
      result: "fail",
      detail: expect.stringContaining(file),
    });
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
