import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  NO_RECENT_REPORTS,
  type RecentReports,
  type RecentRow,
} from "../../../src/model/service/recent-reports.ts";
import {
  EMPTY_LEDGER,
  type Report,
  type ReportLedger,
} from "../../../src/model/service/reports.ts";
import { countWithin, reportsAsOf } from "../../../src/reports/counting/counts.ts";
import { foldReports, MAX_REMEMBERED } from "../../../src/reports/counting/fold-reports.ts";
import { groupBy } from "../../../src/model/lists.ts";
import { Oracle } from "./oracle.ts";
import { crowd, DAY_MS, HOUR_MS, MINUTE_MS, NOON_MS } from "./samples.ts";

const DAY_MINUTES = 1_440;

function report(atMs: number, network = "net", slug = "sberbank"): Report {
  return { slug, atMs, network, block: "block" };
}

function rowsOf({
  times,
  networks,
  blocks,
}: RecentReports = NO_RECENT_REPORTS): readonly RecentRow[] {
  return Array.from(times, (atMs, place) => [atMs, networks[place] ?? 0, blocks[place] ?? 0]);
}

function countsOf(ledger: ReportLedger, nowMs: number, slug = "sberbank") {
  const { hour, day } = reportsAsOf(ledger, nowMs).get(slug) ?? { hour: 0, day: 0 };
  const minutes = ledger.services.get(slug)?.minutes ?? [];
  return { hour, day, raw: countWithin(minutes, DAY_MINUTES, nowMs).raw };
}

describe("one per network and service in an hour", () => {
  test("10,000 from one network count once, and others count too", () => {
    const flood = Array.from({ length: 10_000 }, (_, place) => report(NOON_MS + place));
    const others = crowd(20, NOON_MS);
    const folded = foldReports(EMPTY_LEDGER, [...flood, ...others], NOON_MS + MINUTE_MS);
    expect(folded).toMatchObject({ accepted: 21, raw: 10_020 });
    expect(countsOf(folded.ledger, NOON_MS + MINUTE_MS)).toEqual({
      hour: 21,
      day: 21,
      raw: 10_020,
    });
  });

  test("the next report counts 60 minutes after the last counted one", () => {
    const reports = [0, 30, 59, 60, 119, 120].map((minute) => report(NOON_MS + minute * MINUTE_MS));
    expect(foldReports(EMPTY_LEDGER, reports, NOON_MS + 2 * HOUR_MS).accepted).toBe(3);
  });

  test("another service and another network count", () => {
    const reports = [report(NOON_MS), report(NOON_MS, "net", "vtb"), report(NOON_MS, "other")];
    expect(foldReports(EMPTY_LEDGER, reports, NOON_MS).accepted).toBe(3);
  });
});

