import { expect, test } from "vitest";
import { findDoubleIds } from "../../src/setup/registry/read-monitors.ts";

const part = (...ids: readonly string[]) => ids.map((id) => ({ id }));

test("ids of several parts are found in any letter case, and no others", () => {
  const found = findDoubleIds([part("Shop", "a_1"), part("b-2", "sHOP"), part("c", "A_1")]);
  expect([...found].toSorted()).toEqual(["a_1", "shop"]);
  expect(findDoubleIds([part("a"), part("b")]).size).toBe(0);
  expect(findDoubleIds([]).size).toBe(0);
});

test("of a hundred thousand different ids hardly one is taken for a double", () => {
  const ids = Array.from({ length: 100_000 }, (_, at) => ({ id: `shop-${at}` }));
  expect(findDoubleIds([ids]).size).toBeLessThan(20);
});
