import { expect, test } from "vitest";
import { NO_VERDICTS, type VerdictLog } from "../../../src/model/verdict-change.ts";
import { NO_REPORTS } from "../../../src/model/reports.ts";
import type { Snapshot } from "../../../src/model/snapshot.ts";
import { DAY_MS } from "../../../src/model/time.ts";
import { COLOR_OF, type CodeAndColor, type VerdictCode } from "../../../src/model/verdict.ts";
import { noteVerdicts } from "../../../src/services/snapshot/verdict-log.ts";
import { T0 } from "../../model/samples.ts";

function snapshotOf(codes: Readonly<Record<string, VerdictCode>>): Snapshot {
  const services = Object.entries(codes).map(([slug, code]) => ({
    slug,
    name: slug,
    verdict: { ...({ code, color: COLOR_OF[code] } as CodeAndColor), live: false, sinceMs: null },
    reports: NO_REPORTS,
  }));
  return { updatedAtMs: T0, services };
}

function noteAll(...steps: readonly (readonly [number, Parameters<typeof snapshotOf>[0]])[]) {
  return steps.reduce<VerdictLog>(
    (log, [atMs, codes]) => noteVerdicts(log, snapshotOf(codes), atMs),
    NO_VERDICTS,
  );
}

test("only a different verdict after the first one is a change", () => {
  const log = noteAll([1, { bank: "ok" }], [2, { bank: "fail" }], [3, { bank: "fail" }]);
  expect(log.changes).toEqual([{ slug: "bank", atMs: 2, before: "ok", code: "fail" }]);
});

test("a pause without data is not a change, a different verdict after it is", () => {
  const back = noteAll([1, { a: "ok" }], [2, { a: "none" }], [3, { a: "ok" }]);
  expect(back.changes).toEqual([]);
  const changed = noteAll([1, { a: "ok" }], [2, { a: "none" }], [3, { a: "slow" }]);
  expect(changed.changes).toEqual([{ slug: "a", atMs: 3, before: "ok", code: "slow" }]);
});

test("a service that left the catalogue is dropped with its changes", () => {
  const log = noteAll([1, { a: "ok", b: "ok" }], [2, { a: "fail", b: "err" }], [3, { b: "err" }]);
  expect(log.changes.map(({ slug }) => slug)).toEqual(["b"]);
  expect(log.codes).toEqual(new Map([["b", "err"]]));
});

test("changes are kept for 30 days", () => {
  const steps = [1, { a: "ok" }] as const;
  const kept = noteAll(steps, [2, { a: "fail" }], [2 + 30 * DAY_MS - 1, { a: "fail" }]);
  expect(kept.changes).toHaveLength(1);
  const gone = noteAll(steps, [2, { a: "fail" }], [2 + 30 * DAY_MS, { a: "fail" }]);
  expect(gone.changes).toHaveLength(0);
});

test("only the newest thousand changes are kept", () => {
  let log = noteVerdicts(NO_VERDICTS, snapshotOf({ a: "ok" }), 0);
  for (let atMs = 1; atMs <= 1_100; atMs += 1)
    log = noteVerdicts(log, snapshotOf({ a: atMs % 2 === 0 ? "ok" : "fail" }), atMs);
  expect(log.changes).toHaveLength(1_000);
  expect(log.changes.at(-1)?.atMs).toBe(1_100);
});
