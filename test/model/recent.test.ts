import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  addRecent,
  blockKeyOf,
  keepRecent,
  keyOf,
  NOBODY_RECENT,
  type Recent,
  recentBetween,
  type RecentRow,
} from "../../src/model/recent.ts";

function rowsOf({ times, networks, blocks }: Recent): readonly RecentRow[] {
  return Array.from(times, (atMs, place) => [atMs, networks[place] ?? 0, blocks[place] ?? 0]);
}

const row = fc.tuple(
  fc.integer({ min: 0, max: 20 }),
  fc.maxSafeNat(),
  fc.integer({ min: 0, max: 2 ** 32 - 1 }),
);
const rows = fc
  .array(row, { maxLength: 20 })
  .map((all) => all.toSorted((a, b) => a[0] - b[0]) as readonly RecentRow[]);

test("rows that are put in take their place in time, behind those of the same time", () => {
  fc.assert(
    fc.property(fc.array(rows, { maxLength: 4 }), (calls) => {
      let recent = NOBODY_RECENT;
      for (const call of calls) recent = addRecent(recent, call);
      expect(rowsOf(recent)).toEqual(calls.flat().toSorted((a, b) => a[0] - b[0]));
    }),
  );
});

test("views and what is left hold the rows of their times", () => {
  const time = fc.integer({ min: -1, max: 22 });
  fc.assert(
    fc.property(rows, time, time, (all, from, to) => {
      const recent = addRecent(NOBODY_RECENT, all);
      expect(rowsOf(recentBetween(recent, from, to))).toEqual(
        all.filter(([atMs]) => atMs >= from && atMs < to),
      );
      expect(rowsOf(keepRecent(recent, from))).toEqual(all.filter(([atMs]) => atMs >= from));
      const left = keepRecent(recent, from, to);
      expect(rowsOf(left)).toEqual(all.filter(([atMs]) => atMs >= from && atMs < to));
      // A view would keep what was dropped in memory.
      expect(left.times.buffer.byteLength).toBe(left.times.byteLength);
    }),
  );
});

test("keys are whole numbers that tell 300,000 hashes apart", () => {
  const keys = new Set<number>();
  const blocks = new Set<number>();
  for (let number = 0; number < 300_000; number += 1) {
    const hash = createHash("sha256").update(String(number)).digest("base64url").slice(0, 16);
    keys.add(keyOf(hash));
    if (number < 1_000) blocks.add(blockKeyOf(hash));
  }
  expect(keys.size).toBe(300_000);
  expect(blocks.size).toBe(1_000);
  expect([...keys].every(Number.isSafeInteger)).toBe(true);
  expect(Math.max(...blocks)).toBeLessThan(2 ** 32);
  expect([keyOf(""), keyOf("a"), keyOf("Zm9vYmFyYmF6cXV4")]).toMatchInlineSnapshot(`
    [
      3338908027751811,
      7929297801672961,
      3192193503445311,
    ]
  `);
});
