import { expect, test } from "vitest";
import type { CheckResult } from "../../../src/model/monitor/monitor.ts";
import type { RunEvent } from "../../../src/model/run-event.ts";
import { checkAll, countResults } from "../../../src/pipeline/run/measure-monitors.ts";
import type { CheckMonitors, MonitorTarget } from "../../../src/pipeline/run/measurement.ts";

const TARGETS: readonly MonitorTarget[] = ["a", "b", "c", "d"].map((id) => ({
  id,
  name: id,
  url: `https://${id}.example/`,
  isPublic: true,
  lastState: "unknown",
  wasHealthy: false,
}));

const RESULTS: ReadonlyMap<string, CheckResult> = new Map([
  ["a", { kind: "healthy", totalMs: 5 }],
  ["b", { kind: "failing", code: "tcp-timeout" }],
  ["c", { kind: "refused", code: "dns-special-address" }],
  ["d", { kind: "healthy" }],
]);

/** Checks that end at these times, and the events. */
async function checkAt(timesMs: readonly number[], targets = TARGETS) {
  const events: RunEvent[] = [];
  let nowMs = 0;
  const checkMonitors: CheckMonitors = async (_, __, { onProgress, onWarning, onDone }) => {
    for (const [at, timeMs] of timesMs.entries()) {
      nowMs = timeMs;
      onProgress(at + 1);
    }
    onWarning("a worker died");
    onDone({ checked: 4 } as never);
    return RESULTS;
  };
  const emit = (event: RunEvent): void => void events.push(event);
  const deps = { checkMonitors, emit, now: () => nowMs };
  const results = await checkAll(deps, targets, new AbortController().signal, 1_000);
  return { results, events };
}

test("checks are told from their beginning to their counts, with what went wrong", async () => {
  const { results, events } = await checkAt([1, 2, 3, 4.4]);
  expect(results).toBe(RESULTS);
  expect(events).toEqual([
    { event: "monitors-started", monitors: 4 },
    { event: "monitors-checked", done: 4, total: 4 },
    { event: "monitors-degraded", message: "a worker died" },
    { event: "engine-done", checked: 4 },
    {
      event: "monitors-finished",
      healthy: 2,
      failing: 1,
      refused: 1,
      skipped: 0,
      durationMs: 4,
    },
  ]);
});

test("the progress is told once a second, and at the end", async () => {
  const { events } = await checkAt([999, 1_000, 1_999, 2_000]);
  const told = events.flatMap((one) => (one.event === "monitors-checked" ? [one.done] : []));
  expect(told).toEqual([2, 4]);
});

test("without monitors nothing is checked, and nothing is told", async () => {
  expect(await checkAt([], [])).toEqual({ results: undefined, events: [] });
});

test("results are counted by their kind", () => {
  expect(countResults(new Map([...RESULTS, ["e", { kind: "skipped" } as const]]))).toEqual({
    healthy: 2,
    failing: 1,
    refused: 1,
    skipped: 1,
  });
});
