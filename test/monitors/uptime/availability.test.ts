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
