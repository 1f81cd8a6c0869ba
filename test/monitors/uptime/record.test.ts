import { expect, test } from "vitest";
import type { CheckResult } from "../../../src/model/monitor/monitor.ts";
import { type MonitorRecord, SLOT_MS } from "../../../src/model/monitor/uptime.ts";
import {
  continuedRecord,
  pruneRecord,
  recordVerdict,
  shownCondition,
} from "../../../src/monitors/uptime/record.ts";
import { FAILING, HEALTHY, recordOf, REFUSED, SKIPPED, SLOT0 } from "./samples.ts";

/** Run 1 is that of the first slot, run 2 that of the next, and so on. */
function pointOf(run: number) {
  const slot = SLOT0 + run - 1;
  return { run, slot, atMs: slot * SLOT_MS, responseHour: Math.floor(slot / 12) };
}

function play(verdicts: readonly CheckResult[]): MonitorRecord | undefined {
  let record: MonitorRecord | undefined;
  for (const [index, verdict] of verdicts.entries()) {
    record = recordVerdict(record, verdict, pointOf(index + 1));
  }
  return record;
}

test("a new monitor is healthy since its first check", () => {
  expect(play([HEALTHY])).toEqual(recordOf({ firstRun: 1, sinceMs: SLOT0 * SLOT_MS }));
});

test("a new monitor that was skipped is unknown, without a code", () => {
  expect(play([SKIPPED])).toEqual(
    recordOf({
      state: "unknown",
      days: [{ day: 20_833, failed: 0, skipped: 1 }],
      marks: "s",
      marksEnd: 1,
    }),
  );
});

test("a condition lasts through skipped checks, with the last code", () => {
  const other: CheckResult = { kind: "failing", code: "dns-timeout" };
  expect(play([HEALTHY, FAILING, SKIPPED, other])).toMatchObject({
    state: "failing",
    sinceMs: pointOf(2).atMs,
    code: "dns-timeout",
    marks: "fsf",
    marksEnd: 4,
  });
  expect(play([FAILING, HEALTHY])).toMatchObject({ state: "healthy", code: "tcp-timeout" });
});

test("a failure that ended is listed with its last code, and no skipped check ends it", () => {
  const other: CheckResult = { kind: "failing", code: "dns-timeout" };
  const ended = { sinceMs: pointOf(2).atMs, endedAtMs: pointOf(5).atMs, code: "dns-timeout" };
  expect(play([HEALTHY, FAILING, other, SKIPPED])?.failures).toBeUndefined();
  expect(play([HEALTHY, FAILING, other, SKIPPED, HEALTHY])?.failures).toEqual([ended]);
});

test("the last ten failures are listed, for as long as the uptime of their days", () => {
  const record = play(
    Array.from({ length: 24 }, (_, index) => (index % 2 === 0 ? FAILING : HEALTHY)),
  );
  expect(record?.failures?.map(({ sinceMs }) => sinceMs)).toEqual(
    Array.from({ length: 10 }, (_, index) => pointOf(5 + 2 * index).atMs),
  );
  if (record === undefined) throw new TypeError("no record");
  const afterDays = (days: number) => pruneRecord(record, { run: 30, slot: SLOT0 + days * 288 });
  expect(afterDays(89).failures).toHaveLength(10);
  expect(afterDays(90).failures).toBeUndefined();
});

test("a failure leaves the list once the day on which it ended is forgotten", () => {
  const midnight = (SLOT0 + 288) * SLOT_MS;
  const ended = (endedAtMs: number) => ({ sinceMs: 0, endedAtMs, code: "tcp-timeout" }) as const;
  const record = recordOf({ failures: [ended(midnight - 1), ended(midnight)] });
  const after = (slots: number) => pruneRecord(record, { run: 1, slot: SLOT0 + slots });
  expect(after(90 * 288 - 1)).toBe(record);
  expect(after(90 * 288)).toEqual(recordOf({ failures: [ended(midnight)] }));
  expect(after(91 * 288)).toEqual(recordOf());
});

test("a failure that a wrong clock began in the future has no negative length", () => {
  const later = { ...pointOf(1), atMs: pointOf(9).atMs };
  const record = recordVerdict(recordVerdict(undefined, FAILING, later), HEALTHY, pointOf(2));
  const atMs = pointOf(2).atMs;
  expect(record.failures).toEqual([{ sinceMs: atMs, endedAtMs: atMs, code: "tcp-timeout" }]);
});

test("a refusal is a condition of its own and counts as skipped", () => {
  expect(play([FAILING, REFUSED])).toMatchObject({
    state: "refused",
    sinceMs: pointOf(2).atMs,
    code: "dns-special-address",
    days: [{ day: 20_833, failed: 1, skipped: 1 }],
    marks: "fs",
  });
});

test("a warning lasts through skipped checks, until one without it", () => {
  const warned: CheckResult = { kind: "healthy", warning: "mixed-addresses" };
  expect(play([warned])).toMatchObject({ state: "healthy", warning: "mixed-addresses" });
  expect(play([warned, SKIPPED])).toMatchObject({ warning: "mixed-addresses" });
  for (const next of [HEALTHY, FAILING, REFUSED])
    expect(play([warned, next])).not.toHaveProperty("warning");
});

