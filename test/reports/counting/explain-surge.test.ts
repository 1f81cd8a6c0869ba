import { NO_RECENT_REPORTS } from "../../../src/model/service/recent-reports.ts";
import { expect, test } from "vitest";
import {
  EMPTY_LEDGER,
  type HourRow,
  NO_OPERATORS,
  NO_SURGE,
} from "../../../src/model/service/reports.ts";
import { evaluateSurges } from "../../../src/reports/counting/evaluate-surges.ts";
import { explainReports } from "../../../src/reports/counting/explain-surge.ts";
import { foldReports } from "../../../src/reports/counting/fold-reports.ts";
import { crowd, DAY_MS, HOUR_MS, MINUTE_MS, NOON_MS, quietLedger } from "./samples.ts";

test("a surge is explained by the numbers that started it", () => {
  const reports = crowd(8, NOON_MS - 5 * MINUTE_MS);
  const twice = [...reports, ...reports.map((one) => ({ ...one, symptom: "login" as const }))];
  const { ledger } = foldReports(quietLedger(), twice, NOON_MS);
  const explained = explainReports(
    evaluateSurges(ledger, ["sberbank"], NOON_MS),
    "sberbank",
    NOON_MS,
  );
  expect(explained).toMatchObject({
    hour: { accepted: 8, raw: 16 },
    day: { accepted: 8, raw: 16 },
    window: { fromMs: NOON_MS - 15 * MINUTE_MS, toMs: NOON_MS },
    networks: 8,
    ignoredNetworks: 0,
    blocks: 8,
    largestBlock: 1,
    rule: "seasonal",
    expected: 0.05,
    threshold: 6,
    isSpread: true,
    isStarting: true,
    isQuiet: false,
    surge: { phase: "on", startedAtMs: NOON_MS, quiet: 0 },
    evaluatedAtMs: NOON_MS,
    heldServices: 0,
  });
  expect(explained.probability).toBeLessThan(1e-6);
});

test("a service with a short history has a fixed threshold", () => {
  const { ledger } = foldReports(EMPTY_LEDGER, crowd(2, NOON_MS - 5 * MINUTE_MS), NOON_MS);
  expect(explainReports(ledger, "sberbank", NOON_MS)).toMatchObject({
    rule: "cold",
    threshold: 15,
    networks: 2,
    isStarting: false,
    evaluatedAtMs: null,
  });
});

test("ignored networks are listed", () => {
  const slugs = ["a", "b", "c", "d", "e", "f"];
  const reports = slugs.flatMap((slug) => crowd(3, NOON_MS - 5 * MINUTE_MS, slug));
  const { ledger } = foldReports(EMPTY_LEDGER, reports, NOON_MS);
  expect(explainReports(ledger, "a", NOON_MS)).toMatchObject({ networks: 0, ignoredNetworks: 3 });
});

test("a service without reports has nothing unusual", () => {
  expect(explainReports(EMPTY_LEDGER, "sberbank", NOON_MS)).toMatchObject({
    firstAtMs: null,
    networks: 0,
    probability: 1,
    isQuiet: true,
    surge: { phase: "off" },
  });
});

test("a window that ends at noon is compared with the hour before noon", () => {
  const noon = NOON_MS / HOUR_MS;
  // 40 reports each day from ten to eleven, which is next to the hour before noon, but not to the one after.
  const hours = Array.from({ length: 28 }, (_, day): HourRow => [
    noon - 2 - (28 - day) * 24,
    40,
    0,
  ]);
  const firstAtMs = NOON_MS - 30 * DAY_MS;
  const service = {
    firstAtMs,
    minutes: [],
    symptoms: [],
    operators: NO_OPERATORS,
    recent: NO_RECENT_REPORTS,
    hours,
    surge: NO_SURGE,
  };
  const ledger = { services: new Map([["sberbank", service]]), evaluatedSlot: -1 };
  expect(explainReports(ledger, "sberbank", NOON_MS).expected).toBeGreaterThan(3);
  expect(explainReports(ledger, "sberbank", NOON_MS + 5 * MINUTE_MS).expected).toBeLessThan(1);
});
