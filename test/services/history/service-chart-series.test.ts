import { expect, test } from "vitest";
import {
  daysOf,
  halfHoursOf,
  responseHoursOf,
  uptimesOfService,
} from "../../../src/services/history/service-chart-series.ts";
import { classOfSample } from "../../../src/services/history/sample-codes.ts";
import type { RunMark } from "../../../src/model/service/history.ts";
import { levelOf, msOfLevel } from "../../../src/model/response-level.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/model/time.ts";
import { runMark } from "../../model/samples.ts";

/** The beginning of an hour, and of a day. */
const DAY = 20_000;
const NOW = DAY * DAY_MS + 12 * HOUR_MS + 7 * MINUTE_MS;

function runsAt(...minutesAgo: readonly number[]): readonly RunMark[] {
  return minutesAgo.map((ago) => runMark({ atMs: NOW - ago * MINUTE_MS }));
}

test("a half hour shows the worst class of its runs, the current one last", () => {
  const cells = halfHoursOf("ufup", runsAt(45, 40, 20, 2), NOW);
  expect(cells).toHaveLength(48);
  // 12:05 is in the current half hour; 11:47 in the one before; 11:22 and 11:27 in the one before that.
  expect(cells.slice(-3)).toEqual(["failing", "up", "partial"]);
  expect(cells.slice(0, -3)).toEqual(Array.from({ length: 45 }, () => null));
});

test("runs without a check, or more than 24 hours ago, are not shown", () => {
  expect(halfHoursOf("f.", runsAt(24 * 60, 3), NOW).every((cell) => cell === null)).toBe(true);
});

test("an endpoint is shown in the classes of services", () => {
  const shown = [..."A~@+=!%#$?^.*&"].map((char) => {
    return halfHoursOf(char, runsAt(0), NOW, classOfSample).at(-1);
  });
  expect(shown.slice(0, 5)).toEqual(["up", "up", "up", "up", "up"]);
  expect(shown.slice(5, 9)).toEqual(["failing", "server-error", "failing", "provider-denied"]);
  expect(shown.slice(9)).toEqual([null, null, null, null, null]);
});

test("a run in the future counts for the current half hour", () => {
  expect(halfHoursOf("f", runsAt(-90), NOW).at(-1)).toBe("failing");
});

test("a day in which less than a twentieth of the runs failed has a short outage", () => {
  const dayOf = (counts: readonly number[]) => daysOf([{ day: DAY, counts }], NOW).at(-1);
  expect(dayOf([274, 0, 0, 0, 0, 14])).toBe("minor");
  expect(dayOf([273, 0, 0, 0, 0, 15])).toBe("failing");
  expect(dayOf([274, 0, 0, 0, 7, 7])).toBe("minor");
  expect(dayOf([270, 0, 14, 0, 0, 4])).toBe("minor");
});

test("an uptime is the share of runs without a failing critical endpoint", () => {
  const days = [
    { day: DAY - 30, counts: [0, 0, 0, 0, 0, 288] },
    { day: DAY - 29, counts: [280, 0, 0, 0, 5, 3] },
    { day: DAY - 6, counts: [280, 2, 3, 3, 0, 0] },
    { day: DAY, counts: [10, 0, 0, 0, 0, 2] },
  ];
  const strip = { strip: "ffup.e", days };
  expect(uptimesOfService(strip, runsAt(24 * 60, 24 * 60 - 1, 20, 15, 10, 5), NOW)).toEqual({
    "24h": { decided: 4, healthy: 2 },
    "7d": { decided: 300, healthy: 298 },
    "30d": { decided: 588, healthy: 578 },
    "90d": { decided: 876, healthy: 578 },
  });
});

test("a day shows the worst class of at least two runs", () => {
  const days = daysOf(
    [
      { day: DAY - 90, counts: [0, 0, 0, 0, 0, 288] },
      { day: DAY - 89, counts: [268, 0, 0, 0, 0, 20] },
      { day: DAY - 1, counts: [286, 0, 1, 0, 0, 1] },
      { day: DAY, counts: [0, 0, 1, 0, 0, 0] },
    ],
    NOW,
  );
  expect(days).toHaveLength(90);
  expect([days[0], days[1], days[88], days[89]]).toEqual(["failing", null, "up", "partial"]);
});

test("response times are medians of complete hours, without congested runs", () => {
  const [fast, slow] = [levelOf(100), levelOf(3_000)];
  const runs = [
    ...runsAt(65, 60, 55),
    runMark({ atMs: NOW - 50 * MINUTE_MS, isCongested: true }),
    ...runsAt(2),
  ];
  // 11:02, 11:07 and 11:12; 11:17 congested; 12:05 is not over yet.
  const hours = responseHoursOf(`${fast}${fast}${slow}${slow}${slow}`, runs, NOW);
  expect(hours).toHaveLength(24);
  expect(hours.at(-1)).toBe(Math.round(msOfLevel(fast) ?? 0));
  expect(hours.slice(0, -1).every((hour) => hour === null)).toBe(true);
});

test("a day after today, as of a clock that was ahead, is not shown", () => {
  const counts = [0, 0, 0, 0, 0, 9];
  expect(daysOf([{ day: DAY + 1, counts }], NOW).every((cell) => cell === null)).toBe(true);
});

test("the first half hour begins 23.5 hours before the present one", () => {
  const ago = (at: number) => halfHoursOf("f", runsAt(at), NOW).indexOf("failing");
  expect([7, 8, 23.5 * 60 + 7, 23.5 * 60 + 8].map(ago)).toEqual([47, 46, 0, -1]);
});

test("an hour has the upper one of two middle times, and the last hour has ended", () => {
  const [fast, slow] = [levelOf(100), levelOf(3_000)];
  const at = (minutesAgo: readonly number[], samples: string) =>
    responseHoursOf(samples, runsAt(...minutesAgo), NOW);
  expect(at([20, 10], fast + slow).at(-1)).toBe(Math.round(msOfLevel(slow) ?? 0));
  expect(at([20, 15, 10], slow + fast + fast).at(-1)).toBe(Math.round(msOfLevel(fast) ?? 0));
  const first = at([24 * 60 + 8, 24 * 60 + 7], slow + fast);
  expect(first).toEqual([
    Math.round(msOfLevel(fast) ?? 0),
    ...Array.from({ length: 23 }, () => null),
  ]);
  expect(at([7], fast).every((hour) => hour === null)).toBe(true);
});

test("failures have no response time", () => {
  expect(responseHoursOf("!~?", runsAt(65, 60, 55), NOW).every((hour) => hour === null)).toBe(true);
});
