import { describe, expect, test } from "vitest";
import * as z from "zod";
import { STORED_ARCHIVE } from "../../../src/model/service/archive.ts";
import {
  VERDICT_LOG,
  type VerdictChange,
  type VerdictLog,
} from "../../../src/model/service/verdict-change.ts";

describe("a stored archive", () => {
  const file = { name: "a.parquet", bytes: 0, sha256: "0f".repeat(32), rows: 0 };
  const stateOf = (date: string, changes: Partial<typeof file> = {}): unknown => ({
    days: [{ date, method: "m", files: [{ ...file, ...changes }] }],
    months: [],
    sealedDay: 0,
  });
  const isRead = (state: unknown): boolean => STORED_ARCHIVE.safeParse(state).success;

  test("has days and months with whole digests and counts", () => {
    for (const date of ["2026-11-24", "2026-11"]) expect(isRead(stateOf(date))).toBe(true);
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
  const logOf = (change: readonly unknown[], next = 2): unknown => ({
    codes: [["bank", "ok"]],
    changes: [change],
    next,
  });
  const isRead = (log: unknown): boolean => VERDICT_LOG.safeParse(log).success;

  test("has whole changes", () => {
    expect(isRead(logOf(["bank", 0, "ok", "fail", "russia", 0, 1]))).toBe(true);
    expect(isRead(logOf(["bank", 0, "ok", "fail"]))).toBe(false);
  });

  test("keeps everything that a change may have", () => {
    const change: VerdictChange = {
      seq: 1,
      slug: "bank",
      atMs: 0,
      before: "ok",
      code: "fail",
      scope: "russia",
      isSurge: false,
      live: true,
      networks: 2,
      past: { of: "service", days: 90, count: 7, medianMs: 60_000, longestMs: 90_000 },
      operators: { shares: [{ operator: "mts", percent: 60, usual: 30 }], isAlone: true },
    };
    const log: VerdictLog = { codes: new Map([["bank", "fail"]]), changes: [change], next: 2 };
    const stored: unknown = JSON.parse(JSON.stringify(z.encode(VERDICT_LOG, log)));
    expect(VERDICT_LOG.parse(stored)).toEqual(log);
  });

  test.each<[string, readonly unknown[]]>([
    ["a negative time", ["bank", -1, "ok", "fail", "russia", 0, 1]],
    ["half a millisecond", ["bank", 0.5, "ok", "fail", "russia", 0, 1]],
    ["an unknown verdict", ["bank", 0, "ok", "odd", "russia", 0, 1]],
    ["an unknown scope", ["bank", 0, "ok", "fail", "moon", 0, 1]],
    ["a flag of 2", ["bank", 0, "ok", "fail", "russia", 0, 2]],
  ])("with %s is damaged", (_, change) => {
    expect(isRead(logOf(change))).toBe(false);
  });

  test("has no more changes than numbers", () => {
    const change = ["bank", 0, "ok", "fail", "russia", 0, 1];
    expect([1, 2].map((next) => isRead(logOf(change, next)))).toEqual([false, true]);
  });
});
