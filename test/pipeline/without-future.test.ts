import { expect, test } from "vitest";
import { notAhead, withoutFuture } from "../../src/pipeline/publish/without-future.ts";
import { T0 } from "../model/samples.ts";

test("times that are yet to come become now, everything else stays", () => {
  const bytes = new Uint8Array([1]);
  const value = {
    atMs: T0 + 1,
    before: { sinceMs: T0 - 1, tookMs: 5, endedAtMs: null },
    count: T0 + 1,
    byId: new Map([["a", { changes: [{ atMs: T0 + 9 }] }]]),
    timesMs: [T0 - 5, T0 + 5],
    slots: new Set([T0 + 5]),
    bytes,
  };
  expect(withoutFuture(value, T0)).toEqual({
    atMs: T0,
    before: { sinceMs: T0 - 1, tookMs: 5, endedAtMs: null },
    count: T0 + 1,
    byId: new Map([["a", { changes: [{ atMs: T0 }] }]]),
    timesMs: [T0 - 5, T0],
    slots: new Set([T0 + 5]),
    bytes,
  });
});

test("a number up to the year 2001 is a length of time, not a time", () => {
  expect(withoutFuture({ aMs: 1e12, bMs: 1e12 + 1 }, 5)).toEqual({ aMs: 1e12, bMs: 5 });
});

test.each([
  [T0 + 300_000, "stays"],
  [T0 + 300_001, "becomes now"],
])("a time of %i beside a clock of five minutes before %s", (atMs, end) => {
  const value = { atMs };
  expect(notAhead(value, atMs, undefined)).toBe(value);
  if (end === "stays") expect(notAhead(value, atMs, T0)).toBe(value);
  else expect(notAhead(value, atMs, T0)).toEqual({ atMs: T0 });
});
