import { describe, expect, test } from "vitest";
import * as z from "zod";
import { FOLDED_IDS, mapOf, sortPairs } from "../../src/model/stored-maps.ts";
import { codecOf, flag, packedRow } from "../../src/model/stored-parts.ts";

const MAP = mapOf(z.number());

describe("a map", () => {
  test("is stored as its pairs, sorted by code unit", () => {
    const map = new Map([
      ["b", 1],
      ["__proto__", 2],
      ["Z", 3],
      ["ё", 4],
      ["a", 5],
    ]);
    const stored = z.encode(MAP, map);
    expect(stored).toEqual([
      ["Z", 3],
      ["__proto__", 2],
      ["a", 5],
      ["b", 1],
      ["ё", 4],
    ]);
    expect(z.decode(MAP, stored)).toEqual(map);
    expect(sortPairs(new Map())).toEqual([]);
  });

  test("in which a key occurs twice is refused, and says so", () => {
    const twice = [
      ["a", 1],
      ["a", 1],
    ] as const;
    expect(z.safeDecode(MAP, [...twice]).error?.issues[0]?.message).toBe("a key occurs twice");
    expect(z.safeDecode(MAP, [["a", 1]]).success).toBe(true);
  });
});

test("what does not fit is refused, and not unpacked", () => {
  const unpacked: number[] = [];
  const even = codecOf(
    z.number(),
    (stored) => unpacked.push(stored),
    (value: number) => value,
    (stored) => (stored % 2 === 0 ? undefined : "odd"),
  );
  expect(z.safeDecode(even, 3).error?.issues.map(({ message }) => message)).toEqual(["odd"]);
  expect(z.safeEncode(even, 5).error?.issues.map(({ message }) => message)).toEqual(["odd"]);
  z.decode(even, 4);
  expect(unpacked).toEqual([4]);
});

describe("ids of counted objects", () => {
  test("are stored as both ends of each range", () => {
    const ids = new Map([
      ["b", { atMs: 7_000, ranges: [[3, 3]] as const }],
      [
        "a",
        {
          atMs: 1_000,
          ranges: [
            [0, 4],
            [6, 9],
          ] as const,
        },
      ],
    ]);
    const stored = z.encode(FOLDED_IDS, ids);
    expect(stored.map(([name, , ends]) => [name, ends])).toEqual([
      ["a", [0, 4, 6, 9]],
      ["b", [3, 3]],
    ]);
    expect(z.decode(FOLDED_IDS, stored)).toEqual(ids);
  });

  test("with half a range are refused by name", () => {
    const [first] = z.encode(FOLDED_IDS, new Map([["a", { atMs: 1_000, ranges: [] }]]));
    const odd = [["a", first?.[1] ?? 0, [1, 2, 3]] as const];
    expect(z.safeDecode(FOLDED_IDS, odd).error?.issues[0]?.message).toBe(
      "the numbers of the inbox objects of a are not ranges",
    );
  });
});

describe("a packed row", () => {
  const ROW = packedRow({ name: z.string(), count: z.int() });

  test("is the tuple of its values, in the order of its shape", () => {
    expect(z.encode(ROW, { count: 2, name: "x" })).toEqual(["x", 2]);
    expect(z.decode(ROW, ["x", 2])).toEqual({ name: "x", count: 2 });
    expect(z.safeDecode(ROW, ["x", 2.5]).success).toBe(false);
    expect(z.safeDecode(ROW, ["x"]).success).toBe(false);
  });

  test("ends with its last value that is given", () => {
    const optional = packedRow({ a: z.int(), b: z.int().optional(), c: z.int().optional() });
    const rows = [
      { a: 1, b: undefined, c: undefined },
      { a: 1, b: 2, c: undefined },
      { a: 1, b: 2, c: 3 },
    ];
    expect(rows.map((row) => z.encode(optional, row))).toEqual([[1], [1, 2], [1, 2, 3]]);
    expect(z.decode(optional, [1, 2])).toEqual({ a: 1, b: 2 });
    expect(z.encode(optional, { a: 1, b: undefined, c: 3 })).toEqual([1, undefined, 3]);
  });
});

test("what a codec finds unfit is refused when it is read and when it is written", () => {
  const even = codecOf(
    z.int(),
    (stored) => stored / 2,
    (value: number) => value * 2,
    (stored) => (stored % 2 === 0 ? undefined : "it is odd"),
  );
  expect(z.decode(even, 4)).toBe(2);
  expect(z.safeDecode(even, 3).error?.issues[0]?.message).toBe("it is odd");
  expect(z.safeEncode(even, 1.5).error?.issues[0]?.message).toBe("it is odd");
});

test("a yes is stored as 1, a no as 0", () => {
  expect([true, false].map((is) => z.encode(flag, is))).toEqual([1, 0]);
  expect([1, 0].map((bit) => z.decode(flag, bit as 0 | 1))).toEqual([true, false]);
  expect([2, -1, true].map((bit) => flag.safeParse(bit).success)).toEqual([false, false, false]);
});