test("exceptions on two days are counted on each", () => {
  const before = recordVerdict(recordOf(), FAILING, pointOf(288));
  expect(recordVerdict(before, FAILING, pointOf(289)).days).toEqual([
    { day: 20_833, failed: 1, skipped: 0 },
    { day: 20_834, failed: 1, skipped: 0 },
  ]);
});

test("runs between two exceptions were healthy", () => {
  const once = recordVerdict(recordOf(), FAILING, pointOf(10));
  expect(recordVerdict(once, SKIPPED, pointOf(14)).marks).toBe("f...s");
  expect(recordVerdict(once, SKIPPED, pointOf(298)).marks).toBe(`f${".".repeat(287)}s`);
  expect(recordVerdict(once, SKIPPED, pointOf(299)).marks).toBe("s");
});

test("marks older than the last 288 runs go, and days older than 90", () => {
  const days = [20_833, 20_834].map((day) => ({ day, failed: 1, skipped: 0 }));
  const record = recordOf({ marks: "f..fs", marksEnd: 14, days });
  expect(pruneRecord(record, pointOf(297))).toBe(record);
  expect(pruneRecord(record, pointOf(298))).toMatchObject({ marks: "fs", marksEnd: 14 });
  expect(pruneRecord(record, pointOf(302))).toMatchObject({ marks: "", marksEnd: 0 });
  expect(pruneRecord(record, pointOf(90 * 288)).days).toEqual(days);
  expect(pruneRecord(record, pointOf(90 * 288 + 1)).days).toEqual(days.slice(1));
});

test("a record of runs that have not been yet is not continued", () => {
  expect(continuedRecord(recordOf({ firstRun: 8 }), 7)).toBeUndefined();
  expect(continuedRecord(recordOf({ marks: "f", marksEnd: 7 }), 7)).toBeUndefined();
  const foreign = recordOf({ firstRun: 900, state: "failing", code: "tcp-timeout" });
  expect(recordVerdict(foreign, HEALTHY, pointOf(7))).toEqual(
    recordOf({ firstRun: 7, sinceMs: pointOf(7).atMs }),
  );
});

test("a response time is kept for 24 hours, whether the monitor is still public or not", () => {
  const hour = SLOT0 / 12;
  const record = recordOf({ response: { hour, levels: "AB.C" } });
  const at = (hours: number) => pruneRecord(record, { run: 1, slot: SLOT0 + hours * 12 });
  expect(at(20)).toBe(record);
  expect(at(21)).toEqual(recordOf({ response: { hour, levels: "B.C" } }));
  expect(at(22)).toEqual(recordOf({ response: { hour, levels: "C" } }));
  expect(at(23)).toEqual(recordOf({ response: { hour, levels: "C" } }));
  expect(at(24)).toEqual(recordOf());
  expect("response" in at(24)).toBe(false);
});

test("a healthy check with a time is remembered, and what follows leaves it alone", () => {
  const timed = { kind: "healthy", totalMs: 5 } as const;
  const response = { hour: Math.floor(SLOT0 / 12), levels: "A" };
  expect(play([timed])).toEqual(recordOf({ response }));
  expect(play([timed, FAILING, SKIPPED, HEALTHY])).toMatchObject({ state: "healthy", response });
  expect(play([HEALTHY])).not.toHaveProperty("response");
});

test.each<readonly [string, Partial<MonitorRecord>, object]>([
  ["healthy", { code: "tcp-timeout" }, { condition: "healthy", sinceMs: 5 }],
  ["failing", { code: "tcp-timeout" }, { condition: "failing", sinceMs: 5, code: "tcp-timeout" }],
  ["refused", { code: "url-refused" }, { condition: "refused", sinceMs: 5, code: "url-refused" }],
  ["unknown", {}, { condition: "unknown", sinceMs: null }],
  [
    "healthy",
    { warning: "mixed-addresses" },
    { condition: "healthy", sinceMs: 5, warning: "mixed-addresses" },
  ],
  [
    "failing",
    { code: "tcp-timeout", warning: "robot-wall" },
    { condition: "unknown", sinceMs: null, warning: "robot-wall" },
  ],
] as const)("a monitor that is %s, with %j, is shown as %j", (state, changes, shown) => {
  const known = recordOf({ ...changes, state: state as MonitorRecord["state"], sinceMs: 5 });
  expect(shownCondition(known)).toEqual(shown);
});

test("a wall hides what was found before, until the site answers again", () => {
  const walled: CheckResult = { kind: "skipped", isWalled: true };
  const shown = (verdicts: readonly CheckResult[]): unknown => {
    const record = play(verdicts);
    return record && [record.state, shownCondition(record).condition, record.warning];
  };
  expect(shown([HEALTHY, walled])).toEqual(["healthy", "unknown", "robot-wall"]);
  expect(shown([HEALTHY, walled, SKIPPED])).toEqual(["healthy", "unknown", "robot-wall"]);
  expect(shown([HEALTHY, walled, FAILING])).toEqual(["failing", "failing", undefined]);
  expect(shown([FAILING, walled, HEALTHY])).toEqual(["healthy", "healthy", undefined]);
});
