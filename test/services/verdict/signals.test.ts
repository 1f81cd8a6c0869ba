import { describe, expect, test } from "vitest";
import { NO_REPORTS } from "../../../src/model/service/reports.ts";
import { DAY_MS, FRESH_MS } from "../../../src/model/time.ts";
import { signalsOf } from "../../../src/services/verdict/signals.ts";
import { serviceHistoryOf, serviceOf, T0 } from "../../model/samples.ts";

const service = serviceOf("a", []);

function isOldAt(nowMs: number, changes: Parameters<typeof serviceHistoryOf>[0]): boolean {
  return signalsOf(service, serviceHistoryOf(changes), NO_REPORTS, nowMs).isOld;
}

test("a service that was never checked is unknown and not fresh", () => {
  expect(signalsOf(service, undefined, NO_REPORTS, T0)).toEqual({
    isFresh: false,
    checkClass: "unknown",
    access: "none",
    hasProvider: false,
    isBlocked: false,
    isSurging: false,
    isOld: false,
  });
});

test.each([
  [FRESH_MS, true],
  [FRESH_MS + 1, false],
  [-1_000, true],
])("a check %d ms ago is fresh: %s", (ageMs, isFresh) => {
  const signals = signalsOf(service, serviceHistoryOf(), NO_REPORTS, T0 + ageMs);
  expect(signals.isFresh).toBe(isFresh);
});

test("the catalogue, the checks and the reports each give their signals", () => {
  const limited = serviceOf("a", [], ["provider", "slowed_ru"]);
  const history = serviceHistoryOf({ checkClass: "failing", isBlocked: true });
  const reports = { hour: 50, day: 60, isSurging: true };
  expect(signalsOf(limited, history, reports, T0)).toEqual({
    isFresh: true,
    checkClass: "failing",
    access: "slowed_ru",
    hasProvider: true,
    isBlocked: true,
    isSurging: true,
    isOld: false,
  });
});

describe("old", () => {
  test("begins after exactly 24 hours of the outage", () => {
    const down = { checkClass: "failing" } as const;
    expect(isOldAt(T0 + DAY_MS, down)).toBe(false);
    expect(isOldAt(T0 + DAY_MS + 1, down)).toBe(true);
  });

  test("depends on the outage, whatever its class", () => {
    const down = { checkClass: "server-error" } as const;
    expect(isOldAt(T0 + DAY_MS + 1, down)).toBe(true);
  });

  test("applies to a partial", () => {
    expect(isOldAt(T0 + DAY_MS + 1, { checkClass: "partial" })).toBe(true);
    expect(isOldAt(T0 + DAY_MS, { checkClass: "partial" })).toBe(false);
  });

  test.each(["up", "slow", "provider-denied"] as const)("does not apply to %s", (checkClass) => {
    expect(isOldAt(T0 + 9 * DAY_MS, { checkClass })).toBe(false);
  });
});
