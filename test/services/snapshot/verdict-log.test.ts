import { expect, test } from "vitest";
import { NO_VERDICTS, type VerdictLog } from "../../../src/model/service/verdict-change.ts";
import { DAY_MS } from "../../../src/model/time.ts";
import { noteVerdicts } from "../../../src/services/snapshot/verdict-log.ts";
import { changeOf } from "../../model/verdict-changes.ts";
import { snapshotOf } from "./snapshot-of.ts";

const NOWHERE = () => ({ scope: "none" }) as const;

function noteAll(...steps: readonly (readonly [number, Parameters<typeof snapshotOf>[0]])[]) {
  return steps.reduce<VerdictLog>(
    (log, [atMs, codes]) => noteVerdicts(log, snapshotOf(codes), atMs, NOWHERE),
    NO_VERDICTS,
  );
}

test("only a different verdict after the first one is a change", () => {
  const log = noteAll([1, { bank: "ok" }], [2, { bank: "fail" }], [3, { bank: "fail" }]);
  expect(log.changes).toEqual([changeOf({ slug: "bank", atMs: 2, code: "fail" })]);
});

test("a pause without data is not a change, a different verdict after it is", () => {
  const back = noteAll([1, { a: "ok" }], [2, { a: "none" }], [3, { a: "ok" }]);
  expect(back.changes).toEqual([]);
  const changed = noteAll([1, { a: "ok" }], [2, { a: "none" }], [3, { a: "slow" }]);
  expect(changed.changes).toEqual([changeOf({ slug: "a", atMs: 3, code: "slow" })]);
});

test("a service that left keeps its changes, and starts again if it comes back", () => {
  const steps = [
    [1, { a: "ok", b: "ok" }],
    [2, { a: "fail", b: "err" }],
    [3, { b: "err" }],
  ] as const;
  const log = noteAll(...steps);
  expect(log.changes.map(({ seq, slug }) => [seq, slug])).toEqual([
    [1, "a"],
    [2, "b"],
  ]);
  expect(log.codes).toEqual(new Map([["b", "err"]]));
  expect(noteAll(...steps, [4, { a: "ok", b: "err" }]).changes).toEqual(log.changes);
});

test("a change has scope, surge and whether it is live", () => {
  const before = noteAll([1, { a: "ok", b: "ok" }]);
  const { updatedAtMs, services } = snapshotOf({ a: "spike", b: "ok" });
  const surging = services.map((one) => ({
    ...one,
    verdict: { ...one.verdict, live: true },
    reports: { hour: 9, day: 9, isSurging: true },
  }));
  const asked: string[] = [];
  const log = noteVerdicts(before, { updatedAtMs, services: surging }, 2, (slug) => {
    asked.push(slug);
    return { scope: "russia", networks: 2 };
  });
  expect(log.changes).toEqual([
    {
      ...changeOf({
        slug: "a",
        atMs: 2,
        code: "spike",
        scope: "russia",
        isSurge: true,
        live: true,
      }),
      networks: 2,
    },
  ]);
  expect(asked).toEqual(["a"]);
});

test("changes are kept for 90 days, and their numbers go on", () => {
  const steps = [1, { a: "ok" }] as const;
  const kept = noteAll(steps, [2, { a: "fail" }], [2 + 90 * DAY_MS - 1, { a: "fail" }]);
  expect(kept.changes).toHaveLength(1);
  const gone = noteAll(steps, [2, { a: "fail" }], [2 + 90 * DAY_MS, { a: "fail" }]);
  expect(gone).toMatchObject({ changes: [], next: 2 });
});

test("only the newest ten thousand changes are kept", () => {
  const changes = Array.from({ length: 10_000 }, (_, index) =>
    changeOf({ seq: index + 1, slug: "a", atMs: index, code: "fail" }),
  );
  const full: VerdictLog = { codes: new Map([["a", "fail"]]), changes, next: 10_001 };
  const log = noteVerdicts(full, snapshotOf({ a: "ok" }), 10_000, NOWHERE);
  expect(log.changes).toHaveLength(10_000);
  expect([log.changes[0]?.seq, log.changes.at(-1)?.seq, log.next]).toEqual([2, 10_001, 10_002]);
});
