import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AccuracyLedger, NO_ACCURACY } from "../../../src/model/service/accuracy.ts";
import { DAY_MS, MINUTE_MS } from "../../../src/model/time.ts";
import { VERDICT_CODES, type VerdictCode } from "../../../src/contract/codes/verdict.ts";
import { advanceAccuracy } from "../../../src/open-data/accuracy/advance.ts";
import { reportAccuracy } from "../../../src/open-data/accuracy/report.ts";
import type { Comparison, ServiceLook } from "../../../src/open-data/accuracy/told-outages.ts";
import { at, countersOf } from "./sample-ledger.ts";

/** One generation: when it is published, the time of its run, and the verdicts with a check of that run. */
interface Step {
  readonly nowMs: number;
  readonly runAtMs: number;
  readonly isRunCongested?: boolean;
  readonly codes: Readonly<Record<string, VerdictCode>>;
  readonly comparison?: Comparison;
}

/** A publisher in small: it remembers what the state does. */
function createPublisher() {
  let ledger: AccuracyLedger = NO_ACCURACY;
  let lastRunMs: number | undefined;
  const codes = new Map<string, VerdictCode>();
  const checks = new Map<string, number>();
  return (step: Step): AccuracyLedger => {
    const services = Object.entries(step.codes).map(([slug, code]): ServiceLook => ({
      slug,
      code,
      codeBefore: codes.get(slug),
      checkedBeforeMs: checks.get(slug),
      checkedAtMs: step.runAtMs,
      isReportedSince: () => false,
      surgedAtMs: undefined,
      about: null,
      elsewhere: { isHeard: false, isFailing: false },
      comparison: step.comparison,
    }));
    const { nowMs, runAtMs } = step;
    ledger = advanceAccuracy(ledger, {
      nowMs,
      runBeforeMs: lastRunMs,
      runAtMs,
      isRunCongested: step.isRunCongested === true,
      services,
    });
    lastRunMs = runAtMs;
    for (const [slug, code] of Object.entries(step.codes)) {
      if (code !== "none") codes.set(slug, code);
      checks.set(slug, runAtMs);
    }
    return ledger;
  };
}

function stepAt(text: string, changes: Partial<Step> = {}): Step {
  return {
    nowMs: at(text) + 30_500,
    runAtMs: at(text),
    codes: { bank: "ok", shop: "ok" },
    ...changes,
  };
}

test("without a valid run there is no record", () => {
  const look = {
    nowMs: at("2026-11-20T10:00"),
    runBeforeMs: undefined,
    runAtMs: undefined,
    isRunCongested: false,
    services: [],
  };
  expect(advanceAccuracy(NO_ACCURACY, look)).toBe(NO_ACCURACY);
});

test("the record begins with the first run, in whole seconds", () => {
  const publish = createPublisher();
  expect(publish(stepAt("2026-11-20T10:00"))).toEqual({
    ...NO_ACCURACY,
    sinceMs: at("2026-11-20T10:00") + 30_000,
    day: at("2026-11-20T00:00") / DAY_MS,
    today: countersOf({ runs: 1 }),
  });
});

test("a replay adds nothing, whatever it repeats", () => {
  const publish = createPublisher();
  publish(stepAt("2026-11-20T10:00"));
  const failing = { codes: { bank: "fail", shop: "ok" }, comparison: "only-moscow" } as const;
  const once = publish(stepAt("2026-11-20T10:35", failing));
  expect(publish(stepAt("2026-11-20T10:35", failing))).toEqual(once);
  const later = { nowMs: at("2026-11-20T10:36"), runAtMs: at("2026-11-20T10:35") };
  expect(publish(stepAt("2026-11-20T10:35", { ...failing, ...later }))).toEqual(once);
});

describe("minutes without data", () => {
  test("are those after the first 15", () => {
    const publish = createPublisher();
    publish(stepAt("2026-11-20T10:00"));
    expect(publish(stepAt("2026-11-20T10:15")).today).toMatchObject({ runnerNoneMinutes: 0 });
    expect(publish(stepAt("2026-11-20T11:00")).today).toMatchObject({
      runnerNoneMinutes: 30,
      serviceNoneMinutes: 60,
    });
  });

  test("belong to the month in which they were, also over several months", () => {
    const publish = createPublisher();
    publish(stepAt("2026-10-31T22:00"));
    const { months, today } = publish(stepAt("2026-12-01T01:00"));
    expect(months.map(({ month, runnerNoneMinutes }) => [month, runnerNoneMinutes])).toEqual([
      [681, 105],
      [682, 30 * 24 * 60],
    ]);
    expect(today.runnerNoneMinutes).toBe(60);
  });
});

test("comparisons are counted once in each run", () => {
  const publish = createPublisher();
  publish(stepAt("2026-11-20T10:00", { comparison: "alike" }));
  publish(stepAt("2026-11-20T10:05", { comparison: "only-moscow" }));
  const { today } = publish(stepAt("2026-11-20T10:10", { comparison: "only-abroad" }));
  expect(today).toMatchObject({ compared: 6, onlyMoscow: 2, onlyAbroad: 2 });
});

