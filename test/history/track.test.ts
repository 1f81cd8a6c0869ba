import fc from "fast-check";
import { expect, test } from "vitest";
import { CHECK_CLASSES } from "../../src/model/history.ts";
import {
  charOfClass,
  classOfChar,
  encodeResult,
  lastState,
  levelOf,
  msOfLevel,
  stateOf,
  TRACK_PATTERN,
} from "../../src/history/track.ts";
import { failed, ok, resultOf, traceOf } from "../model/samples.ts";

test("a level is within 7 % of any time from 5 ms to 20 s", () => {
  fc.assert(
    fc.property(fc.double({ min: 5, max: 20_000, noNaN: true }), (ms) => {
      const ratio = (msOfLevel(levelOf(ms)) ?? 0) / ms;
      expect(ratio).toBeGreaterThan(0.93);
      expect(ratio).toBeLessThan(1.07);
    }),
  );
});

test.each([
  [0, "A"],
  [5, "A"],
  [20_000, "_"],
  [1e9, "_"],
])("%d ms stands at its end of the scale", (ms, char) => {
  expect(levelOf(ms)).toBe(char);
});

test("a slower answer never has a lower level", () => {
  const time = fc.integer({ min: 0, max: 30_000 });
  fc.assert(
    fc.property(time, time, (a, b) => {
      const [fast, slow] = [Math.min(a, b), Math.max(a, b)];
      expect(msOfLevel(levelOf(fast)) ?? 0).toBeLessThanOrEqual(msOfLevel(levelOf(slow)) ?? 0);
    }),
  );
});

test.each([
  ["healthy at the first try", resultOf(ok(5)), "A", "healthy"],
  ["healthy in the end", resultOf(ok(5), true), "~", "healthy"],
  ["reset", resultOf(failed("tls-reset")), "!", "failing"],
  ["5xx of the origin", resultOf(failed("http-server-error")), "%", "server-error"],
  ["5xx of whomever", resultOf(failed("http-server-error", { tlsVerified: null })), "!", "failing"],
  ["block page", resultOf(failed("http-block-page")), "#", "blocked"],
  ["denied", resultOf({ kind: "denied", trace: traceOf(9) }), "$", "denied"],
  ["skipped", resultOf({ kind: "skipped", reason: "deadline" }), "?", undefined],
] as const)("%s has its own character", (_, result, char, state) => {
  expect(encodeResult(result)).toBe(char);
  expect(stateOf(char)).toBe(state);
});

test("a block page in any attempt marks an endpoint that then fails by silence", () => {
  const silence = failed("http-timeout");
  const attempts = [failed("http-block-page"), silence];
  expect(encodeResult({ outcome: silence, isFlaky: false, attempts })).toBe("#");
});

test("a block page in an early attempt does not mark an endpoint that answered in the end", () => {
  const attempts = [failed("http-block-page"), ok()];
  expect(encodeResult({ outcome: ok(), isFlaky: true, attempts })).toBe("~");
});

test.each([
  ["", "unknown"],
  ["..?", "unknown"],
  ["!a", "healthy"],
  ["a~", "healthy"],
  ["!$", "healthy"],
  ["a!", "failing"],
  ["a%", "failing"],
  ["a#", "failing"],
  ["a!??..", "failing"],
  ["!a.?", "healthy"],
] as const)("the last state of %j is %s", (track, state) => {
  expect(lastState(track)).toBe(state);
});

test("each check class has its own character in a strip", () => {
  expect(CHECK_CLASSES.map((each) => classOfChar(charOfClass(each)))).toEqual([...CHECK_CLASSES]);
  expect(classOfChar(".")).toBeUndefined();
});

test("a track never needs an escape in JSON", () => {
  const chars = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
  const allowed = chars.filter((char) => TRACK_PATTERN.test(char)).join("");
  expect(allowed).toHaveLength(64 + 7);
  expect(JSON.stringify(allowed)).toBe(`"${allowed}"`);
});
