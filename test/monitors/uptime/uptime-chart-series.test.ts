import { expect, test } from "vitest";
import { HOUR_MS } from "../../../src/model/time.ts";
import { EMPTY_CLOCK, type MonitorClock, SLOT_MS } from "../../../src/model/monitor/uptime.ts";
import { uptimeDaysOf, responseOf } from "../../../src/monitors/uptime/availability.ts";
import { recordOf, SLOT0 } from "./samples.ts";

/** The first slot of day 20,833, as a time. */
const DAY0_MS = SLOT0 * SLOT_MS;

/** Two whole days of runs, and twenty runs of the third. */
const CLOCK: MonitorClock = {
  runs: 596,
  lastSlot: SLOT0 + 595,
  days: [
    [20_833, 1],
    [20_834, 289],
    [20_835, 577],
  ],
  recentSlots: [],
};
const NOW_MS = (SLOT0 + 595) * SLOT_MS;

const exceptions = (failed: number, skipped: number) => ({ day: 20_835, failed, skipped });

test("a day is whole, a little broken or badly broken, or nothing is known of it", () => {
  const gradeOf = (failed: number, skipped: number) =>
    uptimeDaysOf(recordOf({ days: [exceptions(failed, skipped)] }), CLOCK, NOW_MS).at(-1);
  expect(gradeOf(0, 19)).toBe("whole");
  expect(gradeOf(0, 20)).toBe(null);
  expect(gradeOf(1, 0)).toBe("major");
  const grown = { ...CLOCK, runs: 597 };
  const one = recordOf({ days: [exceptions(1, 0)] });
  expect(uptimeDaysOf(one, grown, NOW_MS).at(-1)).toBe("minor");
  expect(uptimeDaysOf(recordOf({ days: [exceptions(1, 1)] }), grown, NOW_MS).at(-1)).toBe("major");
});

test("there are 90 days, the last one today", () => {
  const record = recordOf({ firstRun: 300, days: [{ day: 20_834, failed: 277, skipped: 0 }] });
  const days = uptimeDaysOf(record, CLOCK, NOW_MS);
  expect(days.length).toBe(90);
  expect(days.slice(-4)).toEqual([null, null, "major", "whole"]);
  const tomorrow = uptimeDaysOf(record, CLOCK, NOW_MS + 288 * SLOT_MS);
  expect(tomorrow.slice(-4)).toEqual([null, "major", "whole", null]);
  expect(uptimeDaysOf(record, CLOCK, 0)).toEqual(days);
  expect(uptimeDaysOf(record, EMPTY_CLOCK, NOW_MS)).toEqual(Array.from({ length: 90 }, () => null));
});

test("a day that goes on well stays as it is from run to run", () => {
  const record = recordOf({ days: [exceptions(0, 3)] });
  const later = { ...CLOCK, runs: CLOCK.runs + 200 };
  expect(uptimeDaysOf(record, later, NOW_MS)).toEqual(uptimeDaysOf(record, CLOCK, NOW_MS));
});

test("response times stand in their hours, the last one that of now", () => {
  const record = recordOf({ response: { hour: SLOT0 / 12 + 5, levels: "A._" } });
  const at = (hour: number) => responseOf(record, DAY0_MS + hour * HOUR_MS + HOUR_MS - 1);
  expect(at(5).length).toBe(24);
  expect(at(5).slice(-4)).toEqual([null, 5, null, 20_000]);
  expect(at(7).slice(-5)).toEqual([5, null, 20_000, null, null]);
  expect(at(27).slice(0, 3)).toEqual([null, 20_000, null]);
  expect(at(28)[0]).toBe(20_000);
  expect(at(29)).toEqual(Array.from({ length: 24 }, () => null));
  expect(at(4).slice(-2)).toEqual([5, null]);
  expect(responseOf(recordOf(), NOW_MS)).toEqual(Array.from({ length: 24 }, () => null));
});