test("when a day ends, its counters join those of its month", () => {
  const publish = createPublisher();
  publish(stepAt("2026-11-29T10:00"));
  publish(stepAt("2026-11-29T10:05"));
  expect(publish(stepAt("2026-11-30T10:00"))).toMatchObject({ months: [{ month: 682, runs: 2 }] });
  expect(publish(stepAt("2026-12-01T10:00"))).toMatchObject({
    months: [{ month: 682, runs: 3 }],
    today: { runs: 1 },
  });
});

test("a clock that is set back continues the newest day", () => {
  const publish = createPublisher();
  publish(stepAt("2026-11-20T00:05"));
  publish(stepAt("2026-11-20T00:10", { codes: { bank: "fail", shop: "ok" } }));
  const back = { nowMs: at("2026-11-19T22:00") };
  const { day, months, outages } = publish(stepAt("2026-11-20T00:11", back));
  expect([day, months]).toEqual([at("2026-11-20T00:00") / DAY_MS, []]);
  const [outage] = outages;
  expect(outage?.endedAtMs).toBeGreaterThanOrEqual(outage?.toldAtMs ?? Infinity);
});

test("a service that leaves the catalogue and comes back keeps what was told of it", () => {
  const publish = createPublisher();
  publish(stepAt("2026-11-20T10:00"));
  publish(stepAt("2026-11-20T10:05", { codes: { bank: "fail", shop: "ok" } }));
  publish(stepAt("2026-11-20T10:10", { codes: { shop: "ok" } }));
  const { outages } = publish(stepAt("2026-11-20T12:00"));
  expect(outages).toMatchObject([
    { slug: "bank", endedAtMs: at("2026-11-20T10:10") + 30_000, runs: 3 },
  ]);
});

test("24 months are kept", () => {
  const publish = createPublisher();
  publish(stepAt("2026-11-20T10:00"));
  publish(stepAt("2026-11-20T10:05", { codes: { bank: "fail", shop: "ok" } }));
  publish(stepAt("2026-11-21T10:00"));
  const kept = publish(stepAt("2028-10-31T10:00"));
  expect(kept.months[0]?.month).toBe(682);
  expect(kept.outages).toHaveLength(1);
  const { months, outages, sinceMs } = publish(stepAt("2028-11-01T10:00"));
  expect(months.some(({ month }) => month <= 682)).toBe(false);
  expect([outages, sinceMs]).toEqual([[], at("2026-12-01T00:00")]);
});

test("of too many outages the newest are kept, and the record begins with them", () => {
  const publish = createPublisher();
  const names = Array.from({ length: 700 }, (_, place) => `s${place}`);
  const all = (code: VerdictCode) => Object.fromEntries(names.map((name) => [name, code]));
  let ledger = publish(stepAt("2026-11-20T00:00", { codes: all("ok") }));
  for (const hour of ["01", "02", "03"]) {
    ledger = publish(stepAt(`2026-11-20T${hour}:00`, { codes: all("fail") }));
    ledger = publish(stepAt(`2026-11-20T${hour}:05`, { codes: all("ok") }));
  }
  expect(ledger.outages).toHaveLength(2_000);
  expect(ledger.sinceMs).toBe(at("2026-11-20T01:00") + 30_000);
});

test("for any events no number is negative, and the months have each event once", () => {
  const step = fc.record({
    minutes: fc.integer({ min: -90, max: 40_000 }),
    bank: fc.constantFrom(...VERDICT_CODES),
    shop: fc.constantFrom(...VERDICT_CODES),
    comparison: fc.constantFrom(undefined, "alike", "only-moscow", "only-abroad"),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const publish = createPublisher();
      let clockMs = at("2026-11-20T10:00");
      let runAtMs = clockMs;
      let ledger = NO_ACCURACY;
      for (const { minutes, bank, shop, comparison } of steps) {
        clockMs += minutes * MINUTE_MS;
        // Runs never go back: `effectiveRunTime`.
        runAtMs = Math.max(runAtMs + 1_000, clockMs);
        const codes = { bank, shop };
        ledger = publish({ nowMs: clockMs, runAtMs, codes, ...(comparison && { comparison }) });
      }
      const { months, until, since } = reportAccuracy(ledger, []);
      const numbers = JSON.stringify([ledger, months]).match(/[:,[]-\d+/gu);
      expect(numbers).toBeNull();
      const over = ledger.outages.filter(({ toldAtMs }) => toldAtMs < until * 1_000);
      const sum = months.reduce((total, { outages }) => total + outages.told, 0);
      expect(sum).toBe((since ?? Infinity) < until ? over.length : 0);
      for (const { runs, controls, outages, false: wrong } of months) {
        const { compared, onlyMoscow, onlyAbroad } = controls;
        expect(onlyMoscow + onlyAbroad).toBeLessThanOrEqual(compared);
        expect(compared).toBeLessThanOrEqual(2 * runs);
        expect(wrong.suspected).toBeLessThanOrEqual(outages.short);
        expect(outages.short).toBeLessThanOrEqual(outages.told);
      }
      for (const { toldAtMs, endedAtMs } of ledger.outages)
        expect(endedAtMs ?? Infinity).toBeGreaterThanOrEqual(toldAtMs);
    }),
  );
});

test("a run in which the runner was slow itself is counted among the runs", () => {
  const publish = createPublisher();
  publish(stepAt("2026-11-20T10:00", { isRunCongested: true }));
  expect(publish(stepAt("2026-11-20T10:05")).today).toMatchObject({ runs: 2, congestedRuns: 1 });
});