describe("time", () => {
  test("a report stays in a window for the minutes of the window", () => {
    const { ledger } = foldReports(EMPTY_LEDGER, [report(NOON_MS)], NOON_MS);
    expect(countsOf(ledger, NOON_MS + HOUR_MS - 1)).toMatchObject({ hour: 1, day: 1 });
    expect(countsOf(ledger, NOON_MS + HOUR_MS)).toMatchObject({ hour: 0, day: 1 });
    expect(countsOf(ledger, NOON_MS + DAY_MS - 1)).toMatchObject({ hour: 0, day: 1 });
    expect(countsOf(ledger, NOON_MS + DAY_MS)).toMatchObject({ hour: 0, day: 0 });
  });

  test("a report from more than a day ago does not count", () => {
    const folded = foldReports(EMPTY_LEDGER, [report(NOON_MS - 25 * HOUR_MS - 1)], NOON_MS);
    expect(folded).toMatchObject({ accepted: 0, raw: 0 });
    expect(
      countsOf(foldReports(EMPTY_LEDGER, [report(NOON_MS - DAY_MS)], NOON_MS).ledger, NOON_MS).day,
    ).toBe(0);
  });

  test("a report from a clock slightly ahead counts now", () => {
    const { ledger } = foldReports(EMPTY_LEDGER, [report(NOON_MS + 59_000)], NOON_MS);
    expect(countsOf(ledger, NOON_MS).hour).toBe(1);
  });

  test.each([
    [-25 * HOUR_MS - 1, undefined],
    [-25 * HOUR_MS, -25 * 60],
    [-1, -1],
    [MINUTE_MS, 0],
    [MINUTE_MS + 1, 1],
    [DAY_MS, 1_440],
    [DAY_MS + 1, 0],
  ])("a report from %i ms after now is in minute %s after now", (aheadMs, minute) => {
    const { ledger } = foldReports(EMPTY_LEDGER, [report(NOON_MS + aheadMs)], NOON_MS);
    const rows = ledger.services.get("sberbank")?.minutes ?? [];
    const expected = minute === undefined ? [] : [[NOON_MS / MINUTE_MS + minute, 1, 1]];
    expect(rows).toEqual(expected);
  });

  test("a report from the future counts at its time, from over a day ahead now", () => {
    const { ledger } = foldReports(EMPTY_LEDGER, [report(NOON_MS + HOUR_MS)], NOON_MS);
    expect(countsOf(ledger, NOON_MS).hour).toBe(0);
    expect(countsOf(ledger, NOON_MS + HOUR_MS).hour).toBe(1);
    const far = foldReports(EMPTY_LEDGER, [report(NOON_MS + 9 * DAY_MS)], NOON_MS);
    expect(countsOf(far.ledger, NOON_MS).hour).toBe(1);
  });

  test("a clock that goes forward by an hour and back loses neither counts nor networks", () => {
    const first = foldReports(
      EMPTY_LEDGER,
      [report(NOON_MS - DAY_MS + MINUTE_MS, "old"), report(NOON_MS)],
      NOON_MS,
    );
    const forward = foldReports(first.ledger, [], NOON_MS + HOUR_MS);
    const back = foldReports(
      forward.ledger,
      [report(NOON_MS + 5 * MINUTE_MS)],
      NOON_MS + 5 * MINUTE_MS,
    );
    expect(back.accepted).toBe(0);
    expect(countsOf(forward.ledger, NOON_MS)).toEqual({ hour: 1, day: 2, raw: 2 });
    expect(countsOf(back.ledger, NOON_MS + 5 * MINUTE_MS)).toMatchObject({ hour: 1, day: 1 });
  });

  test("a clock that goes back by an hour counts no network twice and nothing below zero", () => {
    const first = foldReports(EMPTY_LEDGER, crowd(20, NOON_MS), NOON_MS + MINUTE_MS);
    const again = crowd(20, NOON_MS).map((other) => ({
      ...other,
      atMs: other.atMs - HOUR_MS + MINUTE_MS,
    }));
    const back = foldReports(first.ledger, again, NOON_MS - 58 * MINUTE_MS);
    expect(back.accepted).toBe(0);
    expect(countsOf(back.ledger, NOON_MS - 58 * MINUTE_MS)).toEqual({ hour: 0, day: 0, raw: 20 });
    expect(countsOf(back.ledger, NOON_MS + MINUTE_MS)).toEqual({ hour: 20, day: 20, raw: 40 });
  });
});

