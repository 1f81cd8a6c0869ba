import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  EMPTY_LEDGER,
  type Report,
  type ReportLedger,
} from "../../../src/model/service/reports.ts";
import {
  countBeyondShare,
  reportsAsOf,
  reportHoursOf,
} from "../../../src/reports/counting/counts.ts";
import { explainReports } from "../../../src/reports/counting/explain-surge.ts";
import { foldReports } from "../../../src/reports/counting/fold-reports.ts";
import { createDedupEstimate } from "../../../src/reports/counting/pending-counts.ts";
import { Oracle } from "./oracle.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, NOON_MS } from "./samples.ts";

/** Reports of different networks of one block, a second apart. */
function from(block: string, count: number, atMs = NOON_MS): readonly Report[] {
  return Array.from({ length: count }, (_, place) => ({
    slug: "sberbank",
    atMs: atMs + place * 1_000,
    network: `${block}-${atMs % 9_999_999}-${place}`.slice(-16),
    block,
  }));
}

function fold(reports: readonly Report[], ledger = EMPTY_LEDGER, nowMs = END_MS): ReportLedger {
  return foldReports(ledger, reports, nowMs).ledger;
}

/** The last minute of the hour from noon. */
const END_MS = NOON_MS + 59 * MINUTE_MS;

function hourOf(ledger: ReportLedger, nowMs = END_MS): number {
  return reportsAsOf(ledger, nowMs).get("sberbank")?.hour ?? 0;
}

describe("of one block", () => {
  test("up to 15 reports count in a clock hour, with any number of networks", () => {
    for (const [count, counted] of [
      [1, 1],
      [14, 14],
      [15, 15],
      [16, 15],
      [3_000, 15],
    ] as const) {
      expect(hourOf(fold(from("a", count)))).toBe(counted);
    }
  });

  test("the first ones count, and the next clock hour starts at 0", () => {
    const ledger = fold([...from("a", 30), ...from("a", 30, NOON_MS + HOUR_MS)]);
    expect(hourOf(ledger, NOON_MS)).toBe(15);
    expect(hourOf(ledger, NOON_MS + HOUR_MS)).toBe(15);
    expect(reportsAsOf(ledger, NOON_MS + HOUR_MS + MINUTE_MS).get("sberbank")?.day).toBe(30);
  });

  test("15 reports count in each service", () => {
    const twice = [...from("a", 40), ...from("a", 40).map((one) => ({ ...one, slug: "vtb" }))];
    const counts = reportsAsOf(fold(twice), END_MS);
    expect([counts.get("sberbank")?.hour, counts.get("vtb")?.hour]).toEqual([15, 15]);
  });
});

describe("of several blocks", () => {
  const few = (count: number) => ["b", "c", "d"].slice(0, count).flatMap((block) => from(block, 1));
  const many = (count: number, fromMs = NOON_MS) =>
    Array.from({ length: count }, (_, place) => from(`o${place}`, 1, fromMs)).flat();

  test("fewer than four blocks count 15 each, because no surge would start", () => {
    expect(hourOf(fold([...from("a", 100), ...from("b", 100), ...from("c", 100)]))).toBe(45);
    expect(hourOf(fold([...from("a", 100), ...few(2)]))).toBe(17);
  });

  test("all reports of four blocks count while none has more than half", () => {
    const even = ["a", "b", "c", "d"].flatMap((block) => from(block, 100));
    expect(hourOf(fold(even))).toBe(400);
    expect(
      hourOf(fold([...from("a", 50), ...from("b", 30), ...from("c", 15), ...from("d", 5)])),
    ).toBe(100);
  });

  test("a block with more than half counts as often as all others together", () => {
    expect(hourOf(fold([...from("a", 1_000), ...many(40)]))).toBe(80);
    expect(hourOf(fold([...from("a", 1_000), ...many(3)]))).toBe(18);
  });

  test("a block with more than half is found behind a large one", () => {
    const late = [...from("a", 30, NOON_MS + 10 * MINUTE_MS), ...many(2, NOON_MS + 20 * MINUTE_MS)];
    expect(hourOf(fold([...from("b", 20), ...late]))).toBe(44);
  });

  test("the order of blocks makes no difference", () => {
    const flood = fold(from("a", 300), EMPTY_LEDGER, END_MS);
    expect(hourOf(flood)).toBe(15);
    expect(hourOf(fold(many(40, NOON_MS + 30 * MINUTE_MS), flood))).toBe(80);
    const others = fold(many(40), EMPTY_LEDGER, END_MS);
    expect(hourOf(fold(from("a", 300, NOON_MS + 30 * MINUTE_MS), others))).toBe(80);
  });
});

