import { expect, test } from "vitest";
import { createFloodGuard } from "../../src/http-server/rate-limit.ts";

test("it allows a burst, then the rate, and never more than the burst", () => {
  const mayPost = createFloodGuard({ burst: 3, perSecond: 2 });
  const tryAt = (nowMs: number) => mayPost("n", nowMs);
  expect([0, 0, 0].map(tryAt)).toEqual([undefined, undefined, undefined]);
  expect(tryAt(0)).toBe(500);
  expect(tryAt(250)).toBe(250);
  expect(tryAt(500)).toBeUndefined();
  expect(tryAt(500)).toBe(500);
  expect([9_000, 9_000, 9_000].map(tryAt)).toEqual([undefined, undefined, undefined]);
  expect(tryAt(9_000)).toBe(500);
});

test("a clock that goes back adds no tokens and blocks no client", () => {
  const mayPost = createFloodGuard({ burst: 1, perSecond: 1 });
  expect(mayPost("n", 3_600_000)).toBeUndefined();
  expect(mayPost("n", 0)).toBe(1_000);
  expect(mayPost("n", 1_000)).toBeUndefined();
});

test("memory is bounded: the least recent network starts with a full bucket", () => {
  const mayPost = createFloodGuard({ burst: 1, perSecond: 1, networks: 2 });
  expect(mayPost("a", 0)).toBeUndefined();
  expect(mayPost("b", 0)).toBeUndefined();
  expect(mayPost("a", 0)).toBe(1_000);
  expect(mayPost("c", 0)).toBeUndefined();
  expect(mayPost("a", 0)).toBe(1_000);
  expect(mayPost("b", 0)).toBeUndefined();
});

test("by default a network posts sixty times at once and then once a second", () => {
  const mayPost = createFloodGuard();
  const answers = Array.from({ length: 61 }, () => mayPost("n", 0));
  expect(answers.slice(0, 60)).toEqual(Array(60).fill(undefined));
  expect(answers[60]).toBe(1_000);
  expect([500, 1_000, 1_000].map((nowMs) => mayPost("n", nowMs))).toEqual([500, undefined, 1_000]);
});

test("each network has tokens of its own", () => {
  const mayPost = createFloodGuard({ burst: 1 });
  expect(["a", "b", "a"].map((network) => mayPost(network, 0))).toEqual([
    undefined,
    undefined,
    1_000,
  ]);
});
