import { expect, test } from "vitest";
import { SHARD_COUNT, shardKey, shardOf } from "../../src/model/monitor/shard.ts";

test("the shard of an id never changes, or its history would be lost", () => {
  const ids = ["my-shop", "My-Shop", "a", "", "Zz_-9", "V1StGXR8_Z5jdHi6B-myT0"];
  expect(ids.map(shardOf)).toEqual([21, 46, 32, 25, 55, 5]);
});

test("ids spread over all shards, numbered ones too", () => {
  const sizes = new Map<number, number>();
  for (let number = 0; number < 64_000; number += 1) {
    const shard = shardOf(`shop-${number}`);
    sizes.set(shard, (sizes.get(shard) ?? 0) + 1);
  }
  expect(sizes.size).toBe(SHARD_COUNT);
  expect(Math.max(...sizes.values())).toBeLessThan(1_300);
  expect(Math.min(...sizes.values())).toBeGreaterThan(700);
});

test("the key of a shard has two hexadecimal digits", () => {
  expect([0, 10, 63].map(shardKey)).toEqual([
    "monitors/00.json.gz",
    "monitors/0a.json.gz",
    "monitors/3f.json.gz",
  ]);
});
