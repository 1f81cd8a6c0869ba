import { expect, test } from "vitest";
import type { DayCounts, RunRecord, ServiceHistory } from "../../../src/model/service/history.ts";
import { EMPTY_HISTORY } from "../../../src/model/service/history.ts";
import { toUtcMonth } from "../../../src/model/service/accuracy.ts";
import { DAY_MS } from "../../../src/model/time.ts";
import { fold } from "../../../src/services/history/fold.ts";
import { addToMonths, monthsOfService } from "../../../src/services/history/months.ts";
import {
  catalogueOf,
  endpointOf,
  ok,
  resultOf,
  runRecord,
  serviceOf,
} from "../../model/samples.ts";

const dayOf = (text: string): number => Date.parse(text) / DAY_MS;
const MONTH = toUtcMonth(Date.parse("2026-10-01"));

/** A day with 280 checks in which nothing failed, one of each class that fails, and partial ones. */
const day = (text: string): DayCounts => ({ day: dayOf(text), counts: [280, 1, 2, 3, 4, 5] });

test("a month counts all checks, and those in which a critical endpoint failed", () => {
  expect(addToMonths([], [day("2026-10-31"), day("2026-11-01"), day("2026-11-02")])).toEqual([
    { month: MONTH, checks: 295, down: 9 },
    { month: MONTH + 1, checks: 590, down: 18 },
  ]);
  const before = [{ month: MONTH, checks: 5, down: 1 }];
  expect(addToMonths(before, [day("2026-10-31")])).toEqual([
    { month: MONTH, checks: 300, down: 10 },
  ]);
});

test("24 months are kept", () => {
  const before = [MONTH - 23, MONTH - 22].map((month) => ({ month, checks: 1, down: 0 }));
  expect(addToMonths(before, [day("2026-10-01")])).toHaveLength(3);
  expect(addToMonths(before, [day("2026-11-01")]).map(({ month }) => month)).toEqual([
    MONTH - 22,
    MONTH + 1,
  ]);
});

test("the present day is left out, because it changes with each run", () => {
  const days = [day("2026-10-30"), day("2026-10-31")];
  const at = (text: string) => monthsOfService({ days }, Date.parse(text));
  expect(at("2026-10-31T12:00:00Z")).toMatchObject([{ checks: 295 }]);
  expect(at("2026-11-01T00:00:00Z")).toMatchObject([{ checks: 590 }]);
  expect(monthsOfService({ days: days.slice(1) }, Date.parse("2026-10-31T12:00:00Z"))).toEqual([]);
  expect(monthsOfService(undefined, 0)).toEqual([]);
});

test("days that leave the history of 91 days join their months, once", () => {
  const url = "https://bank.example.ru/";
  const catalogue = catalogueOf([serviceOf("bank", [endpointOf(url, true)])], []);
  const run = (text: string): RunRecord =>
    runRecord({ atMs: Date.parse(text), results: new Map([[url, resultOf(ok())]]) });
  const runs = ["2026-10-01", "2026-10-02", "2026-12-30", "2026-12-31", "2027-01-02"];
  const bankAfter = (count: number): ServiceHistory | undefined =>
    runs
      .slice(0, count)
      .reduce((history, text) => fold(history, run(text), catalogue), EMPTY_HISTORY)
      .services.get("bank");
  expect(bankAfter(3)?.months).toBeUndefined();
  expect(bankAfter(3)?.days).toHaveLength(3);
  expect(bankAfter(4)?.months).toEqual([{ month: MONTH, checks: 1, down: 0 }]);
  expect(bankAfter(5)?.months).toEqual([{ month: MONTH, checks: 2, down: 0 }]);
  expect(monthsOfService(bankAfter(5), Date.parse("2027-01-02T12:00:00Z"))).toEqual([
    { month: MONTH, checks: 2, down: 0 },
    { month: MONTH + 2, checks: 2, down: 0 },
  ]);
});
