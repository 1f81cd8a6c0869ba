import { expect, test } from "vitest";
import type { CheckResult } from "../../../src/model/monitor/monitor.ts";
import {
  EMPTY_CLOCK,
  type MonitorChange,
  type MonitorClock,
  type MonitorRecord,
  SLOT_MS,
} from "../../../src/model/monitor/uptime.ts";
import { planRemovals, planRun } from "../../../src/monitors/uptime/journal.ts";
import { responseHourOf } from "../../../src/monitors/uptime/time-slots.ts";
import { shardOf } from "../../../src/model/monitor/shard.ts";
import { FAILING, HEALTHY, recordOf, REFUSED, SKIPPED, SLOT0 } from "./samples.ts";

const CLOCK: MonitorClock = {
  runs: 5,
  lastSlot: SLOT0 + 4,
  days: [[20_833, 1]],
  recentSlots: [0, 1, 2, 3, 4].map((slot) => SLOT0 + slot),
};

const NEVER_HEALTHY = recordOf({
  firstRun: 5,
  days: [{ day: 20_833, failed: 0, skipped: 1 }],
  marks: "s",
  marksEnd: 5,
  state: "refused",
  code: "url-refused",
});

/** A run in that slot, with its results and the records before it. */
function plan(slot: number, clock = CLOCK) {
  return planRun(clock, () => undefined, {
    sequence: 9,
    atMs: slot * SLOT_MS + 1_234,
    verdicts: new Map([["a", HEALTHY]]),
    publicIds: new Set<string>(),
    removedIds: [],
  });
}

test("a run in the slot of the last one, or in an earlier one, counts nothing", () => {
  expect(plan(SLOT0 + 4)).toBe("already-counted");
  expect(plan(SLOT0 - 300)).toBe("already-counted");
  expect(plan(SLOT0 + 5)).not.toBe("already-counted");
});

test("the first run of all begins the clock", () => {
  expect(plan(SLOT0 + 7, EMPTY_CLOCK)).toMatchObject({
    clock: {
      runs: 1,
      lastSlot: SLOT0 + 7,
      days: [[20_833, 1]],
      recentSlots: [SLOT0 + 7],
    },
    pending: { sequence: 9, run: 1, slot: SLOT0 + 7, atMs: (SLOT0 + 7) * SLOT_MS + 1_234 },
  });
});

test("the clock forgets slots after 24 hours and days after 90", () => {
  expect(plan(SLOT0 + 290)).toMatchObject({
    clock: {
      runs: 6,
      days: [
        [20_833, 1],
        [20_834, 6],
      ],
      recentSlots: [SLOT0 + 3, SLOT0 + 4, SLOT0 + 290],
    },
  });
  expect(plan(SLOT0 + 89 * 288)).toMatchObject({
    clock: {
      days: [
        [20_833, 1],
        [20_922, 6],
      ],
    },
  });
  expect(plan(SLOT0 + 90 * 288)).toMatchObject({ clock: { days: [[20_923, 6]] } });
});

test("the journal names only monitors whose record changes", () => {
  const records = new Map([
    ["well", recordOf()],
    ["recovered", recordOf({ state: "failing", code: "tcp-timeout" })],
    ["failing", recordOf()],
    ["refused", NEVER_HEALTHY],
    ["refused-once-healthy", recordOf()],
    ["skipped", recordOf()],
    ["unknown", recordOf({ state: "unknown" })],
    ["gone", recordOf()],
    ["gone-in-the-run", recordOf()],
  ]);
  const verdicts = new Map<string, CheckResult>([
    ["well", HEALTHY],
    ["recovered", HEALTHY],
    ["failing", FAILING],
    ["refused", REFUSED],
    ["refused-once-healthy", REFUSED],
    ["refused-new", REFUSED],
    ["skipped", SKIPPED],
    ["unknown", HEALTHY],
    ["gone-in-the-run", HEALTHY],
    ["new", HEALTHY],
    ["new-and-gone", HEALTHY],
  ]);
  const removedIds = ["gone", "gone-in-the-run", "new-and-gone", "never-there"];
  const run = {
    sequence: 9,
    atMs: (SLOT0 + 5) * SLOT_MS,
    verdicts,
    publicIds: new Set<string>(),
    removedIds,
  };
  expect(planRun(CLOCK, (id) => records.get(id), run)).toMatchObject({
    pending: {
      changes: new Map<string, MonitorChange>([
        ["recovered", HEALTHY],
        ["failing", FAILING],
        ["refused", REFUSED],
        ["refused-once-healthy", { kind: "failing", code: "dns-special-address" }],
        ["refused-new", REFUSED],
        ["skipped", SKIPPED],
        ["unknown", HEALTHY],
        ["new", HEALTHY],
        ["gone", { kind: "gone" }],
        ["gone-in-the-run", { kind: "gone" }],
      ]),
    },
  });
});

