import { expect, test } from "vitest";
import { EMPTY_LEDGER, type Report } from "../../../src/model/service/reports.ts";
import { foldReports } from "../../../src/reports/counting/fold-reports.ts";
import { createDedupEstimate } from "../../../src/reports/counting/pending-counts.ts";
import { HOUR_MS, NOON_MS } from "./samples.ts";

function report(network: string, atMs = NOON_MS, block = network): Report {
  return { slug: "bank", atMs, network, block };
}

test("a network counts once within an hour, and again an hour later or earlier", () => {
  const { accept } = createDedupEstimate(EMPTY_LEDGER);
  expect(accept(report("a"))).toBe(1);
  expect(accept(report("a", NOON_MS + HOUR_MS - 1))).toBe(0);
  expect(accept({ ...report("a"), slug: "shop" })).toBe(1);
  expect(accept(report("a", NOON_MS + HOUR_MS))).toBe(1);
  expect(accept(report("a", NOON_MS + 1))).toBe(0);
  expect(accept(report("a", NOON_MS))).toBe(1);
});

test("reports of the ledger are known", () => {
  const { ledger } = foldReports(EMPTY_LEDGER, [report("a")], NOON_MS);
  const { accept } = createDedupEstimate(ledger);
  expect(accept(report("a", NOON_MS + HOUR_MS - 1))).toBe(0);
  expect(accept(report("b", NOON_MS + HOUR_MS - 1))).toBe(1);
});

test("an increase is that of the last accepted report alone", () => {
  const estimate = createDedupEstimate(EMPTY_LEDGER);
  const first = report("a");
  estimate.accept(first);
  expect(estimate.increaseOf(first)).toBe(1);
  expect(estimate.increaseOf(report("a", NOON_MS + 1))).toBe(0);
  expect(estimate.increaseOf(report("b"))).toBe(0);
  const later = report("a", NOON_MS + HOUR_MS);
  estimate.accept(later);
  expect([estimate.increaseOf(first), estimate.increaseOf(later)]).toEqual([0, 1]);
});

test("an increase of a block beyond its share is 0, until other blocks make room", () => {
  const estimate = createDedupEstimate(EMPTY_LEDGER);
  const crowd = Array.from({ length: 17 }, (_, at) => report(`n${at}`, NOON_MS + at, "one"));
  const increases = crowd.map(estimate.accept);
  expect(increases).toEqual([...Array.from({ length: 15 }, () => 1), 0, 0]);
  expect(crowd.map(estimate.increaseOf)).toEqual(increases);
});

test("the last 125,000 pairs are remembered, and at most twice as many", () => {
  const { accept } = createDedupEstimate(EMPTY_LEDGER);
  accept(report("first"));
  for (let at = 0; at < 249_998; at += 1) accept(report(`n${at}`, NOON_MS, "one"));
  expect(accept(report("first"))).toBe(0);
  accept(report("last"));
  expect(accept(report("first"))).toBe(1);
  expect(accept(report("n249997", NOON_MS, "one"))).toBe(0);
});

test("an hour in which reports arrive is remembered among any number of others", () => {
  const { accept } = createDedupEstimate(EMPTY_LEDGER);
  for (let at = 0; at < 17; at += 1) accept(report(`n${at}`, NOON_MS, "one"));
  for (let at = 0; at < 16; at += 1) accept(report(`other${at}`));
  for (let at = 0; at < 24_000; at += 1) {
    accept({ ...report("a"), slug: `shop${at}` });
    if (at % 4_000 === 0) accept(report(`more${at}`, NOON_MS, "one"));
  }
  // It makes room for one more of the largest block.
  expect(accept(report("last"))).toBe(2);
});
