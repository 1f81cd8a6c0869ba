import { expect, test } from "vitest";
import { COLOR_OF } from "../../src/model/service/verdict.ts";

test("codes have the colours of the States table of the API", () => {
  expect(Object.entries(COLOR_OF).map(([code, color]) => `${code} ${color}`)).toEqual([
    "ok ok",
    "fail bad",
    "fail_long bad",
    "err bad",
    "restricted_fail bad",
    "restricted bad",
    "slow warn",
    "partial warn",
    "spike warn",
    "slowed_ru warn",
    "partial_ru warn",
    "provider warn",
    "none none",
  ]);
});