test("reports beyond the share are listed, and are in none of the numbers", () => {
  const ledger = fold([...from("a", 500), ...from("b", 2)]);
  const { hour, day, beyondShare } = explainReports(ledger, "sberbank", END_MS);
  expect({ hour, day, beyondShare }).toEqual({
    hour: { accepted: 17, raw: 502 },
    day: { accepted: 17, raw: 502 },
    beyondShare: 485,
  });
  expect(reportHoursOf(ledger.services.get("sberbank"), END_MS).at(-1)).toBe(17);
  expect(explainReports(ledger, "sberbank", END_MS + HOUR_MS).beyondShare).toBe(0);
});

test("a ledger from before the rule keeps its counts and follows the rule from then on", () => {
  const ledger = fold(from("a", 100));
  const service = ledger.services.get("sberbank");
  if (service === undefined) throw new Error("nothing was counted");
  const minutes = service.minutes.map(([minute, , raw]) => [minute, raw, raw] as const);
  const before = { ...ledger, services: new Map([["sberbank", { ...service, minutes }]]) };
  expect(hourOf(before)).toBe(100);
  expect(hourOf(fold(from("a", 50, NOON_MS + 10 * MINUTE_MS), before))).toBe(100);
  expect(hourOf(fold(from("b", 2, NOON_MS + 10 * MINUTE_MS), before))).toBe(102);
});

/** Blocks of very different sizes: one large and some small ones. */
const block = fc.oneof(
  { weight: 6, arbitrary: fc.constant("a") },
  { weight: 2, arbitrary: fc.constant("b") },
  { weight: 1, arbitrary: fc.constantFrom("c", "d", "e", "f") },
);

const reportsWithin = (spanMs: number, maxLength = 120) => {
  const one = fc.record({
    atMs: fc.integer({ min: NOON_MS, max: NOON_MS + spanMs - 1 }),
    number: fc.nat({ max: 200 }),
    block,
  });
  return fc.array(one, { maxLength, size: "max" }).map((all) =>
    all.map(({ atMs, number, block }): Report => {
      return { slug: "sberbank", atMs, network: `${block}-${number}`, block };
    }),
  );
};

describe("against an oracle that keeps everything", () => {
  test("the windows and the clock hours are correct at any time", () => {
    const later = fc.integer({ min: 0, max: 1_500 });
    fc.assert(
      fc.property(reportsWithin(3 * HOUR_MS, 300), later, (all, minutes) => {
        const oracle = new Oracle();
        oracle.take(all);
        const ledger = fold(all, EMPTY_LEDGER, NOON_MS + 3 * HOUR_MS);
        const nowMs = NOON_MS + minutes * MINUTE_MS;
        const { hour, day } = reportsAsOf(ledger, nowMs).get("sberbank") ?? { hour: 0, day: 0 };
        expect({ hour, day }).toEqual({
          hour: oracle.hour("sberbank", nowMs),
          day: oracle.day("sberbank", nowMs),
        });
        const lastHourMs = NOON_MS + 3 * HOUR_MS - MINUTE_MS;
        const hours = reportHoursOf(ledger.services.get("sberbank"), lastHourMs);
        expect(hours.slice(-3)).toEqual(
          [1, 2, 3].map((end) => oracle.hour("sberbank", NOON_MS + end * HOUR_MS - MINUTE_MS)),
        );
      }),
    );
  });

  test("calls in the order of time give the result of one call, for any division", () => {
    const cuts = fc.array(fc.nat({ max: 120 }), { maxLength: 6 });
    fc.assert(
      fc.property(reportsWithin(110 * MINUTE_MS), cuts, (all, cuts) => {
        const sorted = all.toSorted((a, b) => a.atMs - b.atMs);
        let divided = EMPTY_LEDGER;
        const ends = [...cuts, 0, sorted.length].toSorted((a, b) => a - b);
        for (const [place, end] of ends.entries()) {
          const part = sorted.slice(ends[place - 1] ?? 0, end);
          divided = fold(part, divided, part.at(-1)?.atMs ?? NOON_MS);
        }
        const minutesOf = (ledger: ReportLedger) =>
          ledger.services.get("sberbank")?.minutes.map(([minute, counted]) => [minute, counted]);
        expect(minutesOf(divided)).toEqual(
          minutesOf(fold(all, EMPTY_LEDGER, NOON_MS + 110 * MINUTE_MS)),
        );
      }),
    );
  });

  test("within an hour the number is the same for any order and division", () => {
    // Each network once, because the order may decide which of its reports is accepted.
    const unique = reportsWithin(HOUR_MS).map((all) =>
      all.map((report, place) => ({ ...report, network: `n${place}` })),
    );
    fc.assert(
      fc.property(unique, fc.func(fc.nat()), fc.nat({ max: 120 }), (all, key, cut) => {
        const shuffled = all.toSorted((a, b) => key(a) - key(b));
        const oracle = new Oracle();
        oracle.take(all);
        const divided = fold(shuffled.slice(cut), fold(shuffled.slice(0, cut)));
        expect(hourOf(divided)).toBe(oracle.hour("sberbank", END_MS));
      }),
      { numRuns: 50 },
    );
  });
});

