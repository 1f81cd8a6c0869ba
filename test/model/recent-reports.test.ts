import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  addRecent,
  blockKeyOf,
  keepRecent,
  reportKeyOf,
  NO_RECENT_REPORTS,
  type RecentReports,
  recentBetween,
  type RecentRow,
} from "../../src/model/service/recent-reports.ts";

function rowsOf({ times, networks, blocks, operators }: RecentReports): readonly RecentRow[] {
  return Array.from(times, (atMs, index) => [
    atMs,
    networks[index] ?? 0,
    blocks[index] ?? 0,
    operators[index] ?? 0,
  ]);
}

const row = fc.tuple(
  fc.integer({ min: 0, max: 20 }),
  fc.maxSafeNat(),
  fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  fc.integer({ min: 0, max: 255 }),
);
const rows = fc
  .array(row, { maxLength: 20 })
  .map((all) => all.toSorted((a, b) => a[0] - b[0]) as readonly RecentRow[]);

test("rows are inserted by time, after those of the same time", () => {
  fc.assert(
    fc.property(fc.array(rows, { maxLength: 4 }), (calls) => {
      let recent = NO_RECENT_REPORTS;
      for (const call of calls) recent = addRecent(recent, call);
      expect(rowsOf(recent)).toEqual(calls.flat().toSorted((a, b) => a[0] - b[0]));
    }),
  );
});

test("views and copies have the rows of their interval", () => {
  const time = fc.integer({ min: -1, max: 22 });
  fc.assert(
    fc.property(rows, time, time, (all, from, to) => {
      const recent = addRecent(NO_RECENT_REPORTS, all);
      expect(rowsOf(recentBetween(recent, from, to))).toEqual(
        all.filter(([atMs]) => atMs >= from && atMs < to),
      );
      expect(rowsOf(keepRecent(recent, from))).toEqual(all.filter(([atMs]) => atMs >= from));
      const kept = keepRecent(recent, from, to);
      expect(rowsOf(kept)).toEqual(all.filter(([atMs]) => atMs >= from && atMs < to));
      // A view would keep the dropped rows in memory.
      expect(kept.times.buffer.byteLength).toBe(kept.times.byteLength);
    }),
  );
});

test("keys are integers, distinct for 300,000 hashes", () => {
  const keys = new Set<number>();
  const blocks = new Set<number>();
  for (let number = 0; number < 300_000; number += 1) {
    const hash = createHash("sha256").update(String(number)).digest("base64url").slice(0, 16);
    keys.add(reportKeyOf(hash));
    if (number < 1_000) blocks.add(blockKeyOf(hash));
  }
  expect(keys.size).toBe(300_000);
  expect(blocks.size).toBe(1_000);
  expect([...keys].every(Number.isSafeInteger)).toBe(true);
  expect(Math.max(...blocks)).toBeLessThan(2 ** 32);
  expect([reportKeyOf(""), reportKeyOf("a"), reportKeyOf("Zm9vYmFyYmF6cXV4")])
    .toMatchInlineSnapshot(`
    [
      3338908027751811,
      7929297801672961,
      3192193503445311,
    ]
  `);
});
