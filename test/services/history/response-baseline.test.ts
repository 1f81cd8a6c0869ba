import { describe, expect, test } from "vitest";
import { EMPTY_HISTORY, type History, type RunMark } from "../../../src/model/service/history.ts";
import type { Outcome } from "../../../src/model/probe-outcome.ts";
import {
  countCongested,
  failingShare,
  isChronic,
  isCongested,
  isFlapping,
  isLongFailing,
  isSlow,
  lastRecent,
  responseStats,
  slowThresholdMs,
} from "../../../src/services/history/response-baseline.ts";
import { anchorKey } from "../../../src/services/history/sample-codes.ts";
import { levelOf, msOfLevel } from "../../../src/model/response-level.ts";
import { failed, minutes, ok, T0 } from "../../model/samples.ts";

function runsOf(count: number, congested: readonly number[] = []): readonly RunMark[] {
  return Array.from({ length: count }, (_, index) => ({
    atMs: T0 + minutes(5 * index),
    isCongested: congested.includes(index),
    connectivity: "fine",
  }));
}

function times(...ms: readonly number[]): string {
  return ms.map(levelOf).join("");
}

describe("the median of response times", () => {
  test("excludes failing, flaky, denied, skipped and absent runs", () => {
    const samples = `!%#$?.~${times(100)}`;
    expect(responseStats(samples, runsOf(8)).sampleCount).toBe(1);
  });

  test("excludes congested runs", () => {
    const stats = responseStats(times(100, 9_000, 9_000), runsOf(3, [1, 2]));
    expect(stats).toEqual({ medianMs: msOfLevel(levelOf(100)), sampleCount: 1 });
  });

  test("is the middle sample, or the mean of the two middle ones", () => {
    const [fast, middle, slow] = [msOfLevel("a"), msOfLevel("k"), msOfLevel("z")];
    expect(responseStats("zak", runsOf(3)).medianMs).toBeCloseTo(middle ?? 0);
    expect(responseStats("za", runsOf(2)).medianMs).toBeCloseTo(((fast ?? 0) + (slow ?? 0)) / 2);
  });

  test("is undefined without samples", () => {
    expect(responseStats("!!", runsOf(2))).toEqual({ medianMs: undefined, sampleCount: 0 });
  });
});

test.each([
  ["no samples", undefined, 0, 8_000],
  ["199 samples", 100, 199, 8_000],
  ["fast endpoint: 4 s", 100, 200, 4_000],
  ["just above: median + 3 s", 1_000, 200, 4_000],
  ["four medians", 1_250, 200, 5_000],
  ["never above 8 s", 3_000, 200, 8_000],
])("the slow threshold with %s", (_, medianMs, sampleCount, thresholdMs) => {
  expect(slowThresholdMs(medianMs, sampleCount)).toBe(thresholdMs);
});

describe("slow", () => {
  const usual = levelOf(300).repeat(200);
  const S = levelOf(4_000);
  const F = levelOf(300);

  test.each([
    [S, false],
    [S + S, false],
    [S + S + S, true],
    [S + F + S + S, true],
    [S + S + S + F, true],
    [S + S + F + F, false],
    [S + S + S + F + F, false],
    [`${S}!${S}${S}`, true],
    [`${S}?.~${S}~${S}`, true],
  ])("three of the last four measured runs: …%s", (tail, expected) => {
    const samples = usual + tail;
    expect(isSlow(samples, runsOf(samples.length), false)).toBe(expected);
  });

  test.each([
    ["a quarter above", 1, false],
    ["more than a quarter above", 1.1, true],
  ])("one run %s the threshold", (_, more, expected) => {
    const samples = usual + levelOf(4_000 * 1.25 * more);
    expect(isSlow(samples, runsOf(samples.length), false)).toBe(expected);
  });

  test("without a baseline four seconds are not slow and nine are", () => {
    expect(isSlow(S + S + S, runsOf(3), false)).toBe(false);
    expect(isSlow(times(9_000, 9_000, 9_000), runsOf(3), false)).toBe(true);
  });

  test("a run is not part of its own baseline", () => {
    const samples = usual.slice(3) + S + S + S;
    expect(isSlow(samples, runsOf(samples.length), false)).toBe(false);
    expect(isSlow(samples + F, runsOf(samples.length + 1), false)).toBe(true);
  });

  test("a congested run neither makes a service slow nor ends slowness", () => {
    const samples = usual + S + S + S;
    expect(isSlow(samples, runsOf(samples.length, [202]), false)).toBe(false);
    expect(isSlow(samples + F + F, runsOf(samples.length + 2, [203, 204]), false)).toBe(true);
  });

  test("a slow run before a gap of more than an hour does not count", () => {
    const samples = usual + S + S + S;
    const runs = runsOf(samples.length);
    const late = runs.with(202, {
      atMs: T0 + minutes(5 * 201 + 61),
      isCongested: false,
      connectivity: "fine",
    });
    expect(isSlow(samples, late, false)).toBe(false);
  });
});

