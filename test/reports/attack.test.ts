import { describe, expect, test } from "vitest";
import { EMPTY_LEDGER, type Report, type ReportLedger } from "../../src/model/reports.ts";
import { reportsAsOf } from "../../src/reports/counts.ts";
import { explainReports } from "../../src/reports/explain.ts";
import { foldReports } from "../../src/reports/fold.ts";
import { reportHoursOf } from "../../src/reports/hours.ts";
import { HOUR_MS, MINUTE_MS, NOON_MS } from "./samples.ts";
import { createRandom, drawPoisson, type Random } from "./simulation.ts";

const SLOT_MS = 5 * MINUTE_MS;
const HOURS = 6;
const SLOTS = (HOURS * HOUR_MS) / SLOT_MS;

/**
 * The reporters of a big city: a mobile provider with one /16 whose gateways are 60 /24, another with two, and 40 blocks of
 * providers at home, the larger the fewer there are of them.
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

/** Five an hour, and six hundred in the third hour: an outage. */
function honestPerHour(slot: number): number {
  return Math.floor((slot * SLOT_MS) / HOUR_MS) === 2 ? 600 : 5;
}

interface Sample {
  readonly nowMs: number;
  readonly honest: ReportLedger;
  readonly attacked: ReportLedger;
}

/** Both ledgers every five minutes: with and without an owner of one block who sends so many an hour, from a new network each. */
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

describe("an owner of one block beside honest people", () => {
  test.for([1, 2, 3])("at most doubles an hour of the clock, or adds 15 to it (%d)", (seed) => {
    for (const { nowMs, honest, attacked } of play(seed, 2_000)) {
      const [without, withIt] = [hoursOf(honest, nowMs), hoursOf(attacked, nowMs)];
      for (const [place, count] of without.entries()) {
        expect(withIt[place]).toBeGreaterThanOrEqual(count);
        expect(withIt[place]).toBeLessThanOrEqual(count + Math.max(15, count));
      }
    }
  });

  test("adds to the last 60 minutes what it may add to the two hours of the clock that they lie in", () => {
    for (const { nowMs, honest, attacked } of play(4, 2_000)) {
      const added = countsOf(attacked, nowMs).hour - countsOf(honest, nowMs).hour;
      const most = hoursOf(honest, nowMs)
        .slice(-2)
        .reduce((sum, count) => sum + Math.max(15, count), 0);
      expect(added).toBeGreaterThanOrEqual(0);
      expect(added).toBeLessThanOrEqual(most);
    }
  });

  test("adds 15 an hour to a quiet service, however much it sends", () => {
    const samples = play(5, 2_000);
    const { nowMs, honest, attacked } = samples[11] ?? {};
    if (nowMs === undefined || honest === undefined || attacked === undefined)
      throw new Error("the first hour was not played");
    expect(countsOf(attacked, nowMs).hour - countsOf(honest, nowMs).hour).toBe(15);
    expect(explainReports(attacked, "sberbank", nowMs).hour.raw).toBeGreaterThan(1_800);
    expect(explainReports(attacked, "sberbank", nowMs).isSpread).toBe(false);
  });
});

test("of honest people everybody counts, on a quiet day and in an outage, mobile providers included", () => {
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
