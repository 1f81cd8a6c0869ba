import { expect, test } from "vitest";
import { findSimilarIds } from "../../../src/setup/registry/edit-registry.ts";

const FAR = Array.from({ length: 50 }, (_, at) => `${at}`.padStart(12, "0"));

test.each([
  ["in another case", "SHOP", ["bank", "shop"], ["shop"]],
  [
    "with the same beginning, from three letters",
    "sho",
    ["bank", "shopping-mall"],
    ["shopping-mall"],
  ],
  ["with the same beginning of two letters only", "sh", ["shopping-mall"], []],
  ["with one wrong letter", "shap", ["bank", "shop"], ["shop"]],
  ["unlike all", "weather", ["bank", "shop"], []],
  ["of an empty registry", "shop", [], []],
  ["of one part at most one, that with the same beginning", "shop", ["shpp", "shop-1"], ["shop-1"]],
  ["of two parts", "shop", ["shop-1", ...FAR, "shop-2"], ["shop-1", "shop-2"]],
  [
    "of four parts only three",
    "shop",
    ["shop-1", ...FAR, "shop-2", ...FAR, "shop-3", ...FAR, "shop-4"],
    ["shop-1", "shop-2", "shop-3"],
  ],
])("an id %s", (_case, written, ids, similar) => {
  expect(findSimilarIds(written, ids)).toEqual(similar);
});
