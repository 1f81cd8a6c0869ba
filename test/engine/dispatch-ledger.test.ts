import { describe, expect, test } from "vitest";
import { packResults, packWork } from "../../src/engine/batches.ts";
import { openDispatchLedger } from "../../src/engine/dispatch-ledger.ts";
import type { BatchName } from "../../src/engine/names.ts";
import type { CheckResult } from "../../src/model/monitor/monitor.ts";
import type { CheckTarget } from "../../src/monitors/checks/check-target.ts";

const target = (id: string): CheckTarget => ({
  id,
  url: `https://${id}.example/`,
  lastState: "healthy",
});

const BATCHES = [[target("a"), target("b")], [target("c")]] as const;
const OK: CheckResult = { kind: "healthy", totalMs: 5 };
const BAD: CheckResult = { kind: "failing", code: "tcp-timeout" };

const nameOf = (vantage: string, number: number): BatchName => ({
  vantage,
  cell: "0-1",
  slot: 7,
  number,
});

/** A ledger of two batches for each vantage, over a virtual clock. */
function open(vantages: readonly string[] = ["main", "spb"]) {
  const clock = { nowMs: 1_000 };
  const progress: number[] = [];
  const ledger = openDispatchLedger(
    BATCHES,
    vantages,
    () => clock.nowMs,
    (monitors) => void progress.push(monitors),
  );
  const answer = (
    vantage: string,
    number: number,
    result: CheckResult = OK,
    handling = { delivery: 1, checkMs: 100 },
  ): void => {
    const targets = BATCHES[number] ?? [];
    const results = new Map(targets.map(({ id }) => [id, result]));
    const bytes = packResults({ targets, digest: packWork(targets).digest }, results, handling);
    ledger.accept(nameOf(vantage, number), bytes);
  };
  const resultsOf = (...ids: readonly string[]): readonly (string | undefined)[] => {
    const results = ledger.results();
    return ids.map((id) => results.get(id)?.kind);
  };
  return { ledger, clock, progress, answer, resultsOf };
}

/** Whether a promise has resolved by now. */
async function isDone(promise: Promise<void>): Promise<boolean> {
  const later = new Promise<false>((resolve) => void setImmediate(() => resolve(false)));
  return Promise.race([promise.then(() => true), later]);
}

describe("what is dispatched", () => {
  test("is complete when each vantage has answered each batch", async () => {
    const { ledger, answer } = open();
    expect([ledger.work.length, ledger.isComplete()]).toEqual([2, false]);
    for (const [vantage, number] of [
      ["main", 0],
      ["main", 1],
      ["spb", 0],
    ] as const) {
      answer(vantage, number);
      expect([ledger.isComplete(), await isDone(ledger.done)]).toEqual([false, false]);
    }
    answer("spb", 1);
    expect([ledger.isComplete(), await isDone(ledger.done)]).toEqual([true, true]);
    ledger.close();
  });

  test("of nothing is done at once", async () => {
    const ledger = openDispatchLedger(
      [],
      ["main"],
      () => 0,
      () => undefined,
    );
    expect([ledger.work, ledger.isComplete(), await isDone(ledger.done)]).toEqual([[], true, true]);
  });

  test("are the packed batches, by their number", () => {
    const { ledger } = open();
    expect(ledger.work).toEqual(BATCHES.map((batch) => packWork(batch).bytes));
  });

  test("tells the monitors that the first vantage has answered", () => {
    const { answer, progress } = open();
    answer("spb", 0);
    answer("main", 1);
    answer("main", 0);
    expect(progress).toEqual([1, 3]);
  });
});

describe("an answer", () => {
  test("counts once; what else arrives is dropped", () => {
    const { ledger, answer } = open();
    const dropped = (): number => ledger.counts().dropped;
    answer("main", 0);
    expect([dropped(), ledger.counts().answered]).toEqual([0, 1]);
    answer("main", 0);
    expect(dropped()).toBe(1);
    answer("moscow", 0);
    expect(dropped()).toBe(2);
    ledger.accept(nameOf("main", 2), new Uint8Array());
    expect(dropped()).toBe(3);
    ledger.accept(nameOf("main", 1), Buffer.from("wrong"));
    expect(dropped()).toBe(4);
    ledger.accept(undefined, new Uint8Array());
    expect(dropped()).toBe(5);
    ledger.close();
    answer("main", 1);
    expect([dropped(), ledger.counts().answered]).toEqual([6, 1]);
  });

  test("is as late as it came after its batch, without the time of the check", () => {
    const { ledger, clock, answer } = open();
    ledger.sent(nameOf("main", 0), 11);
    clock.nowMs = 1_200;
    ledger.sent(nameOf("main", 1), 12);
    clock.nowMs = 1_700;
    answer("main", 0, OK, { delivery: 1, checkMs: 400 });
    expect(ledger.counts()).toMatchObject({ batches: 2, lagMs: 300, durationMs: 700 });
    clock.nowMs = 1_800;
    answer("main", 1, OK, { delivery: 2, checkMs: 550 });
    expect(ledger.counts()).toMatchObject({ lagMs: 300, durationMs: 800, redelivered: 1 });
    ledger.close();
  });

  test("of a batch that no one has sent is not late", () => {
    const { ledger, clock, answer } = open();
    clock.nowMs = 9_000;
    answer("main", 0);
    expect(ledger.counts()).toMatchObject({ batches: 0, lagMs: 0, redelivered: 0 });
    ledger.close();
  });

  test("that was given back counts if its message is one of these", () => {
    const { ledger } = open();
    ledger.sent(nameOf("main", 0), 11);
    ledger.gaveBack(11);
    ledger.gaveBack(12);
    expect(ledger.counts().returned).toBe(1);
  });
});

test("each target has a result: works for one place, fails for all, else skipped", () => {
  const { ledger, answer, resultsOf } = open();
  answer("main", 0, BAD);
  expect(resultsOf("a", "b", "c")).toEqual(["failing", "failing", "skipped"]);
  answer("spb", 0, OK);
  answer("spb", 1, BAD);
  expect(resultsOf("a", "b", "c")).toEqual(["healthy", "healthy", "failing"]);
  ledger.close();
});
