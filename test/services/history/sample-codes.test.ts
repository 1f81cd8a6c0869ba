import { expect, test } from "vitest";
import { CHECK_CLASSES } from "../../../src/model/service/history.ts";
import {
  charOfClass,
  classOfChar,
  countChars,
  countFirstAnswers,
  countWalls,
  encodeResult,
  failingRuns,
  isAnyDecided,
  lastState,
  stateOf,
  SAMPLES_PATTERN,
} from "../../../src/services/history/sample-codes.ts";
import { failed, ok, resultOf, traceOf } from "../../model/samples.ts";

test.each([
  ["healthy at the first try", resultOf(ok(5)), "A", "healthy"],
  ["healthy after a retry", resultOf(ok(5), true), "~", "healthy"],
  ["a wall", resultOf({ kind: "ok", trace: traceOf(5, { wall: "qrator" }) }), "@", "healthy"],
  ["reset", resultOf(failed("tls-reset")), "!", "failing"],
  ["5xx of the origin", resultOf(failed("http-server-error")), "%", "server-error"],
  [
    "5xx without verified TLS",
    resultOf(failed("http-server-error", { tlsVerified: null })),
    "!",
    "failing",
  ],
  ["block page", resultOf(failed("http-block-page")), "#", "blocked"],
  ["denied", resultOf({ kind: "denied", trace: traceOf(9) }), "$", "denied"],
  ["skipped", resultOf({ kind: "skipped", reason: "deadline" }), "?", undefined],
  [
    "a failure that places outvote",
    { ...resultOf(failed("tls-reset")), outvotedBy: "healthy" },
    "=",
    "healthy",
  ],
  ["an answer that places outvote", { ...resultOf(ok(5)), outvotedBy: "failing" }, "!", "failing"],
  [
    "silence that may be a refusal",
    { ...resultOf(failed("tls-reset")), mayBeRefused: true },
    "*",
    undefined,
  ],
  [
    "a block page that may be a refusal",
    { ...resultOf(failed("http-block-page")), mayBeRefused: true },
    "*",
    undefined,
  ],
  ["4 s after refusals", { ...resultOf(ok(4_000), true), mayBeRefused: true }, "+", "healthy"],
  [
    "more than 4 s after refusals",
    { ...resultOf(ok(4_001), true), mayBeRefused: true },
    "z",
    "healthy",
  ],
] as const)("%s has its own character", (_, result, char, state) => {
  expect(encodeResult(result)).toBe(char);
  expect(stateOf(char)).toBe(state);
});

test("a block page in any attempt marks an endpoint that then times out", () => {
  const silence = failed("http-timeout");
  const attempts = [failed("http-block-page"), silence];
  expect(encodeResult({ outcome: silence, isFlaky: false, attempts })).toBe("#");
});

test("a block page in an early attempt does not mark an endpoint that then answers", () => {
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
  ["a^", "healthy"],
  ["a&", "suspect"],
  ["a&?", "suspect"],
  ["&a", "healthy"],
  ["!&!", "failing"],
  ["**", "failing"],
  ["a*", "healthy"],
  ["*?.", "failing"],
] as const)("the last state of %j is %s", (samples, state) => {
  expect(lastState(samples)).toBe(state);
});

test("each check class has its own character in a strip", () => {
  expect(CHECK_CLASSES.map((each) => classOfChar(charOfClass(each)))).toEqual([...CHECK_CLASSES]);
  expect(classOfChar(".")).toBeUndefined();
});

test("samples never need an escape in JSON", () => {
  const chars = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
  const allowed = chars.filter((char) => SAMPLES_PATTERN.test(char)).join("");
  expect(allowed).toHaveLength(64 + 13);
  expect(JSON.stringify(allowed)).toBe(`"${allowed}"`);
});

test.each([
  ["", 0],
  ["aa", 0],
  ["a!", 1],
  ["a!?%.#^", 3],
  ["!!a!", 1],
  ["!!!", 3],
  ["!$", 0],
])("the last runs in a row that found %j failing are %i", (samples, runs) => {
  expect(failingRuns(samples)).toBe(runs);
});

test.each([
  ["", false],
  ["?.*^&", false],
  ["?a", true],
  ["!", true],
])("some run has decided about %j: %s", (samples, expected) => {
  expect(isAnyDecided(samples)).toBe(expected);
});

test("first answers are those without a retry, a refusal or the word of another place", () => {
  expect(countFirstAnswers("aZ@$*+~=!%#?.^&")).toEqual({ first: 4, late: 3 });
});

test("characters are counted from a run up to another, where they count", () => {
  const counts = countChars("abcab", 1, 4, (index) => index !== 2);
  expect([...counts]).toEqual([
    ["a", 1],
    ["b", 1],
  ]);
});

test("walls are counted among the runs that decided something", () => {
  expect(countWalls("@@a!?.~^@")).toEqual({ walled: 3, decided: 6 });
  expect(countWalls("")).toEqual({ walled: 0, decided: 0 });
});
