import { describe, expect, test } from "vitest";
import { type Operator, OPERATORS } from "../../../src/contract/codes/operator.ts";
import {
  EMPTY_LEDGER,
  type HourRow,
  NO_OPERATOR_SUMS,
  NO_SURGE,
  type Report,
  type ServiceReports,
} from "../../../src/model/service/reports.ts";
import {
  sumOperators,
  sumOperatorsOfAll,
  type Usual,
  usualSharesOf,
} from "../../../src/reports/counting/by-operator.ts";
import { foldReports } from "../../../src/reports/counting/fold-reports.ts";
import { DAY_MS, HOUR_MS, NOON_MS } from "./samples.ts";

type Counts = Partial<Record<Operator, number>>;

const NOW_MS = NOON_MS + HOUR_MS - 1;

const byNumber = (of: (operator: Operator) => number): readonly number[] => OPERATORS.map(of);

/** A service with so many reports of each operator in the last hour, each of a network and block of its own. */
function serviceWith(counts: Counts): ServiceReports {
  const reports = OPERATORS.flatMap((name, operator) =>
    Array.from({ length: counts[name] ?? 0 }, (_, at): Report => {
      const network = `${name}-${at}`;
      return { slug: "bank", atMs: NOON_MS + at, network, block: network, operator };
    }),
  );
  const service = foldReports(EMPTY_LEDGER, reports, NOW_MS).ledger.services.get("bank");
  if (service === undefined) throw new Error("no report was taken");
  return service;
}

const SURGING = { ...NO_SURGE, phase: "on" } as const;

/** The same with a history of so many reports in each hour. */
function withHistory(service: ServiceReports, perHour: number): ServiceReports {
  const hours = Array.from({ length: 29 * 24 }, (_, at): HourRow => {
    return [NOON_MS / HOUR_MS - 29 * 24 + at, perHour, 0];
  });
  return { ...service, firstAtMs: NOON_MS - 60 * DAY_MS, hours };
}

/** What is told where each of these operators usually has this share. */
function tellOf(service: ServiceReports, shares: Counts) {
  const usual: Usual = { shares: byNumber((name) => shares[name] ?? 0.01), of: "service" };
  return sumOperators({ ...service, surge: SURGING }, usual, NOW_MS).unusual;
}

describe("an operator is named", () => {
  test.each<[string, number, number, number, boolean]>([
    ["one and a half times its share", 0.5, 149, 200, false],
    ["one and a half times its share", 0.5, 150, 200, true],
    ["ten points over its share", 0.1, 79, 400, false],
    ["ten points over its share", 0.1, 80, 400, true],
    ["less often by chance than once in 10,000", 0.2, 12, 20, false],
    ["less often by chance than once in 10,000", 0.2, 13, 20, true],
    ["alone, less often by chance than once in 10,000", 0.2, 5, 5, false],
    ["alone, less often by chance than once in 10,000", 0.2, 6, 6, true],
  ])("from %s on: with a usual share of %d, %i of %i is %s", (_, share, count, total, isNamed) => {
    const service = serviceWith({ mts: count, other: total - count });
    const shares = tellOf(service, { mts: share })?.shares.map(({ operator }) => operator);
    expect(shares).toEqual(isNamed ? ["mts"] : undefined);
  });

  test.each([
    [19, undefined],
    [20, ["mts"]],
  ])("from twice its usual reports on: %i, where 10 are usual, name %s", (count, names) => {
    const service = withHistory(serviceWith({ mts: count, other: 30 - count }), 40);
    const told = tellOf(service, { mts: 0.25 })?.shares.map(({ operator }) => operator);
    expect(told).toEqual(names);
  });

  test("with its share and the usual one in percent, and three of them at most", () => {
    const counts = { mts: 100, beeline: 90, t2: 110, domru: 100 };
    const shares = { mts: 0.05, beeline: 0.05, t2: 0.054, domru: 0.055 };
    expect(tellOf(serviceWith(counts), shares)?.shares).toEqual([
      { operator: "t2", percent: 28, usual: 5 },
      { operator: "mts", percent: 25, usual: 5 },
      { operator: "domru", percent: 25, usual: 6 },
    ]);
  });
});

