import { expect, test } from "vitest";
import { createNewestMap } from "../../src/model/bounded-map.ts";

test("the last keys are remembered, and never more than twice as many", () => {
  const map = createNewestMap<number, string>(10);
  for (let key = 0; key < 100; key += 1) {
    map.set(key, String(key));
    for (let other = Math.max(0, key - 9); other <= key; other += 1) {
      expect(map.get(other)).toBe(String(other));
    }
    if (key >= 20) expect(map.get(key - 20)).toBeUndefined();
  }
});

test("a key that is set again has its new value, and lives on", () => {
  const map = createNewestMap<string, number>(3);
  for (let time = 0; time < 50; time += 1) {
    map.set("often", time);
    map.set(`once-${time}`, time);
    expect(map.get("often")).toBe(time);
  }
  expect(map.get("never")).toBeUndefined();
});
