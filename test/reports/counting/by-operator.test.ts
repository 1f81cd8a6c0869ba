import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Operator, OPERATORS } from "../../../src/contract/codes/operator.ts";
import type { Report, ReportLedger } from "../../../src/model/service/reports.ts";
import { sumOperators, usualSharesOf } from "../../../src/reports/counting/by-operator.ts";
import { countsOf } from "../../../src/reports/counting/counts.ts";
import { evaluateSurges } from "../../../src/reports/counting/evaluate-surges.ts";
import { foldReports } from "../../../src/reports/counting/fold-reports.ts";
import { crowd, DAY_MS, HOUR_MS, MINUTE_MS, NOON_MS, quietLedger, SLOT_MS } from "./samples.ts";

const SLUG = "sberbank";

/** So many reports of each operator from a time on, a second apart, of networks and blocks of their own. */
function reportsOf(
  counts: Partial<Record<Operator, number>>,
  fromMs: number,
  slug = SLUG,
): readonly Report[] {
  return Object.entries(counts).flatMap(([name, count]) => {
    const operator = OPERATORS.findIndex((known) => known === name);
    return crowd(count, fromMs, slug, `${operator}`).map((report) => {
      return { ...report, block: `${operator}-${report.block}`, operator };
    });
  });
}

function fold(ledger: ReportLedger, reports: readonly Report[], nowMs: number): ReportLedger {
  return evaluateSurges(foldReports(ledger, reports, nowMs).ledger, [SLUG, "other"], nowMs);
}

function sumsOf(ledger: ReportLedger, nowMs: number, slug = SLUG) {
  return sumOperators(ledger.services.get(slug), usualSharesOf(ledger)(slug), nowMs);
}

/** Four weeks in which each hour has a report of МТС, two of Ростелеком and two of others. */
const USUAL: ReportLedger = (() => {
  let ledger = quietLedger();
  const firstMs = NOON_MS - 14 * DAY_MS;
  for (let atMs = firstMs; atMs < NOON_MS; atMs += HOUR_MS)
    ledger = fold(
      ledger,
      reportsOf({ mts: 1, rostelecom: 2, other: 2 }, atMs),
      atMs + 40 * MINUTE_MS,
    );
  return ledger;
})();

describe("what is published", () => {
  test("fewer than five reports of an operator are not", () => {
    const ledger = fold(quietLedger(), reportsOf({ mts: 5, t2: 4, other: 6 }, NOON_MS), NOON_MS);
    const { operators } = sumsOf(ledger, NOON_MS + 10_000);
    expect(
      operators.map(({ operator, hour, day, percent }) => [operator, hour, day, percent]),
    ).toEqual([
      ["other", 6, 6, 40],
      ["mts", 5, 5, 33],
    ]);
  });

  test("a day of less than three networks in any hour is not", () => {
    const inHours = (count: number) =>
      Array.from({ length: 6 }, (_, hour) =>
        reportsOf({ mts: count }, NOON_MS - (9 - hour) * HOUR_MS),
      ).flat();
    const nowMs = NOON_MS + MINUTE_MS;
    expect(sumsOf(fold(quietLedger(), inHours(2), nowMs), nowMs).operators).toEqual([]);
    expect(sumsOf(fold(quietLedger(), inHours(3), nowMs), nowMs).operators).toMatchObject([
      { operator: "mts", hour: null, day: 18, percent: 100 },
    ]);
  });

  test("an hour is over after an hour, a day after a day", () => {
    const ledger = fold(quietLedger(), reportsOf({ mts: 7 }, NOON_MS), NOON_MS + MINUTE_MS);
    const at = (ms: number) =>
      sumsOf(ledger, NOON_MS + ms).operators.map(({ hour, day }) => [hour, day]);
    expect(at(59 * MINUTE_MS)).toEqual([[7, 7]]);
    expect(at(61 * MINUTE_MS)).toEqual([[null, 7]]);
    expect(at(23 * HOUR_MS)).toEqual([[null, 7]]);
    expect(at(24 * HOUR_MS)).toEqual([]);
  });

  test("an unknown number counts as another operator", () => {
    for (const operator of [200, -1, 1.5]) {
      const reports = crowd(6, NOON_MS).map((report) => ({ ...report, operator }));
      const { operators } = sumsOf(fold(quietLedger(), reports, NOON_MS), NOON_MS + 6_000);
      expect(operators).toMatchObject([{ operator: "other", hour: 6 }]);
    }
  });

  test("a block cannot give an operator more than its share of a service", () => {
    const flood = reportsOf({ mts: 40 }, NOON_MS).map((one) => ({ ...one, block: "one" }));
    const ledger = fold(quietLedger(), [...flood, ...reportsOf({ t2: 6 }, NOON_MS)], NOON_MS);
    const nowMs = NOON_MS + MINUTE_MS;
    expect(sumsOf(ledger, nowMs).operators.map(({ operator, hour }) => [operator, hour])).toEqual([
      ["mts", 15],
      ["t2", 6],
    ]);
    expect(countsOf(ledger.services.get(SLUG), nowMs).hour).toBe(21);
  });

  test("operators add up to the reports that count, in any order of calls", () => {
    const report = fc.record({
      slug: fc.constant(SLUG),
      atMs: fc.integer({ min: NOON_MS - 50 * MINUTE_MS, max: NOON_MS }),
      network: fc.integer({ min: 0, max: 60 }).map((n) => `n${n}`),
      block: fc.integer({ min: 0, max: 5 }).map((n) => `b${n}`),
      operator: fc.integer({ min: 0, max: 3 }),
    });
    fc.assert(
      fc.property(fc.array(report, { maxLength: 120 }), fc.nat(120), (reports, cut) => {
        const sorted = reports.toSorted((a, b) => a.atMs - b.atMs);
        const parts = [sorted.slice(0, cut), sorted.slice(cut)];
        const ledger = parts.reduce(
          (all, part) => foldReports(all, part, NOON_MS).ledger,
          quietLedger(),
        );
        const service = ledger.services.get(SLUG);
        const inRows = service?.operators.hours.flatMap(([, counts]) => counts) ?? [];
        const sum = inRows.reduce((a, b) => a + b, 0);
        expect(sum).toBe(countsOf(service, NOON_MS).day);
      }),
      { numRuns: 40 },
    );
  });
});

