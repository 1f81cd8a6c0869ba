import * as fc from "fast-check";
import { expect, test } from "vitest";
import { addFolded, forgetFolded, type FoldedIds, isFolded } from "../../src/model/folded-ids.ts";

const NOTHING: FoldedIds = new Map();
const NOW_MS = 1_790_000_000_000;

function idOf(series: number, number: number, atMs = NOW_MS): string {
  const uuid = `${String(series).padStart(8, "0")}-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;
  return `${String(atMs).padStart(13, "0")}-${uuid}`;
}

test("exactly the added ids are folded, in any order and division", () => {
  const entry = fc.record({
    series: fc.integer({ min: 0, max: 2 }),
    number: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.constant(2 ** 48 - 1)),
  });
  fc.assert(
    fc.property(fc.array(fc.array(entry, { maxLength: 12 }), { maxLength: 6 }), (calls) => {
      let folded = NOTHING;
      for (const call of calls) {
        folded = addFolded(
          folded,
          call.map(({ series, number }) => idOf(series, number)),
          NOW_MS,
        );
      }
      const expected = new Set(calls.flat().map(({ series, number }) => idOf(series, number)));
      for (let series = 0; series <= 2; series += 1) {
        for (const number of [...Array(22).keys(), 2 ** 48 - 1]) {
          const id = idOf(series, number);
          expect(isFolded(folded, id)).toBe(expected.has(id));
        }
      }
      for (const { ranges } of folded.values()) {
        for (const [index, [from, to]] of ranges.entries()) {
          expect(to).toBeGreaterThanOrEqual(from);
          expect(from).toBeGreaterThan((ranges[index - 1]?.[1] ?? -2) + 1);
        }
      }
    }),
  );
});

test("hours at the highest rate are one range", () => {
  let folded = NOTHING;
  const perPublish = 1_000;
  for (let from = 0; from < 540_000; from += perPublish) {
    const ids = Array.from({ length: perPublish }, (_, index) => idOf(1, from + index));
    // Objects that are written concurrently arrive in any order.
    folded = addFolded(folded, from % 2_000 === 0 ? ids.toReversed() : ids, NOW_MS);
  }
  expect([...folded.values()]).toEqual([{ atMs: NOW_MS, ranges: [[0, 539_999]] }]);
});

test("a name of any other form is a series of its own", () => {
  const folded = addFolded(NOTHING, ["1-x", "", "__proto__"], NOW_MS);
  for (const id of ["1-x", "", "__proto__"]) expect(isFolded(folded, id)).toBe(true);
  for (const id of ["1-y", "x", "constructor"]) expect(isFolded(folded, id)).toBe(false);
});

test("old series are dropped, and the oldest ranges beyond the bound", () => {
  let folded = addFolded(NOTHING, [idOf(1, 1)], NOW_MS - 100);
  folded = addFolded(
    folded,
    [2, 4, 6, 8].map((number) => idOf(2, number)),
    NOW_MS - 50,
  );
  folded = addFolded(folded, [idOf(3, 1), idOf(3, 3)], NOW_MS);
  const names = (ids: FoldedIds) => [...ids].map(([, { ranges }]) => ranges);
  expect(names(forgetFolded(folded, NOW_MS, { keepMs: 100, maxRanges: 9 }))).toEqual([
    [2, 4, 6, 8].map((number) => [number, number]),
    [1, 3].map((number) => [number, number]),
  ]);
  expect(names(forgetFolded(folded, NOW_MS, { keepMs: 1_000, maxRanges: 4 }))).toEqual([
    [6, 8].map((number) => [number, number]),
    [1, 3].map((number) => [number, number]),
  ]);
  // A clock that was set back drops no more than one that was set forward.
  expect(forgetFolded(folded, NOW_MS - 149, { keepMs: 150, maxRanges: 9 }).size).toBe(3);
});
