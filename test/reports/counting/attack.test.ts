import { describe, expect, test } from "vitest";
import {
  EMPTY_LEDGER,
  type Report,
  type ReportLedger,
} from "../../../src/model/service/reports.ts";
import { reportsAsOf, reportHoursOf } from "../../../src/reports/counting/counts.ts";
import { explainReports } from "../../../src/reports/counting/explain-surge.ts";
import { foldReports } from "../../../src/reports/counting/fold-reports.ts";
import { HOUR_MS, MINUTE_MS, NOON_MS } from "./samples.ts";
import { createRandom, type Random } from "../../random.ts";
import { drawPoisson } from "./simulation.ts";

const SLOT_MS = 5 * MINUTE_MS;
const HOURS = 6;
const SLOTS = (HOURS * HOUR_MS) / SLOT_MS;

/**
 * Clients of a big city: a mobile provider with one /16 and 60 /24 gateways, another with two /16, and 40 blocks of fixed-line
 * providers, of which few are large.
 */
const PROVIDERS = [
  { block: "mobile", networks: 60, weight: 9 },
  { block: "mobile-2a", networks: 40, weight: 4 },
  { block: "mobile-2b", networks: 40, weight: 4 },
  ...Array.from({ length: 40 }, (_, place) => ({
    block: `home-${place}`,
    networks: 256,
    weight: 12 / (place + 4),
  })),
];
const ALL_WEIGHTS = PROVIDERS.reduce((sum, { weight }) => sum + weight, 0);

function drawHonest(random: Random, atMs: number): Report {
  let left = random() * ALL_WEIGHTS;
  const provider = PROVIDERS.find(({ weight }) => (left -= weight) < 0) ?? PROVIDERS[0];
  if (provider === undefined) throw new Error("the city has no provider");
  const { block, networks } = provider;
  const network = `${block}-${Math.floor(random() * networks)}`;
  return { slug: "sberbank", atMs, network, block };
}

/** Five reports an hour, and an outage with six hundred in the third hour. */
function honestPerHour(slot: number): number {
  return Math.floor((slot * SLOT_MS) / HOUR_MS) === 2 ? 600 : 5;
}

interface Sample {
  readonly nowMs: number;
  readonly honest: ReportLedger;
  readonly attacked: ReportLedger;
}

/**
 * Both ledgers every five minutes: with and without an attacker who owns one block and sends so many reports an hour, each from a
 * new network.
 */
function play(seed: number, attackPerHour: number): readonly Sample[] {
  const random = createRandom(seed);
  let [honest, attacked] = [EMPTY_LEDGER, EMPTY_LEDGER];
  let sent = 0;
  return Array.from({ length: SLOTS }, (_, slot) => {
    const beginMs = NOON_MS + slot * SLOT_MS;
    const draw = () => beginMs + Math.floor(random() * SLOT_MS);
    const reports = Array.from({ length: drawPoisson(honestPerHour(slot) / 12, random) }, () =>
      drawHonest(random, draw()),
    );
    const attack = Array.from({ length: drawPoisson(attackPerHour / 12, random) }, (): Report => {
      sent += 1;
      return { slug: "sberbank", atMs: draw(), network: `attack-${sent}`, block: "attack" };
    });
    const nowMs = beginMs + SLOT_MS - 1;
    honest = foldReports(honest, reports, nowMs).ledger;
    attacked = foldReports(attacked, [...reports, ...attack], nowMs).ledger;
    return { nowMs, honest, attacked };
  });
}

const countsOf = (ledger: ReportLedger, nowMs: number) => {
  const { hour, day } = reportsAsOf(ledger, nowMs).get("sberbank") ?? { hour: 0, day: 0 };
  return { hour, day };
};

const hoursOf = (ledger: ReportLedger, nowMs: number) =>
  reportHoursOf(ledger.services.get("sberbank"), nowMs);

describe("an attacker with one block among honest clients", () => {
  test.for([1, 2, 3])("at most doubles a clock hour, or adds 15 to it (%d)", (seed) => {
    for (const { nowMs, honest, attacked } of play(seed, 2_000)) {
      const [without, withIt] = [hoursOf(honest, nowMs), hoursOf(attacked, nowMs)];
      for (const [place, count] of without.entries()) {
        expect(withIt[place]).toBeGreaterThanOrEqual(count);
        expect(withIt[place]).toBeLessThanOrEqual(count + Math.max(15, count));
      }
    }
  });

  test("adds to 60 minutes at most the sum of what two clock hours allow", () => {
    for (const { nowMs, honest, attacked } of play(4, 2_000)) {
      const added = countsOf(attacked, nowMs).hour - countsOf(honest, nowMs).hour;
      const most = hoursOf(honest, nowMs)
        .slice(-2)
        .reduce((sum, count) => sum + Math.max(15, count), 0);
      expect(added).toBeGreaterThanOrEqual(0);
      expect(added).toBeLessThanOrEqual(most);
    }
  });

  test("adds 15 reports an hour to a quiet service, at any rate", () => {
    const samples = play(5, 2_000);
    const { nowMs, honest, attacked } = samples[11] ?? {};
    if (nowMs === undefined || honest === undefined || attacked === undefined)
      throw new Error("the first hour was not played");
    expect(countsOf(attacked, nowMs).hour - countsOf(honest, nowMs).hour).toBe(15);
    expect(explainReports(attacked, "sberbank", nowMs).hour.raw).toBeGreaterThan(1_800);
    expect(explainReports(attacked, "sberbank", nowMs).isSpread).toBe(false);
  });
});

test("every honest client counts, also in outages and behind mobile gateways", () => {
  for (const seed of [6, 7, 8]) {
    let largest = 0;
    for (const { nowMs, honest } of play(seed, 0)) {
      const { hour, day, beyondShare } = explainReports(honest, "sberbank", nowMs);
      expect(beyondShare).toBe(0);
      expect(day.accepted).toBeGreaterThanOrEqual(hour.accepted);
      largest = Math.max(largest, hour.accepted);
    }
    expect(largest).toBeGreaterThan(350);
  }
});
