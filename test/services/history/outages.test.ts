import { describe, expect, test } from "vitest";
import type { Outage } from "../../../src/model/service/history.ts";
import type { EndpointResult } from "../../../src/model/probe-outcome.ts";
import { foldOutages, MAX_OUTAGES } from "../../../src/services/history/episodes.ts";
import { failed, minutes, ok, resultOf, T0 } from "../../model/samples.ts";

const DOWN = { checkClass: "failing", sinceMs: T0, isSinceExact: true } as const;
const UP = { checkClass: "up", sinceMs: T0 + minutes(10), isSinceExact: true } as const;

const runAt = (atMinutes: number, failing: readonly EndpointResult[] = [], lastMinutes = 5) => ({
  atMs: T0 + minutes(atMinutes),
  checkedAtMs: T0 + minutes(atMinutes - lastMinutes),
  failing,
  counted: 3,
});
const RESET = resultOf(failed("tls-reset"));
const TIMEOUT = resultOf(failed("tcp-timeout"));

describe("an outage", () => {
  const begun = foldOutages([], DOWN, runAt(0, [TIMEOUT]));

  test("begins with the episode, and has its cause", () => {
    expect(begun).toEqual<readonly Outage[]>([
      {
        sinceMs: T0,
        isSinceExact: true,
        endedAtMs: null,
        code: "tcp-timeout",
        failing: 1,
        counted: 3,
      },
    ]);
  });

  test("takes the cause of the run in which most endpoints failed", () => {
    const worse = foldOutages(begun, DOWN, runAt(5, [RESET, TIMEOUT, RESET]));
    const milder = foldOutages(worse, DOWN, runAt(10, [TIMEOUT]));
    expect(milder).toMatchObject([{ code: "tls-reset", failing: 3, endedAtMs: null }]);
  });

  test("ends with the first healthy run, and continues with a relapse", () => {
    const ended = foldOutages(begun, UP, runAt(10));
    expect(ended).toMatchObject([{ endedAtMs: T0 + minutes(10) }]);
    expect(foldOutages(ended, UP, runAt(15))).toBe(ended);
    const again = foldOutages(ended, DOWN, runAt(20, [RESET]));
    expect(again).toMatchObject([{ sinceMs: T0, endedAtMs: null, code: "tcp-timeout" }]);
  });

  test("that ended in a gap without runs ends with the last run that saw it", () => {
    expect(foldOutages(begun, UP, runAt(60, [], 60))).toMatchObject([{ endedAtMs: T0 }]);
  });

  test("without a probed endpoint has no cause", () => {
    expect(foldOutages([], DOWN, runAt(0, []))).toMatchObject([{ code: null, failing: 0 }]);
    expect(foldOutages([], DOWN, runAt(0, [resultOf(ok())]))).toMatchObject([{ code: null }]);
  });
});

test("only the last ten outages are kept", () => {
  let outages: readonly Outage[] = [];
  for (let at = 0; at < MAX_OUTAGES + 2; at += 1) {
    const sinceMs = T0 + minutes(at * 60);
    outages = foldOutages(outages, { ...DOWN, sinceMs }, runAt(at * 60, [RESET]));
    outages = foldOutages(outages, UP, runAt(at * 60 + 5));
  }
  expect(outages).toHaveLength(MAX_OUTAGES);
  expect(outages[0]?.sinceMs).toBe(T0 + minutes(2 * 60));
});