describe("a surge is of one operator", () => {
  const isAlone = (service: ServiceReports, share: number) =>
    tellOf(service, { mts: share })?.isAlone;

  test.each([
    [20, 30, true],
    [19, 30, false],
    [15, 15, true],
    [14, 14, false],
  ])("without a history from 15 reports and two thirds on: %i of %i, %s", (count, total, is) => {
    expect(isAlone(serviceWith({ mts: count, other: total - count }), 0.05)).toBe(is);
  });

  test.each([
    [60, 120, true],
    [60, 121, false],
  ])("with a history from half of the reports on: %i of %i, %s", (count, total, is) => {
    const service = withHistory(serviceWith({ mts: count, other: total - count }), 40);
    expect(isAlone(service, 0.25)).toBe(is);
  });

  test.each([
    [5, true],
    [6, false],
  ])("unless %i others are a sharp increase too: %s", (others, is) => {
    expect(isAlone(withHistory(serviceWith({ mts: 24, other: others }), 0), 0.05)).toBe(is);
  });

  test("only while there is one", () => {
    const usual: Usual = { shares: byNumber(() => 0.05), of: "all" };
    const told = sumOperators(serviceWith({ mts: 40 }), usual, NOW_MS);
    expect(told).toEqual({
      operators: [
        {
          operator: "mts",
          hour: 40,
          day: 40,
          percent: 100,
          usual: { percent: 5, of: "all" },
          isUnusual: true,
        },
      ],
      unusual: { shares: [{ operator: "mts", percent: 100, usual: 5 }], isAlone: false },
    });
  });
});

describe("usual shares", () => {
  const ledgerWith = (weeks: Readonly<Record<string, readonly number[]>>) => ({
    ...EMPTY_LEDGER,
    services: new Map(
      Object.entries(weeks).map(([slug, counts]) => {
        const operators = { hours: [], weeks: [[2_900, counts] as const] };
        return [slug, { ...serviceWith({ other: 1 }), operators }];
      }),
    ),
  });

  test("are known from 100 reports on, with one more of each operator", () => {
    expect(usualSharesOf(ledgerWith({ bank: [60, 39] }))("bank")).toBeUndefined();
    const shares = usualSharesOf(ledgerWith({ bank: [60, 40] }))("bank")?.shares;
    const all = 100 + OPERATORS.length;
    expect(shares).toEqual([61 / all, 41 / all, ...OPERATORS.slice(2).map(() => 1 / all)]);
  });

  test("are those of all services together where one has too few", () => {
    const usualOf = usualSharesOf(ledgerWith({ bank: [100], shop: [0, 50] }));
    expect(usualOf("bank")?.of).toBe("service");
    const all = 150 + OPERATORS.length;
    expect(usualOf("shop")?.of).toBe("all");
    expect(usualOf("shop")?.shares.slice(0, 3)).toEqual([101 / all, 51 / all, 1 / all]);
  });
});

test("operators of a day come after those of the hour, the most reports first", () => {
  const counts = (hour: number, name: Operator, count: number): readonly Report[] =>
    Array.from({ length: count }, (_, at) => ({
      slug: "bank",
      atMs: NOON_MS - hour * HOUR_MS + at,
      network: `${name}-${at}-${hour}`,
      block: `${name}-${at}`,
      operator: OPERATORS.indexOf(name),
    }));
  const reports = [
    ...counts(5, "mts", 6),
    ...counts(5, "beeline", 7),
    ...counts(0, "t2", 5),
    ...counts(0, "domru", 5),
    ...counts(3, "domru", 2),
    ...counts(24, "akado", 9),
  ];
  const { ledger } = foldReports(EMPTY_LEDGER, reports, NOW_MS);
  const sums = sumOperatorsOfAll(ledger, [{ slug: "bank" }, { slug: "shop" }], NOW_MS);
  expect([...sums.keys()]).toEqual(["bank", "shop"]);
  expect(sums.get("shop")).toEqual(NO_OPERATOR_SUMS);
  const rows = sums.get("bank")?.operators.map(({ operator, hour, day, percent, usual }) => {
    return [operator, hour, day, percent, usual];
  });
  expect(rows).toEqual([
    ["domru", 5, 7, 50, undefined],
    ["t2", 5, 5, 50, undefined],
    ["beeline", null, 7, 28, undefined],
    ["mts", null, 6, 24, undefined],
  ]);
});
