import { expect, test } from "vitest";
import {
  type MonitorClock,
  type MonitorRecord,
  SLOT_MS,
} from "../../../src/model/monitor/uptime.ts";
import { DAY_MS } from "../../../src/model/time.ts";
import { exceptionalDaysOf, runsOfDays } from "../../../src/monitors/uptime/availability.ts";

const TODAY = 20_000;
const CLOCK: MonitorClock = {
  runs: 600,
  lastSlot: (TODAY * DAY_MS) / SLOT_MS + 20,
  days: [
    [TODAY - 2, 1],
    [TODAY - 1, 281],
    [TODAY, 569],
  ],
  recentSlots: [],
};
const NOW_MS = TODAY * DAY_MS + 3_600_000;

function recordOf(days: MonitorRecord["days"], firstRun = 1): MonitorRecord {
  return { firstRun, days, marks: "", marksEnd: 0, state: "healthy", sinceMs: 0 };
}

test("the runs of a day are those until the first one of the next", () => {
  expect([...runsOfDays(CLOCK)]).toEqual([
    [TODAY - 2, 280],
    [TODAY - 1, 288],
    [TODAY, 32],
  ]);
});

test("only ended days of the last ninety that were not whole are given", () => {
  const days = [
    { day: TODAY - 91, failed: 1, skipped: 0 },
    { day: TODAY - 2, failed: 2, skipped: 1 },
    { day: TODAY, failed: 5, skipped: 0 },
  ];
  expect(exceptionalDaysOf(recordOf(days), CLOCK, NOW_MS)).toEqual([
    { day: TODAY - 2, checks: 280, failed: 2, skipped: 1 },
  ]);
  expect(exceptionalDaysOf(recordOf(days, 101), CLOCK, NOW_MS)).toEqual([
    { day: TODAY - 2, checks: 180, failed: 2, skipped: 1 },
  ]);
  expect(exceptionalDaysOf(recordOf([]), CLOCK, NOW_MS)).toEqual([]);
});

test("a day is given until ninety days, today included, have begun after it", () => {
  const days = [TODAY - 90, TODAY - 89].map((day) => ({ day, failed: 1, skipped: 0 }));
  expect(exceptionalDaysOf(recordOf(days), CLOCK, NOW_MS)).toEqual([
    { day: TODAY - 89, failed: 1, skipped: 0, checks: 0 },
  ]);
});

test("a day before the first run of a monitor has no runs of it", () => {
  expect([...runsOfDays(CLOCK, 281).values()]).toEqual([0, 288, 32]);
  expect([...runsOfDays(CLOCK, 282).values()]).toEqual([0, 287, 32]);
});

test("a time before the last run is replaced by that of the run", () => {
  const record = recordOf([{ day: TODAY - 1, failed: 1, skipped: 0 }]);
  expect(exceptionalDaysOf(record, CLOCK, NOW_MS - 3 * DAY_MS)).toHaveLength(1);
});

test("the day of a failure is given once it has ended", () => {
  const record = recordOf([{ day: TODAY, failed: 5, skipped: 0 }]);
  expect(exceptionalDaysOf(record, CLOCK, NOW_MS)).toEqual([]);
  expect(exceptionalDaysOf(record, CLOCK, NOW_MS + DAY_MS)).toHaveLength(1);
});