describe("against an oracle that keeps everything", () => {
  const reports = (spanMs: number) =>
    fc.array(
      fc.record({
        slug: fc.constantFrom("sberbank", "vtb"),
        atMs: fc.integer({ min: NOON_MS - spanMs, max: NOON_MS }),
        network: fc.constantFrom("a", "b", "c", "d"),
        block: fc.constant("block"),
      }),
      { maxLength: 60 },
    );

  test("the windows are correct at any time", () => {
    fc.assert(
      fc.property(reports(DAY_MS), fc.integer({ min: 0, max: 1_600 }), (all, later) => {
        const oracle = new Oracle();
        const folded = foldReports(EMPTY_LEDGER, all, NOON_MS);
        expect(folded.accepted).toBe(oracle.take(all));
        const nowMs = NOON_MS + later * MINUTE_MS;
        for (const slug of ["sberbank", "vtb"]) {
          expect(countsOf(folded.ledger, nowMs, slug)).toEqual({
            hour: oracle.hour(slug, nowMs),
            day: oracle.day(slug, nowMs),
            raw: oracle.rawDay(slug, nowMs),
          });
        }
      }),
    );
  });

  test("calls in the order of time give the ledger of one call, for any division", () => {
    const cuts = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 5 });
    fc.assert(
      fc.property(reports(HOUR_MS * 1.9), cuts, fc.func(fc.nat()), (all, cuts, key) => {
        const sorted = all.toSorted((a, b) => a.atMs - b.atMs || (a.network < b.network ? -1 : 1));
        const ends = [...cuts, 0, sorted.length].toSorted((a, b) => a - b);
        let divided = EMPTY_LEDGER;
        for (const [place, end] of ends.entries()) {
          const part = sorted.slice(ends[place - 1] ?? 0, end);
          const shuffled = part.toSorted((a, b) => key(a) - key(b));
          divided = foldReports(divided, shuffled, NOON_MS).ledger;
        }
        const bySlug = ({ services }: ReportLedger) => Object.fromEntries(services);
        expect(bySlug(divided)).toEqual(bySlug(foldReports(EMPTY_LEDGER, all, NOON_MS).ledger));
      }),
    );
  });

  test("within an hour the order of calls does not change how many count", () => {
    fc.assert(
      fc.property(reports(HOUR_MS - 1), fc.integer({ min: 0, max: 60 }), (all, cut) => {
        const first = foldReports(EMPTY_LEDGER, all.slice(cut), NOON_MS);
        const second = foldReports(first.ledger, all.slice(0, cut), NOON_MS);
        const { accepted, raw } = foldReports(EMPTY_LEDGER, all, NOON_MS);
        expect(first.accepted + second.accepted).toBe(accepted);
        expect(first.raw + second.raw).toBe(raw);
        expect(countsOf(second.ledger, NOON_MS).raw).toBe(
          all.filter(({ slug }) => slug === "sberbank").length,
        );
      }),
    );
  });

  test("with any clock, reports count, and an hour has no more than its day", () => {
    const steps = fc.array(
      fc.record({
        shiftMinutes: fc.integer({ min: -60, max: 61 }),
        networks: fc.subarray(["a", "b", "c"]),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(steps, (steps) => {
        let ledger = EMPTY_LEDGER;
        let accepted = 0;
        for (const [step, { shiftMinutes, networks }] of steps.entries()) {
          const trueMs = NOON_MS + step * 5 * MINUTE_MS;
          const nowMs = trueMs + shiftMinutes * MINUTE_MS;
          const folded = foldReports(
            ledger,
            networks.map((network) => report(trueMs, network)),
            nowMs,
          );
          ({ ledger } = folded);
          accepted += folded.accepted;
          const { hour, day } = countsOf(ledger, nowMs);
          expect(hour).toBeGreaterThanOrEqual(0);
          expect(day).toBeGreaterThanOrEqual(hour);
        }
        expect(countsOf(ledger, NOON_MS + 6 * HOUR_MS).day).toBe(accepted);
        const times = groupBy(
          rowsOf(ledger.services.get("sberbank")?.recent),
          ([, network]) => network,
        );
        for (const rows of times.values()) {
          for (const [place, [atMs]] of rows.entries()) {
            if (place > 0)
              expect(atMs - (rows[place - 1]?.[0] ?? 0)).toBeGreaterThanOrEqual(HOUR_MS);
          }
        }
      }),
    );
  });
});

describe("size", () => {
  test("at most the newest networks up to the limit are stored, over all services", () => {
    const many = Array.from({ length: MAX_REMEMBERED + 50 }, (_, place) => ({
      slug: place % 2 === 0 ? "sberbank" : "vtb",
      atMs: NOON_MS + place,
      network: String(place),
      block: "b",
    }));
    const { ledger, accepted } = foldReports(EMPTY_LEDGER, many, NOON_MS + 6 * MINUTE_MS);
    expect(accepted).toBe(many.length);
    const rows = [...ledger.services.values()].flatMap(({ recent }) => rowsOf(recent));
    expect(rows.length).toBe(MAX_REMEMBERED);
    expect(rows.reduce((least, [atMs]) => Math.min(least, atMs), Infinity)).toBe(NOON_MS + 50);
  });

  test("networks from a clock months ahead are dropped when it is correct again", () => {
    const wrongMs = NOON_MS + 90 * DAY_MS;
    const { ledger } = foldReports(EMPTY_LEDGER, [report(wrongMs)], wrongMs);
    const back = foldReports(ledger, [report(NOON_MS), report(NOON_MS + DAY_MS, "ahead")], NOON_MS);
    expect(back.accepted).toBe(2);
    expect([...(back.ledger.services.get("sberbank")?.recent.times ?? [])]).toEqual([
      NOON_MS,
      NOON_MS + DAY_MS,
    ]);
  });

  test("rows older than every window are dropped, also of services without new reports", () => {
    const { ledger } = foldReports(EMPTY_LEDGER, crowd(50, NOON_MS), NOON_MS + MINUTE_MS);
    const later = foldReports(ledger, [], NOON_MS + 26 * HOUR_MS).ledger.services.get("sberbank");
    expect(later).toMatchObject({ minutes: [], symptoms: [], firstAtMs: NOON_MS });
    expect(rowsOf(later?.recent)).toEqual([]);
  });
});

