import { describe, expect, test } from "vitest";
import { COLOR_OF } from "../../src/contract/codes/verdict.ts";
import { minutes, T0 } from "../model/samples.ts";
import { createCodeScore } from "./code-score.ts";
import { createOutageScore, quantile } from "./outage-score.ts";
import { TOPOLOGY, eventOf } from "./samples.ts";
import { findTruth } from "./truth.ts";

const END = T0 + minutes(3 * 24 * 60);
const at = (minute: number): number => T0 + minutes(minute);
const glitch = (): string => "glitch";

/** The bank is down from the 60th to the 120th minute, and `partial` from the 200th to the 260th. */
const TRUTHS = findTruth(
  TOPOLOGY,
  [eventOf(), eventOf({ sites: [2], startMs: T0 + minutes(200), endMs: T0 + minutes(260) })],
  T0,
  END,
);

function outageScore() {
  return createOutageScore(TRUTHS, [true, false], T0);
}

describe("score of outages", () => {
  test("an outage that is reported in time has a delay and is not missed", () => {
    const score = outageScore();
    score.record(0, at(64), true, glitch);
    const figures = score.finish(END);
    expect(figures).toMatchObject({
      delaysMs: [minutes(4)],
      outages: [0, 0, 0, 1],
      missed: [0, 0, 0, 0],
    });
    expect(figures.falseByCause.size).toBe(0);
  });

  test("an outage that is never reported is missed", () => {
    expect(outageScore().finish(END).missed).toEqual([0, 0, 0, 1]);
  });

  test("a false outage counts once, with its cause, until it ends", () => {
    const score = outageScore();
    for (const [minute, isDown] of [
      [10, true],
      [15, true],
      [20, false],
      [25, true],
    ] as const)
      score.record(0, at(minute), isDown, glitch);
    expect(score.finish(END).falseByCause).toEqual(new Map([["glitch", 2]]));
  });

  test("an outage that is reported shortly after its end is late, not false", () => {
    const score = outageScore();
    score.record(0, at(126), true, glitch);
    const figures = score.finish(END);
    expect(figures.falseByCause.size).toBe(0);
    expect(figures.delaysMs).toEqual([minutes(66)]);
  });

  test("an outage that is reported for a partial failure is exaggerated", () => {
    const score = outageScore();
    score.record(0, at(230), true, glitch);
    expect(score.finish(END)).toMatchObject({ exaggerated: 1, falseByCause: new Map() });
  });

  test("a restricted service does not count", () => {
    const score = outageScore();
    score.record(1, at(10), true, glitch);
    expect(score.finish(END).falseByCause.size).toBe(0);
  });

  test("a quantile of an empty list is undefined", () => {
    expect(quantile([], 0.5)).toBeUndefined();
    expect(quantile([1, 2, 3, 4], 0.5)).toBe(3);
    expect(quantile([1, 2, 3, 4], 1)).toBe(4);
  });
});

describe("score of codes", () => {
  const verdict = (code: "ok" | "fail" | "fail_long", sinceMs: number) =>
    code === "ok"
      ? { code, color: COLOR_OF[code], live: false, sinceMs }
      : { code, color: COLOR_OF[code], live: true, sinceMs };

  function score() {
    return createCodeScore(TRUTHS, [true, false], T0);
  }

  test("a sample is right if its code is true now or was within one detection", () => {
    const codes = score();
    codes.publish(0, at(1), at(0), verdict("ok", T0), glitch);
    for (const minute of [50, 63, 75]) codes.sample(at(minute), () => "outage");
    const { matrix, right, wrong } = codes.finish(END);
    expect(matrix.ok.ok).toBe(1);
    expect(matrix.fail.ok).toBe(2);
    expect([right.ok, right.fail]).toEqual([1, 1]);
    expect([...wrong]).toEqual([["`fail` reported as `ok`: outage", 1]]);
  });

  test("published and true changes are counted", () => {
    const codes = score();
    for (const [minute, code] of [
      [1, "ok"],
      [64, "fail"],
      [121, "ok"],
    ] as const)
      codes.publish(0, at(minute), at(minute), verdict(code, at(minute)), glitch);
    expect(codes.finish(END)).toMatchObject({ publishedChanges: 2, trueChanges: 4 });
  });

  test("a since that moves within an outage is counted, with its distance", () => {
    const codes = score();
    codes.publish(0, at(65), at(65), verdict("fail", at(65)), glitch);
    codes.publish(0, at(70), at(70), verdict("fail", at(70)), glitch);
    codes.publish(0, at(75), at(75), verdict("fail", at(70)), glitch);
    expect(codes.finish(END).since).toEqual({
      reported: 1,
      moves: 1,
      firstMs: [minutes(5)],
      lastMs: [minutes(10)],
      youngLong: 0,
    });
  });

  test("a long failure that began less than a day ago is counted", () => {
    const codes = score();
    codes.publish(0, at(70), at(70), verdict("fail_long", at(65)), glitch);
    expect(codes.finish(END).since.youngLong).toBe(1);
  });

  test("a wrong live is counted if the code is right", () => {
    const codes = score();
    codes.publish(0, at(64), at(64), { ...verdict("fail", at(60)), live: false }, glitch);
    codes.sample(at(70), glitch);
    expect(codes.finish(END).live).toEqual({ samples: 1, wrong: 1 });
  });
});