test("a refusal with a record of future runs is that of a new monitor", () => {
  const run = {
    sequence: 9,
    atMs: (SLOT0 + 5) * SLOT_MS,
    verdicts: new Map([["a", REFUSED]]),
    publicIds: new Set<string>(),
    removedIds: [],
  };
  expect(planRun(CLOCK, () => recordOf({ firstRun: 7 }), run)).toMatchObject({
    pending: { changes: new Map([["a", REFUSED]]) },
  });
});

test("a warning of a healthy monitor is in the journal when it begins and ends", () => {
  const warned = { kind: "healthy", warning: "mixed-addresses" } as const;
  const known = recordOf({ warning: "mixed-addresses" });
  expect(changesOf(recordOf(), false, { ...warned, totalMs: 120 })).toEqual(warned);
  expect(changesOf(known, false, { ...warned, totalMs: 120 })).toBeUndefined();
  expect(changesOf(known, false, HEALTHY)).toEqual(HEALTHY);
  expect(changesOf(known, true, { ...warned, totalMs: 120 })).toEqual({ ...warned, totalMs: 120 });
});

test("a healthy monitor with a record of future runs begins a new one", () => {
  const run = {
    sequence: 9,
    atMs: (SLOT0 + 5) * SLOT_MS,
    verdicts: new Map([["a", HEALTHY]]),
    publicIds: new Set<string>(),
    removedIds: [],
  };
  expect(planRun(CLOCK, () => recordOf({ firstRun: 7 }), run)).toMatchObject({
    pending: { changes: new Map([["a", HEALTHY]]) },
  });
});

test("removals count no run", () => {
  expect(planRemovals(CLOCK, 9, 77, ["a", "b"])).toEqual({
    sequence: 9,
    run: 5,
    slot: SLOT0 + 4,
    atMs: 77,
    changes: new Map<string, MonitorChange>([
      ["a", { kind: "gone" }],
      ["b", { kind: "gone" }],
    ]),
  });
});

/** The journal's changes for a monitor that was healthy before, and responded in 120 ms in the first slot of its hour. */
function changesOf(record: MonitorRecord, isPublic: boolean, verdict: CheckResult) {
  const planned = planRun(CLOCK, () => record, {
    sequence: 9,
    atMs: (SLOT0 + 12) * SLOT_MS,
    verdicts: new Map([["a", verdict]]),
    publicIds: new Set(isPublic ? ["a"] : ["b"]),
    removedIds: [],
  });
  return planned === "already-counted" ? undefined : planned.pending.changes.get("a");
}

test("the journal has the first response time of a public monitor in each hour", () => {
  const hour = responseHourOf(shardOf("a"), SLOT0 + 12);
  const timed = { kind: "healthy", totalMs: 120 } as const;
  const known = (ofHour: number) => recordOf({ response: { hour: ofHour, levels: "K" } });
  expect(changesOf(recordOf(), true, timed)).toEqual(timed);
  expect(changesOf(known(hour - 1), true, timed)).toEqual(timed);
  expect(changesOf(known(hour), true, timed)).toBeUndefined();
  expect(changesOf(known(hour + 5), true, timed)).toEqual(timed);
  expect(changesOf(recordOf(), false, timed)).toBeUndefined();
  expect(changesOf(recordOf(), true, HEALTHY)).toBeUndefined();
  expect(changesOf(recordOf(), true, FAILING)).toEqual(FAILING);
  const failing = recordOf({ state: "failing", code: "tcp-timeout" });
  expect(changesOf(failing, false, timed)).toEqual(HEALTHY);
  expect(changesOf(failing, true, timed)).toEqual(timed);
});