test("rows are kept for 25 hours, and networks for two", () => {
  const kept = [-25 * HOUR_MS, -2 * HOUR_MS, -2 * HOUR_MS - 1, 0].map((ms, at): Report => {
    return { ...report(NOON_MS + ms, `n${at}`), symptom: "app", operator: 1 };
  });
  const { ledger } = foldReports(EMPTY_LEDGER, kept, NOON_MS);
  const [noon, hour] = [NOON_MS / MINUTE_MS, NOON_MS / HOUR_MS];
  const at = (nowMs: number) => {
    const service = foldReports(ledger, [], nowMs).ledger.services.get("sberbank");
    return {
      minutes: service?.minutes.map(([minute]) => minute - noon),
      symptoms: service?.symptoms.map(([one]) => one - hour),
      operators: service?.operators.hours.map(([one]) => one - hour),
      times: [...(service?.recent.times ?? [])].map((ms) => ms - NOON_MS),
    };
  };
  expect(at(NOON_MS)).toEqual({
    minutes: [-1_500, -121, -120, 0],
    symptoms: [-25, -3, -2, 0],
    operators: [-25, -3, -2, 0],
    times: [-2 * HOUR_MS, 0],
  });
  expect(at(NOON_MS + MINUTE_MS)).toMatchObject({
    minutes: [-121, -120, 0],
    symptoms: [-25, -3, -2, 0],
    times: [0],
  });
  expect(at(NOON_MS + HOUR_MS)).toMatchObject({ symptoms: [-3, -2, 0], operators: [-3, -2, 0] });
});

test("of reports of one network at one time the first by its content counts", () => {
  const [app, slow] = (["app", "slow"] as const).map((symptom) => ({
    ...report(NOON_MS),
    symptom,
  }));
  if (app === undefined || slow === undefined) throw new Error("no reports");
  for (const both of [
    [app, slow],
    [slow, app],
  ]) {
    const { ledger } = foldReports(EMPTY_LEDGER, both, NOON_MS);
    expect(ledger.services.get("sberbank")?.symptoms).toEqual([
      [NOON_MS / HOUR_MS, [0, 0, 0, 0, 1, 0]],
    ]);
  }
});

test("late reports are counted at their own time", () => {
  const { ledger } = foldReports(EMPTY_LEDGER, crowd(3, NOON_MS), NOON_MS + MINUTE_MS);
  const late = foldReports(ledger, crowd(3, NOON_MS - 9 * MINUTE_MS), NOON_MS + MINUTE_MS);
  const times = rowsOf(late.ledger.services.get("sberbank")?.recent).map(([atMs]) => atMs);
  expect(times.length).toBe(6);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

test("symptoms of accepted reports are counted", () => {
  const withSymptoms = crowd(5, NOON_MS).map((one, place): Report =>
    place < 3 ? { ...one, symptom: place === 0 ? "app" : "login" } : one,
  );
  const { ledger } = foldReports(
    EMPTY_LEDGER,
    [...withSymptoms, ...withSymptoms],
    NOON_MS + MINUTE_MS,
  );
  expect(ledger.services.get("sberbank")?.symptoms).toEqual([
    [NOON_MS / HOUR_MS, [0, 0, 2, 0, 1, 0]],
  ]);
});