describe("one report more", () => {
  test("does not lower a count if it is the last", () => {
    fc.assert(
      fc.property(
        reportsWithin(2 * HOUR_MS, 200),
        block,
        fc.nat({ max: 90 }),
        (all, block, later) => {
          const lastMs = Math.max(NOON_MS, ...all.map(({ atMs }) => atMs));
          const one = { slug: "sberbank", atMs: lastMs, network: "one more", block };
          const before = fold(all, EMPTY_LEDGER, lastMs);
          const after = fold([one], before, lastMs);
          const nowMs = lastMs + later * MINUTE_MS;
          const [less, more] = [before, after].map((ledger) => reportsAsOf(ledger, nowMs));
          expect(more?.get("sberbank")?.hour).toBeGreaterThanOrEqual(
            less?.get("sberbank")?.hour ?? 0,
          );
          expect(more?.get("sberbank")?.day).toBeGreaterThanOrEqual(
            less?.get("sberbank")?.day ?? 0,
          );
        },
      ),
    );
  });

  test("does not lower a clock hour at any time", () => {
    const atMs = fc.integer({ min: NOON_MS, max: NOON_MS + 2 * HOUR_MS - 1 });
    fc.assert(
      fc.property(reportsWithin(2 * HOUR_MS, 200), block, atMs, (all, block, atMs) => {
        const nowMs = NOON_MS + 2 * HOUR_MS - MINUTE_MS;
        const before = fold(all, EMPTY_LEDGER, nowMs);
        const after = fold([{ slug: "sberbank", atMs, network: "one more", block }], before, nowMs);
        const hours = (ledger: ReportLedger) =>
          reportHoursOf(ledger.services.get("sberbank"), nowMs);
        for (const [place, count] of hours(before).entries())
          expect(hours(after)[place]).toBeGreaterThanOrEqual(count);
      }),
    );
  });
});

test("the counts of an intake increase by what the ledger will count", () => {
  fc.assert(
    fc.property(reportsWithin(100 * MINUTE_MS, 200), fc.nat({ max: 200 }), (all, cut) => {
      const sorted = all.toSorted((a, b) => a.atMs - b.atMs);
      const known = sorted.slice(0, cut);
      const ledger = fold(known, EMPTY_LEDGER, known.at(-1)?.atMs ?? NOON_MS);
      const estimate = createDedupEstimate(ledger);
      const dayOf = (of: ReportLedger, nowMs: number) =>
        reportsAsOf(of, nowMs).get("sberbank")?.day ?? 0;
      let [counted, taken] = [dayOf(ledger, NOON_MS + 2 * HOUR_MS), ledger];
      for (const report of sorted.slice(cut)) {
        counted += estimate.accept(report);
        taken = fold([report], taken, report.atMs);
        expect(counted).toBe(dayOf(taken, NOON_MS + 2 * HOUR_MS));
      }
    }),
    { numRuns: 30 },
  );
});

test("a day later nothing is stored", () => {
  const ledger = fold([], fold(from("a", 500)), NOON_MS + DAY_MS + HOUR_MS);
  expect(reportsAsOf(ledger, NOON_MS + DAY_MS + HOUR_MS).get("sberbank")?.day).toBe(0);
});

test("the reports beyond the share are those of the last 60 minutes, by whole minutes", () => {
  // The first fifteen count; the sixteenth comes half a minute later.
  const late = { ...from("a", 1, NOON_MS + 30_000)[0]!, network: "late" };
  const service = fold([...from("a", 15), late]).services.get("sberbank")!;
  const beyondAt = (minutes: number): number =>
    countBeyondShare(service, NOON_MS + minutes * MINUTE_MS);
  expect([-1, 0, 59, 60].map(beyondAt)).toEqual([0, 1, 1, 0]);
});
