import { expect, test } from "vitest";
import { boundWait, resultOf, waitIn } from "../../src/notify/channels/ask.ts";

test.each([
  [199, "failed"],
  [200, "delivered"],
  [299, "delivered"],
  [300, "failed"],
  [404, "gone"],
  [405, "failed"],
])("an answer with status %i means: %s", (status, kind) => {
  expect(resultOf({ kind: "answer", status }, [404]).kind).toBe(kind);
});

test("a failure says its status, and how long to wait if that is known", () => {
  const answer = { kind: "answer", status: 503 } as const;
  const failed = { kind: "failed", reason: "status 503" };
  expect(resultOf(answer, [])).toEqual(failed);
  expect(resultOf({ ...answer, retryAfterMs: 0 }, [])).toEqual({ ...failed, retryAfterMs: 0 });
  const closed = { kind: "failed", reason: "http-closed" } as const;
  expect(resultOf(closed, [])).toBe(closed);
});

test.each([
  ["0", 0],
  ["1", 1_000],
  ["86400", 86_400_000],
  ["86401", 86_400_000],
  ["999999999", 86_400_000],
  ["9999999999", undefined],
  ["1.5", undefined],
  ["-1", undefined],
  [" 1", undefined],
  ["", undefined],
  [undefined, undefined],
  [["5"], 5_000],
  [["5", "6"], undefined],
])("Retry-After %j is a wait of %j ms", (header, waitMs) => {
  expect(waitIn(header)).toBe(waitMs);
});

test("a wish to wait is followed for a day at most", () => {
  expect([boundWait(86_399.5), boundWait(86_400), boundWait(86_401)]).toEqual([
    86_399_500, 86_400_000, 86_400_000,
  ]);
});
