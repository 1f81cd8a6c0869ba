import { expect, test } from "vitest";
import { type MonitorClock, SLOT_MS } from "../../../src/model/monitor/uptime.ts";
import { UPTIME_WINDOWS } from "../../../src/model/monitor/monitor.ts";
import { uptimeOf } from "../../../src/monitors/uptime/availability.ts";
import { recordOf, SLOT0 } from "./samples.ts";

/** One run on the first day, a full day without any, two on the third. */
const CLOCK: MonitorClock = {
  runs: 3,
  lastSlot: SLOT0 + 2 * 288 + 1,
  days: [
    [20_833, 1],
    [20_835, 2],
  ],
  recentSlots: [SLOT0 + 2 * 288, SLOT0 + 2 * 288 + 1],
};

const LAST_MS = CLOCK.lastSlot * SLOT_MS;
const NEVER_RUN: MonitorClock = { runs: 0, lastSlot: -1, days: [], recentSlots: [] };

test("a monitor without a record has no checks", () => {
  for (const window of UPTIME_WINDOWS) {
    expect(uptimeOf(undefined, CLOCK, window, LAST_MS)).toEqual({ decided: 0, healthy: 0 });
  }
});

test("every run in the window counts, and days without runs do not", () => {
  expect(uptimeOf(recordOf(), CLOCK, "7d", LAST_MS)).toEqual({ decided: 3, healthy: 3 });
  expect(uptimeOf(recordOf({ firstRun: 2 }), CLOCK, "7d", LAST_MS).decided).toBe(2);
  expect(uptimeOf(recordOf(), CLOCK, "24h", LAST_MS).decided).toBe(2);
});

test("24 hours are 288 slots, including the current one", () => {
  const after = (slots: number) =>
    uptimeOf(recordOf(), CLOCK, "24h", (CLOCK.lastSlot + slots) * SLOT_MS).decided;
  expect([0, 286, 287, 288].map(after)).toEqual([2, 2, 1, 0]);
});

test("a window of days begins at midnight UTC and includes today", () => {
  const onDay = (day: number) => uptimeOf(recordOf(), CLOCK, "7d", day * 288 * SLOT_MS).decided;
  expect([20_839, 20_840, 20_841, 20_842].map(onDay)).toEqual([3, 2, 2, 0]);
  const lastMoment = 20_840 * 288 * SLOT_MS - 1;
  expect(uptimeOf(recordOf(), CLOCK, "7d", lastMoment).decided).toBe(3);
});

test.each([
  ["7d", 7],
  ["30d", 30],
  ["90d", 90],
] as const)("the window of %s counts %i days, today included", (window, days) => {
  const clock: MonitorClock = {
    runs: 100,
    lastSlot: SLOT0 + 99 * 288,
    days: Array.from({ length: 100 }, (_, at) => [20_833 + at, at + 1]),
    recentSlots: [SLOT0 + 99 * 288],
  };
  const failed = [100 - days - 1, 100 - days].map((at) => ({
    day: 20_833 + at,
    failed: 1,
    skipped: 0,
  }));
  const nowMs = clock.lastSlot * SLOT_MS;
  expect(uptimeOf(recordOf({ days: failed }), clock, window, nowMs)).toEqual({
    decided: days,
    healthy: days - 1,
  });
});

test("of marks only those of the last 24 hours, and of the monitor's own runs, count", () => {
  const clock: MonitorClock = {
    runs: 10,
    lastSlot: SLOT0 + 300,
    days: [[20_833, 1]],
    recentSlots: [295, 296, 297, 298, 300].map((slot) => SLOT0 + slot),
  };
  const at = (slot: number, firstRun = 1) => {
    const record = recordOf({ firstRun, marks: "fsffs.f", marksEnd: 9 });
    return uptimeOf(record, clock, "24h", (SLOT0 + slot) * SLOT_MS);
  };
  // Runs 6 to 10: failed, skipped, healthy, failed, healthy.
  expect(at(300)).toEqual({ decided: 4, healthy: 2 });
  expect(at(296 + 287)).toEqual({ decided: 3, healthy: 2 });
  expect(at(297 + 287)).toEqual({ decided: 3, healthy: 2 });
  expect(at(298 + 287)).toEqual({ decided: 2, healthy: 1 });
  expect(at(300 + 287)).toEqual({ decided: 1, healthy: 1 });
  expect(at(300, 9)).toEqual({ decided: 2, healthy: 1 });
});

test("skipped checks are not decided, failed ones are not healthy", () => {
  const record = recordOf({
    days: [
      { day: 20_833, failed: 1, skipped: 0 },
      { day: 20_835, failed: 0, skipped: 1 },
    ],
    marks: "fs",
    marksEnd: 2,
    code: "tcp-timeout",
  });
  expect(uptimeOf(record, CLOCK, "30d", LAST_MS)).toEqual({ decided: 2, healthy: 1 });
  expect(uptimeOf(record, CLOCK, "24h", LAST_MS)).toEqual({ decided: 1, healthy: 1 });
});

test("a time before the last run is replaced by that of the run", () => {
  const clock: MonitorClock = {
    ...CLOCK,
    days: [
      [20_700, 1],
      [20_835, 2],
    ],
  };
  const longAgoMs = 20_700 * 288 * SLOT_MS;
  expect(uptimeOf(recordOf(), clock, "90d", LAST_MS)).toEqual({ decided: 2, healthy: 2 });
  expect(uptimeOf(recordOf(), clock, "90d", longAgoMs)).toEqual({ decided: 2, healthy: 2 });
});

test("a record of another clock gives no negative or impossible numbers", () => {
  const record = recordOf({
    days: [{ day: 20_835, failed: 9, skipped: 1 }],
    marks: "ffffffffs",
    marksEnd: 9,
  });
  for (const window of UPTIME_WINDOWS) {
    expect(uptimeOf(record, NEVER_RUN, window, LAST_MS)).toEqual({ decided: 0, healthy: 0 });
    expect(uptimeOf(record, CLOCK, window, LAST_MS).healthy).toBe(0);
  }
});
