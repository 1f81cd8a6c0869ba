import { describe, expect, test } from "vitest";
import { DAY_MS } from "../../../src/model/time.ts";
import type { DayTally, HeardResult, Said, Vantage } from "../../../src/model/service/vantage.ts";
import {
  failuresOnAccessLines,
  isCalibrated,
  readResult,
  tally,
  type VantageView,
} from "../../../src/services/interference/endpoint-views.ts";
import { T0 } from "../../model/samples.ts";

const TODAY = Math.floor(T0 / DAY_MS);

/** So many slots on each of some days, the last one today. */
function daysOf(days: number, healthy: number, failed: number): readonly DayTally[] {
  return Array.from({ length: days }, (_, index) => {
    return { day: TODAY - days + 1 + index, healthy, failed };
  });
}

test.each<[string, readonly DayTally[], boolean]>([
  ["nothing known", [], false],
  ["199 slots, all healthy", daysOf(1, 199, 0), false],
  ["200 slots, all healthy", daysOf(1, 200, 0), true],
  ["200 slots, 190 healthy", daysOf(1, 190, 10), true],
  ["200 slots, 189 healthy", daysOf(1, 189, 11), false],
  ["a week, half healthy", daysOf(7, 144, 144), false],
  ["200 slots eight days ago", [{ day: TODAY - 7, healthy: 200, failed: 0 }], false],
  ["200 slots tomorrow", [{ day: TODAY + 1, healthy: 200, failed: 0 }], false],
])("%s", (_, days, expected) => {
  expect(isCalibrated(days, T0)).toBe(expected);
});

describe("a tally", () => {
  test("counts an answer and a failure of today", () => {
    const once = tally(daysOf(2, 10, 1), "works", T0);
    expect(tally(once, "fails", T0).at(-1)).toEqual({
      day: TODAY,
      healthy: 11,
      failed: 2,
    });
  });

  test("does not count what says nothing", () => {
    expect(tally(daysOf(2, 10, 1), "nothing", T0)).toEqual(daysOf(2, 10, 1));
  });

  test("keeps seven days", () => {
    expect(tally(daysOf(9, 1, 0), "works", T0)).toHaveLength(7);
  });

  test("forgets days that a wrong clock put into the future", () => {
    const days = [{ day: TODAY + 400, healthy: 5, failed: 0 }];
    expect(tally(days, "works", T0)).toEqual([{ day: TODAY, healthy: 1, failed: 0 }]);
  });
});

describe("a failure on an access line", () => {
  const viewOf = (
    ofVantage: Partial<Vantage>,
    changes: Partial<VantageView> = {},
  ): VantageView => ({
    vantage: {
      id: "m1",
      kind: "moscow",
      country: "RU",
      asn: 8_359,
      network: "MTS",
      publicKey: "",
      line: "home",
      ...ofVantage,
    },
    result: { code: "tcp-timeout" },
    says: "fails",
    isCutByName: false,
    isShutToBrowsers: false,
    isCalibrated: true,
    isAboutFailure: true,
    isSameServer: true,
    isConnected: true,
    ...changes,
  });
  const { line: _, ...withoutLine } = viewOf({}).vantage;

  test.each<readonly [string, VantageView, readonly boolean[]]>([
    ["at home", viewOf({}), [true]],
    ["in an office", viewOf({ line: "office" }), [true]],
    ["on a mobile line", viewOf({ line: "mobile" }), [true]],
    ["in a data centre", viewOf({ line: "hosting" }), []],
    ["on an unknown line", { ...viewOf({}), vantage: withoutLine }, []],
    ["in a region", viewOf({ kind: "region" }), []],
    ["abroad", viewOf({ kind: "control", country: "DE" }), []],
    ["asked about something else", viewOf({}, { isAboutFailure: false }), []],
    ["with trouble of its own", viewOf({}, { isConnected: false }), []],
    ["that works", viewOf({}, { says: "works" }), [false]],
    ["that says nothing", viewOf({}, { says: "nothing" }), []],
  ])("is counted: a place %s", (_name, view, expected) => {
    expect(failuresOnAccessLines([view])).toEqual(expected);
  });

  test.each<readonly [HeardResult, number | undefined, Said]>([
    [{ code: "ok" }, 200, "works"],
    [{ code: "tls-reset" }, 200, "fails"],
    [{ code: "skipped" }, 200, "nothing"],
    [{ code: "denied" }, 200, "nothing"],
    [{ code: "ok", seen: { status: 200 } }, 200, "works"],
    [{ code: "ok", seen: { status: 204 } }, 200, "works"],
    [{ code: "ok", seen: { status: 403 } }, 200, "nothing"],
    [{ code: "ok", seen: { status: 403 } }, 403, "works"],
    [{ code: "ok", seen: { status: 404 } }, 401, "nothing"],
    [{ code: "ok", seen: { status: 200 } }, 401, "nothing"],
    [{ code: "ok", seen: { status: 200 } }, undefined, "works"],
    [{ code: "ok", seen: { status: 401 } }, undefined, "nothing"],
    [{ code: "ok", seen: { status: 200, wall: true } }, 200, "nothing"],
    [{ code: "ok", seen: { status: 200, browser: "opens" } }, 200, "works"],
    [{ code: "ok", seen: { status: 200, browser: "tls" } }, 200, "fails"],
    [{ code: "ok", seen: { status: 200, browser: "http" } }, 200, "works"],
    [{ code: "ok", seen: { status: 200, browser: "tcp" } }, 200, "works"],
    [{ code: "tls-reset", seen: { browser: "opens" } }, 200, "works"],
    [{ code: "tls-reset", seen: { browser: "tls" } }, 200, "fails"],
    [{ code: "cert-unknown-issuer", seen: { browser: "opens" } }, 200, "fails"],
    [{ code: "tcp-timeout", seen: { browser: "opens" } }, 200, "fails"],
  ])("is told by what is usual: %j, usually %s: %s", (result, usual, said) => {
    expect(readResult(result, usual)).toBe(said);
  });
});
