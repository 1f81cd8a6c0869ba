import { describe, expect, test } from "vitest";
import type { CheckResult, Monitor } from "../../../src/model/monitor/monitor.ts";
import type { CheckMonitors, MonitorTarget } from "../../../src/pipeline/run/measurement.ts";
import { failed, ok } from "../../model/samples.ts";
import { freshStores } from "../../publish/writers.ts";
import { NOON_MS, startRun, stateIn } from "../run-harness.ts";

const NEXT_MS = NOON_MS + 300_000;

const MONITORS: readonly Monitor[] = ["a", "b", "c"].map((id) => ({
  id,
  name: `Monitor ${id}`,
  url: `https://${id}.example/`,
  isPublic: id === "a",
}));

const RESULTS: ReadonlyMap<string, CheckResult> = new Map([
  ["a", { kind: "healthy", totalMs: 5, warning: "robot-wall" }],
  ["b", { kind: "failing", code: "tcp-timeout" }],
  ["c", { kind: "skipped" }],
]);

/** Checks with these results, and what they were asked. */
function createChecks(results = RESULTS) {
  const asked: (readonly MonitorTarget[])[] = [];
  const checkMonitors: CheckMonitors = async (targets) => {
    asked.push(targets);
    return results;
  };
  return { monitors: MONITORS, checkMonitors, asked };
}

describe("a run with monitors", () => {
  test("checks each with what its record says, and counts the results after the services", async () => {
    const stores = freshStores();
    const { asked, ...parts } = createChecks();
    const first = startRun(stores, parts);
    const result = await first.result;
    expect(result).toMatchObject({
      kind: "valid",
      isFirst: true,
      checks: { healthy: 1, failing: 1, refused: 0, skipped: 1 },
    });
    expect(first.eventsNamed("published")).toHaveLength(2);
    const unknown = { lastState: "unknown", wasHealthy: false };
    expect(asked).toEqual([MONITORS.map((one) => ({ ...one, ...unknown }))]);
    const second = startRun(stores, { ...parts, startMs: NEXT_MS });
    expect(await second.result).toMatchObject({ isFirst: false });
    expect(asked[1]).toEqual([
      { ...MONITORS[0], lastState: "healthy", wasHealthy: true, warning: "robot-wall" },
      { ...MONITORS[1], lastState: "failing", wasHealthy: false },
      { ...MONITORS[2], ...unknown },
    ]);
    const { monitors } = await stateIn(stores);
    expect(monitors.clock.runs).toBe(2);
    expect(second.eventsNamed("anchors-probed").map(({ phase }) => phase)).toEqual([
      "start",
      "end",
      "monitors",
    ]);
  });

  test("counts the objects of both publishes once", async () => {
    const stores = freshStores();
    const { result, eventsNamed } = startRun(stores, createChecks());
    const finished = await result;
    if (finished.kind === "stopped") throw new Error("it was stopped");
    const [one, two] = eventsNamed("published");
    expect(finished.published).toMatchObject({
      written: (one?.written ?? 0) + (two?.written ?? 0),
      unchanged: Math.max(0, (two?.unchanged ?? 0) - (one?.written ?? 0)),
      removed: 0,
      withheldRemovals: 0,
    });
  });

  test("counts no check if it is offline at their end", async () => {
    const stores = freshStores();
    let isOffline = false;
    const { asked, ...parts } = createChecks();
    const { result, eventsNamed } = startRun(stores, {
      ...parts,
      checkMonitors: async (...request) => {
        // The anchors at the end of the services are probed before.
        await expect.poll(() => eventsNamed("anchors-probed")).toHaveLength(2);
        isOffline = true;
        return parts.checkMonitors(...request);
      },
      outcomeOf: () => (isOffline ? failed("tcp-timeout") : ok()),
    });
    const finished = await result;
    expect(asked).toHaveLength(1);
    expect(finished).toMatchObject({ kind: "valid" });
    expect(finished).not.toHaveProperty("checks");
    expect(eventsNamed("run-offline")).toHaveLength(1);
    expect((await stateIn(stores)).monitors.clock.runs).toBe(0);
  });

  test("checks no monitor if only some services are asked for, or if it is offline", async () => {
    const { asked, ...parts } = createChecks();
    await startRun(freshStores(), { ...parts, only: ["alpha"] }).result;
    const offline = startRun(freshStores(), { ...parts, outcomeOf: () => failed("tcp-timeout") });
    expect(await offline.result).toMatchObject({ kind: "offline" });
    expect(asked).toEqual([]);
  });
});
