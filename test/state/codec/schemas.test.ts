import { describe, expect, test } from "vitest";
import { ARCHIVE_SCHEMA } from "../../../src/state/codec/archive.ts";
import { VERDICTS_SCHEMA } from "../../../src/state/codec/verdicts.ts";

describe("a stored archive", () => {
  const file = { name: "a.parquet", bytes: 0, sha256: "0f".repeat(32), rows: 0 };
  const stateOf = (date: string, changes: Partial<typeof file> = {}): unknown => ({
    days: [{ date, method: "m", files: [{ ...file, ...changes }] }],
    months: [],
    sealedDay: 0,
  });
  const isRead = (state: unknown): boolean => ARCHIVE_SCHEMA.safeParse(state).success;

  test("has days and months with whole digests and counts", () => {
    for (const date of ["2026-11-24", "2026-11"]) expect(isRead(stateOf(date))).toBe(true);
    expect(ARCHIVE_SCHEMA.parse(undefined)).toEqual({ days: [], months: [], sealedDay: 0 });
  });

  test.each<[string, Partial<typeof file>]>([
    ["a short digest", { sha256: "0f".repeat(31) }],
    ["a long digest", { sha256: "0f".repeat(33) }],
    ["a digest in capitals", { sha256: "0F".repeat(32) }],
    ["negative bytes", { bytes: -1 }],
    ["half a row", { rows: 0.5 }],
  ])("with %s is damaged", (_, changes) => {
    expect(isRead(stateOf("2026-11-24", changes))).toBe(false);
  });

  test.each(["2026", "2026-11-2", "2026-11-24T00", "x2026-11"])("of %s is damaged", (date) => {
    expect(isRead(stateOf(date))).toBe(false);
  });
});

describe("a stored log of verdicts", () => {
  const logOf = (change: readonly unknown[], next: number | null = 2): unknown => ({
    codes: [["bank", "ok"]],
    changes: [change],
    next,
  });
  const isRead = (log: unknown): boolean => VERDICTS_SCHEMA.safeParse(log).success;

  test("has changes of old states, which have less, and of new ones", () => {
    expect(isRead(logOf(["bank", 0, "ok", "fail"]))).toBe(true);
    expect(isRead(logOf(["bank", 0, "ok", "fail", "russia", 0, 1]))).toBe(true);
  });

  test.each<[string, readonly unknown[]]>([
    ["a negative time", ["bank", -1, "ok", "fail"]],
    ["half a millisecond", ["bank", 0.5, "ok", "fail"]],
    ["an unknown verdict", ["bank", 0, "ok", "odd"]],
    ["an unknown scope", ["bank", 0, "ok", "fail", "moon", 0, 1]],
    ["a flag of 2", ["bank", 0, "ok", "fail", "russia", 0, 2]],
  ])("with %s is damaged", (_, change) => {
    expect(isRead(logOf(change))).toBe(false);
  });

  test("has no more changes than numbers", () => {
    const change = ["bank", 0, "ok", "fail"];
    expect([1, 2, null].map((next) => isRead(logOf(change, next)))).toEqual([false, true, true]);
  });
});