describe("what is usual", () => {
  test("is learnt from weeks without surges", () => {
    const usual = usualSharesOf(USUAL)(SLUG);
    expect(usual?.of).toBe("service");
    const percents = usual?.shares.map((share) => Math.round(share * 100));
    expect(percents?.slice(0, 6)).toEqual([40, 20, 0, 0, 0, 40]);
  });

  test("is that of all services where one has too few reports", () => {
    expect(usualSharesOf(USUAL)("other")).toMatchObject({ of: "all" });
    expect(usualSharesOf(quietLedger())(SLUG)).toBeUndefined();
  });

  test("does not include a surge, and forgets what is older than five weeks", () => {
    const surge = fold(USUAL, reportsOf({ mts: 300 }, NOON_MS), NOON_MS + SLOT_MS);
    expect(surge.services.get(SLUG)?.surge.phase).toBe("on");
    const later = fold(surge, [], NOON_MS + 50 * MINUTE_MS);
    expect(usualSharesOf(later)(SLUG)?.shares[1]).toBeCloseTo(0.2, 1);
    let old = later;
    for (let day = 1; day <= 37; day += 1) old = fold(old, [], NOON_MS + day * DAY_MS);
    expect(old.services.get(SLUG)?.operators).toEqual({ hours: [], weeks: [] });
  });
});

describe("who reports more often than usual", () => {
  const nowMs = NOON_MS + SLOT_MS;
  const after = (counts: Partial<Record<Operator, number>>, from: ReportLedger = USUAL) =>
    sumsOf(fold(from, reportsOf(counts, NOON_MS + 1_000), nowMs), nowMs).unusual;

  test("an operator makes a surge alone", () => {
    expect(after({ mts: 60, rostelecom: 1, other: 1 })).toEqual({
      shares: [{ operator: "mts", percent: 97, usual: 20 }],
      isAlone: true,
    });
  });

  test("fewer than 15 reports make no surge alone, whatever their share", () => {
    expect(after({ mts: 14 })).toMatchObject({ isAlone: false });
    expect(after({ mts: 15 })).toMatchObject({ isAlone: true });
  });

  test("where others report more than usual as well, it does not", () => {
    expect(after({ mts: 60, rostelecom: 30, other: 25 })).toMatchObject({ isAlone: false });
  });

  test("no operator is named where all report as usual, or more in proportion", () => {
    expect(after({ mts: 1, rostelecom: 2, other: 2 })).toBeUndefined();
    expect(after({ mts: 20, rostelecom: 40, other: 40 })).toBeUndefined();
  });

  test("a share that is large by chance, or of the usual number, is not named", () => {
    expect(after({ mts: 5, rostelecom: 6 })).toBeUndefined();
    expect(after({ rostelecom: 6 })).toBeUndefined();
  });

  test("other operators are never named", () => {
    expect(after({ other: 80 })).toBeUndefined();
  });

  test("a service without a history is compared with all", () => {
    const reports = reportsOf({ mts: 40, other: 5 }, NOON_MS + 1_000, "other");
    const ledger = fold(USUAL, reports, nowMs);
    expect(sumsOf(ledger, nowMs, "other")).toMatchObject({
      operators: [{ operator: "mts", usual: { of: "all" } }, { operator: "other" }],
      unusual: { shares: [{ operator: "mts" }], isAlone: true },
    });
  });

  test("nothing is named before anything usual is known", () => {
    expect(after({ mts: 60 }, quietLedger())).toBeUndefined();
  });
});
