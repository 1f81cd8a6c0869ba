import { expect, test } from "vitest";
import { type MonitorClock, SLOT_MS } from "../../../src/model/monitor/uptime.ts";
import { wasHealthy } from "../../../src/monitors/uptime/availability.ts";
import { recordOf, SLOT0 } from "./samples.ts";

const FIRST_DAY = 20_833;

/** One run at the beginning of each of so many days. */
function clockOf(days: number): MonitorClock {
  const last = SLOT0 + (days - 1) * 288;
  const all = Array.from({ length: days }, (_, index) => [FIRST_DAY + index, index + 1] as const);
  return { runs: days, lastSlot: last, days: all.slice(-90), recentSlots: [last] };
}

const nowMs = (days: number): number => (SLOT0 + (days - 1) * 288) * SLOT_MS;

/** Days of one failed check each, from the second day on. */
const failedDays = (days: number) =>
  Array.from({ length: days - 1 }, (_, index) => ({
    day: FIRST_DAY + 1 + index,
    failed: 1,
    skipped: 0,
  }));

test("a monitor without a record was never healthy", () => {
  expect(wasHealthy(undefined, clockOf(3), nowMs(3))).toBe(false);
});

test("one healthy check of the last 90 days is enough", () => {
  const record = recordOf({ state: "failing", code: "tcp-timeout", days: failedDays(90) });
  expect(wasHealthy(record, clockOf(90), nowMs(90))).toBe(true);
});

test("after 90 days of failures the healthy check before them is forgotten", () => {
  const days = failedDays(91);
  const failing = recordOf({ state: "failing", code: "tcp-timeout", days });
  expect(wasHealthy(failing, clockOf(91), nowMs(91))).toBe(false);
});

test("refusals that counted as failing for 90 days continue to count", () => {
  const days = failedDays(91);
  const refused = recordOf({ state: "failing", code: "redirect-refused", days });
  expect(wasHealthy(refused, clockOf(91), nowMs(91))).toBe(true);
});

test("a monitor that was only refused or skipped was never healthy", () => {
  const days = [FIRST_DAY, FIRST_DAY + 1].map((day) => ({ day, failed: 0, skipped: 1 }));
  const refused = recordOf({ state: "refused", code: "url-refused", days });
  expect(wasHealthy(refused, clockOf(2), nowMs(2))).toBe(false);
});

test("a monitor refused since an older version was healthy before", () => {
  const days = [FIRST_DAY + 1, FIRST_DAY + 2].map((day) => ({ day, failed: 0, skipped: 1 }));
  const refused = recordOf({ state: "refused", code: "redirect-refused", days });
  expect(wasHealthy(refused, clockOf(3), nowMs(3))).toBe(true);
});

test("a healthy monitor was healthy, whatever the age of its last run", () => {
  expect(wasHealthy(recordOf(), clockOf(1), nowMs(400))).toBe(true);
});