test.each([
  ["aaa~~~", false],
  ["aa~~~~", true],
  ["~~~~a", true],
  ["~~~~aa", false],
  ["~?~?.?~~", true],
  ["~!~!~~", true],
  ["a~a~~~", true],
  ["~a~a~a~", false],
  ["~a~~a~", true],
])("retries in four of six decided runs flap: %s is %s", (samples, expected) => {
  expect(isFlapping(samples, runsOf(samples.length))).toBe(expected);
});

test("a retry in a run with network trouble does not count, a first success does", () => {
  const lossy = runsOf(6).map((run, index): RunMark => {
    return index < 4 ? run : { ...run, connectivity: "lossy" };
  });
  expect(isFlapping("aa~~~~", lossy)).toBe(false);
  expect(isFlapping("~~~~aa", lossy)).toBe(false);
  expect(isFlapping("~~~~~~", lossy)).toBe(true);
  expect(isFlapping("aa~~~~", runsOf(6, [2, 3, 4, 5]))).toBe(false);
});

describe("hysteresis of slow", () => {
  const S = levelOf(5_000);
  const between = levelOf(3_500);

  test("a slow service stays slow down to nine tenths of the threshold", () => {
    const samples = levelOf(300).repeat(200) + between + between + between;
    expect(isSlow(samples, runsOf(samples.length), false)).toBe(false);
    expect(isSlow(samples, runsOf(samples.length), true)).toBe(true);
  });

  test("a latency that lasts for a day becomes the usual one", () => {
    const day = 24 * 12;
    const until = (runs: number) => levelOf(300).repeat(6 * day) + S.repeat(runs);
    expect(isSlow(until(day / 2), runsOf(until(day / 2).length), true)).toBe(true);
    expect(isSlow(until(day), runsOf(until(day).length), true)).toBe(false);
  });

  test.each([
    [28, false],
    [29, true],
  ])("it does if less than a tenth of a day of 288 runs was fast: %i is slow: %s", (fast, slow) => {
    const day = levelOf(300).repeat(fast) + S.repeat(288 - fast);
    const samples = levelOf(300).repeat(6 * 288) + day + S;
    expect(isSlow(samples, runsOf(samples.length), true)).toBe(slow);
  });

  test.each([
    [0.95, false],
    [0.8, true],
  ])("it does from nine tenths of the limit on: a day at %d of it is slow: %s", (share, slow) => {
    const limitMs = 4_000;
    const day = levelOf(limitMs * share).repeat(288);
    const samples = levelOf(300).repeat(6 * 288) + day + levelOf(limitMs * 1.15).repeat(3);
    expect(isSlow(samples, runsOf(samples.length), false)).toBe(slow);
  });

  test("a slow evening on each day does not", () => {
    const evening = levelOf(300).repeat(240) + S.repeat(48);
    const samples = evening.repeat(6);
    expect(isSlow(samples, runsOf(samples.length), true)).toBe(true);
  });
});

test("the failing share counts only decided runs, and a denial as an answer", () => {
  expect(failingShare("!%#a~$??..")).toEqual({ ratio: 0.5, decided: 6 });
  expect(failingShare("??")).toEqual({ ratio: 0, decided: 0 });
});

