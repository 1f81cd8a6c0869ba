import { expect, test } from "vitest";
import { withoutFuture } from "../../src/pipeline/publish/without-future.ts";
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
