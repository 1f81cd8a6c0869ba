import { describe, expect, test } from "vitest";
import { attempt, type Check, renderChecks } from "../../src/doctor/check.ts";
import { StoreError } from "../../src/model/store.ts";
import { StateError } from "../../src/state/state-file.ts";

describe("an attempt", () => {
  test("gives what it found, or the error of a store or a state", async () => {
    expect(await attempt(async () => 7)).toBe(7);
    for (const error of [new StoreError("read", "x", "down."), new StateError("too new.")])
      expect(await attempt(() => Promise.reject(error))).toBe(error);
  });

  test("that meets a defect throws it", async () => {
    const defect = new TypeError("a defect");
    await expect(attempt(() => Promise.reject(defect))).rejects.toBe(defect);
  });
});

test.each<readonly [readonly (readonly [string, Check["result"]])[], string]>([
  [
    [
      ["a", "ok"],
      ["long", "ok"],
    ],
    "ok    a     d\nok    long  d\n\nAll 2 checks passed.",
  ],
  [
    [
      ["a", "ok"],
      ["b", "warn"],
    ],
    "ok    a  d\nwarn  b  d\n\nAll 2 checks passed, 1 with a warning.",
  ],
  [
    [
      ["a", "fail"],
      ["b", "warn"],
    ],
    "fail  a  d\nwarn  b  d\n\n1 of 2 checks failed. Fix what they say before going to production.",
  ],
])("checks are told in columns, with a summary: %j", (checks, text) => {
  expect(renderChecks(checks.map(([name, result]) => ({ name, result, detail: "d" })))).toBe(text);
});