test.each([
  ["95 % of a day", "!".repeat(285) + "a".repeat(15), true],
  ["a little less", "!".repeat(284) + "a".repeat(16), false],
  ["less than a day", "!".repeat(287), false],
  ["a day", "!".repeat(288), true],
  ["a day of which one run was skipped", `${"!".repeat(287)}?`, false],
])("an endpoint is chronic after failing %s", (_, samples, expected) => {
  expect(isChronic(samples)).toBe(expected);
});

test.each([
  ["a day", "!".repeat(289), true],
  ["a day, of which most runs did not decide", `!${"?".repeat(287)}!`, true],
  ["less than a day, of which most runs did not decide", `!${"?".repeat(286)}!`, false],
  ["a run less than a day", "!".repeat(288), false],
  ["a day with a run that answered", `${"!".repeat(288)}a!`, false],
  ["a day after it answered", `a${"!".repeat(289)}`, true],
  ["a day, of which the last runs did not decide", `${"!".repeat(287)}??`, true],
  ["no run", "?".repeat(300), false],
])("an endpoint has failed for long after %s", (_, samples, expected) => {
  expect(isLongFailing(samples, runsOf(samples.length))).toBe(expected);
});

test("congested runs are counted in the last day", () => {
  expect(countCongested(runsOf(289, [0, 1, 288]))).toEqual({ congested: 2, of: 288 });
  expect(countCongested([])).toEqual({ congested: 0, of: 0 });
});

test.each([
  [3, 60, "cba"],
  [2, 60, "cb"],
  [3, 10, "cba"],
  [3, 9, "cb"],
  [3, 0, "c"],
])("of the last samples, %i at most, those up to %i minutes old count: %s", (count, age, found) => {
  const samples = lastRecent("abc", runsOf(3), count, () => true, minutes(age));
  expect(samples.join("")).toBe(found);
});

describe("congestion", () => {
  const urls = ["https://a.ru/", "https://b.ru/", "https://c.ru/"];

  function historyOf(samples: string): History {
    const endpoints = new Map(urls.map((url) => [anchorKey(url), samples]));
    return { ...EMPTY_HISTORY, updatedAtMs: T0, runs: runsOf(samples.length), endpoints };
  }

  function anchorsOf(...outcomes: readonly Outcome[]): ReadonlyMap<string, Outcome> {
    return new Map(outcomes.map((outcome, index) => [urls[index] ?? "", outcome]));
  }

  const known = historyOf(levelOf(100).repeat(200));

  test("is detected if most anchors take twice their usual time", () => {
    expect(isCongested(known, anchorsOf(ok(250), ok(250), ok(100)), 0)).toBe(true);
  });

  test("is detected from twice the usual time on, by the mean of the two middle anchors", () => {
    const usualMs = msOfLevel(levelOf(100)) ?? 0;
    expect(isCongested(known, anchorsOf(ok(2 * usualMs)), 0)).toBe(true);
    expect(isCongested(known, anchorsOf(ok(1.99 * usualMs)), 0)).toBe(false);
    expect(isCongested(known, anchorsOf(ok(usualMs), ok(3 * usualMs)), 0)).toBe(true);
    expect(isCongested(known, anchorsOf(ok(usualMs), ok(2.9 * usualMs)), 0)).toBe(false);
  });

  test("is not detected if only one anchor is slow", () => {
    expect(isCongested(known, anchorsOf(ok(100), ok(2_000), ok(100)), 0)).toBe(false);
  });

  test("is detected if the event loop lags by 100 ms", () => {
    expect(isCongested(known, anchorsOf(ok(100)), 100)).toBe(true);
    expect(isCongested(known, anchorsOf(ok(100)), 99)).toBe(false);
  });

  test("is not detected without a baseline or without an answer", () => {
    const young = historyOf(levelOf(100).repeat(199));
    expect(isCongested(young, anchorsOf(ok(9_000), ok(9_000)), 0)).toBe(false);
    expect(isCongested(known, anchorsOf(failed("tcp-timeout")), 0)).toBe(false);
  });
});
