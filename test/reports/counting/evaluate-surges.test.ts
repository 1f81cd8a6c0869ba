import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NO_RECENT_REPORTS } from "../../../src/model/service/recent-reports.ts";
import {
  NO_OPERATORS,
  EMPTY_LEDGER,
  NO_SURGE,
  type ReportLedger,
  type ServiceReports,
} from "../../../src/model/service/reports.ts";
import { reportsAsOf } from "../../../src/reports/counting/counts.ts";
import { evaluateSurges } from "../../../src/reports/counting/evaluate-surges.ts";
import { foldReports } from "../../../src/reports/counting/fold-reports.ts";
import {
  crowd,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  NOON_MS,
  quietLedger,
  quietUntil,
  SLOT_MS,
} from "./samples.ts";
import { createRandom } from "../../random.ts";
import { createService, drawPoisson } from "./simulation.ts";

const SLUGS = ["sberbank"];

function fold(
  ledger: ReportLedger,
  count: number,
  atMs: number,
  slug = "sberbank",
  name = "n",
): ReportLedger {
  return foldReports(ledger, crowd(count, atMs, slug, name), atMs + 4 * MINUTE_MS).ledger;
}

function isSurging(ledger: ReportLedger, atMs = NOON_MS, slug = "sberbank"): boolean {
  return reportsAsOf(ledger, atMs).get(slug)?.isSurging ?? false;
}

describe("starting and stopping", () => {
  test("six networks in 15 minutes start a surge of a quiet service, and five do not", () => {
    const at = NOON_MS - 5 * MINUTE_MS;
    expect(isSurging(evaluateSurges(fold(quietLedger(), 6, at), SLUGS, NOON_MS))).toBe(true);
    expect(isSurging(evaluateSurges(fold(quietLedger(), 5, at), SLUGS, NOON_MS))).toBe(false);
  });

  test("a hundred reports of one /16 start no surge", () => {
    const one = crowd(100, NOON_MS - 5 * MINUTE_MS).map((report) => ({ ...report, block: "same" }));
    const { ledger } = foldReports(quietLedger(), one, NOON_MS);
    expect(isSurging(evaluateSurges(ledger, SLUGS, NOON_MS))).toBe(false);
  });

  test("a service needs 15 networks in its first seven days", () => {
    const at = NOON_MS - 5 * MINUTE_MS;
    expect(isSurging(evaluateSurges(fold(EMPTY_LEDGER, 14, at), SLUGS, NOON_MS))).toBe(false);
    expect(isSurging(evaluateSurges(fold(EMPTY_LEDGER, 15, at), SLUGS, NOON_MS))).toBe(true);
  });

  test("a surge ends by itself, and its slots are not in the baseline", () => {
    let ledger = fold(quietLedger(), 60, NOON_MS - 5 * MINUTE_MS);
    const phases = [0, 1, 2, 3, 4, 5].map((slot) => {
      ledger = evaluateSurges(ledger, SLUGS, NOON_MS + slot * SLOT_MS);
      return isSurging(ledger);
    });
    expect(phases).toEqual([true, true, true, true, false, false]);
    const after = evaluateSurges(ledger, SLUGS, NOON_MS + HOUR_MS).services.get("sberbank");
    const hours = after?.hours.filter(([hour]) => hour >= NOON_MS / HOUR_MS - 1);
    // The surge covers 11:45 to 12:15: three slots of each hour.
    expect(hours).toEqual([
      [NOON_MS / HOUR_MS - 1, 0, 3],
      [NOON_MS / HOUR_MS, 0, 3],
    ]);
  });

  test("normal reports enter the baseline once, when their slot leaves the window", () => {
    const ledger = fold(quietLedger(), 3, NOON_MS - 5 * MINUTE_MS);
    const hourOfNoon = (atMs: number) => {
      const { hours } = evaluateSurges(ledger, SLUGS, atMs).services.get("sberbank") ?? {};
      return hours?.find(([hour]) => hour === NOON_MS / HOUR_MS - 1);
    };
    expect(hourOfNoon(NOON_MS + 9 * MINUTE_MS)).toBeUndefined();
    expect(hourOfNoon(NOON_MS + 10 * MINUTE_MS)?.[1]).toBe(3);
    expect(hourOfNoon(NOON_MS + 5 * HOUR_MS)?.[1]).toBe(3);
  });

  test("a surge of more than a day becomes normal", () => {
    let ledger = quietLedger();
    let surgingDays = 0;
    for (let slot = 0; slot < 29 * 288; slot += 1) {
      const atMs = NOON_MS + slot * SLOT_MS;
      ledger = evaluateSurges(fold(ledger, 4, atMs), SLUGS, atMs + 4 * MINUTE_MS);
      if (slot % 288 === 287 && isSurging(ledger)) surgingDays += 1;
    }
    expect(surgingDays).toBeGreaterThan(3);
    expect(isSurging(ledger)).toBe(false);
  });
});

describe("networks that report many services", () => {
  const slugs = ["a", "b", "c", "d", "e", "f"];

  function stuff(services: number): ReportLedger {
    let ledger = slugs.reduce(
      (before, slug) => fold(before, 1, NOON_MS - 30 * DAY_MS, slug),
      EMPTY_LEDGER,
    );
    ledger = quietUntil(ledger, slugs, NOON_MS - 30 * DAY_MS, NOON_MS - HOUR_MS);
    const reports = slugs
      .slice(0, services)
      .flatMap((slug) => crowd(12, NOON_MS - 5 * MINUTE_MS, slug, "same"));
    return evaluateSurges(foldReports(ledger, reports, NOON_MS).ledger, slugs, NOON_MS);
  }

  test("count for surges with five services, and are ignored with six", () => {
    expect([...stuff(4).services.values()].filter(({ surge }) => surge.phase === "on").length).toBe(
      4,
    );
    expect([...stuff(6).services.values()].every(({ surge }) => surge.phase === "off")).toBe(true);
  });

  test("count in the published numbers, but not in the baseline", () => {
    const ledger = evaluateSurges(stuff(6), slugs, NOON_MS + HOUR_MS);
    expect(reportsAsOf(ledger, NOON_MS).get("a")).toEqual({ hour: 12, day: 12, isSurging: false });
    expect(ledger.services.get("a")?.hours.some(([hour]) => hour >= NOON_MS / HOUR_MS - 1)).toBe(
      false,
    );
  });

  test("do not change the baseline of others if their block exceeds its share", () => {
    const flood = slugs.flatMap((slug) =>
      crowd(100, NOON_MS - 5 * MINUTE_MS, slug, "flood").map((one) => ({ ...one, block: "flood" })),
    );
    const own = crowd(5, NOON_MS - 5 * MINUTE_MS, "a", "own");
    const { ledger } = foldReports(stuff(0), [...flood, ...own], NOON_MS);
    const later = evaluateSurges(ledger, slugs, NOON_MS + 30 * MINUTE_MS);
    expect(reportsAsOf(ledger, NOON_MS).get("a")?.hour).toBe(20);
    expect(later.services.get("a")?.hours).toContainEqual([NOON_MS / HOUR_MS - 1, 5, 0]);
    expect(later.services.get("b")?.hours.some(([hour]) => hour >= NOON_MS / HOUR_MS - 1)).toBe(
      false,
    );
  });
});

test("many services that start together are held", () => {
  const slugs = Array.from({ length: 20 }, (_, place) => `service-${place}`);
  const start = (services: number) => {
    let ledger = EMPTY_LEDGER;
    for (const slug of slugs.slice(0, services)) {
      ledger = fold(ledger, 20, NOON_MS - 5 * MINUTE_MS, slug, slug.slice(-2));
    }
    ledger = evaluateSurges(ledger, slugs, NOON_MS);
    return [...ledger.services.values()].map(({ surge }) => surge.phase);
  };
  expect(start(6)).toEqual(Array(6).fill("on"));
  expect(start(7)).toEqual(Array(7).fill("held"));
});

describe("time", () => {
  test("a slot is evaluated once, also after the clock goes back", () => {
    const ledger = evaluateSurges(fold(quietLedger(), 6, NOON_MS - 5 * MINUTE_MS), SLUGS, NOON_MS);
    for (const shiftMs of [0, 1, 299_999, -SLOT_MS, -HOUR_MS, -DAY_MS]) {
      expect(evaluateSurges(ledger, SLUGS, NOON_MS + shiftMs)).toBe(ledger);
    }
  });

  test("missed evaluations of the last hour are done late", () => {
    const reported = fold(quietLedger(), 30, NOON_MS - 5 * MINUTE_MS);
    const late = evaluateSurges(reported, SLUGS, NOON_MS + 45 * MINUTE_MS);
    expect(late.services.get("sberbank")?.surge).toMatchObject({
      phase: "off",
      startedAtMs: NOON_MS,
    });
    expect(late.services.get("sberbank")?.surge.loudSlot).toBe(NOON_MS / SLOT_MS + 3);
  });

  test.each([
    [55, 0],
    [60, 5],
  ])("after a pause of %i minutes a surge began %i minutes after noon", (pause, begun) => {
    const reported = fold(quietLedger(), 30, NOON_MS - 5 * MINUTE_MS);
    const late = evaluateSurges(reported, SLUGS, NOON_MS + pause * MINUTE_MS);
    expect(late.services.get("sberbank")?.surge.startedAtMs).toBe(NOON_MS + begun * MINUTE_MS);
  });

  test("an evaluation over a day ahead is dropped, with all surges and later hours", () => {
    const surging = evaluateSurges(fold(quietLedger(), 6, NOON_MS - SLOT_MS), SLUGS, NOON_MS);
    const [slug, service] = [...surging.services][0] ?? [];
    if (slug === undefined || service === undefined) throw new Error("no service");
    const noon = NOON_MS / HOUR_MS;
    const hours = [
      [noon - 25, 7, 0],
      [noon - 24, 8, 0],
      [noon, 9, 0],
    ] as const;
    const ahead = { ...surging, services: new Map([[slug, { ...service, hours }]]) };
    expect(evaluateSurges(ahead, SLUGS, NOON_MS - DAY_MS)).toBe(ahead);
    expect(evaluateSurges(ahead, SLUGS, NOON_MS - DAY_MS - SLOT_MS)).toEqual({
      services: new Map([[slug, { ...service, hours: hours.slice(0, 1), surge: NO_SURGE }]]),
      evaluatedSlot: NOON_MS / SLOT_MS - 289,
    });
  });

  test("hours and weeks that the baseline needs no longer are dropped", () => {
    const week = Math.floor(NOON_MS / (7 * DAY_MS));
    const noon = NOON_MS / HOUR_MS;
    const [service] = [...quietLedger().services.values()];
    if (service === undefined) throw new Error("no service");
    const old = {
      ...service,
      hours: [675, 674, 1].map((ago) => [noon - ago, 1, 0] as const),
      operators: { hours: [], weeks: [5, 4, 0].map((ago) => [week - ago, [1]] as const) },
    };
    const ledger = { services: new Map([["sberbank", old]]), evaluatedSlot: NOON_MS / SLOT_MS - 1 };
    const kept = evaluateSurges(ledger, SLUGS, NOON_MS).services.get("sberbank");
    expect(kept?.hours.map(([hour]) => noon - hour)).toEqual([674, 1]);
    expect(kept?.operators.weeks.map(([one]) => week - one)).toEqual([4, 0]);
  });

  test("one call an hour gives the same ledger as one call in each slot", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 24 }), (counts) => {
        let ledger = quietLedger();
        let often = evaluateSurges(ledger, SLUGS, NOON_MS);
        ledger = often;
        for (const [slot, count] of counts.entries()) {
          const atMs = NOON_MS + slot * SLOT_MS;
          ledger = fold(ledger, count, atMs);
          often = evaluateSurges(fold(often, count, atMs), SLUGS, atMs + SLOT_MS);
          if ((slot + 1) % 12 === 0) ledger = evaluateSurges(ledger, SLUGS, atMs + SLOT_MS);
        }
        const endMs = NOON_MS + counts.length * SLOT_MS;
        expect(evaluateSurges(ledger, SLUGS, endMs)).toEqual(often);
      }),
      { numRuns: 30 },
    );
  });

  test("days without evaluation are unknown and not days without reports", () => {
    const ledger = evaluateSurges(quietLedger(), SLUGS, NOON_MS + 3 * DAY_MS);
    const lost =
      ledger.services.get("sberbank")?.hours.filter(([, , leftOut]) => leftOut === 12) ?? [];
    expect(lost.length).toBe(48);
    expect(
      quietLedger()
        .services.get("sberbank")
        ?.hours.every(([, , leftOut]) => leftOut === 0),
    ).toBe(true);
  });

  test("an evaluation with a clock years ahead does not stop detection for years", () => {
    const wrong = evaluateSurges(quietLedger(), SLUGS, NOON_MS + 3_000 * DAY_MS);
    const fixed = evaluateSurges(wrong, SLUGS, NOON_MS);
    expect(fixed.evaluatedSlot).toBe(NOON_MS / SLOT_MS);
    const reported = fold(fixed, 40, NOON_MS);
    expect(isSurging(evaluateSurges(reported, SLUGS, NOON_MS + SLOT_MS))).toBe(true);
  });

  test("every slot enters the baseline once if the clock goes an hour forward and back", () => {
    let ledger = fold(quietLedger(), 3, NOON_MS - 5 * MINUTE_MS);
    ledger = evaluateSurges(ledger, SLUGS, NOON_MS + HOUR_MS);
    ledger = evaluateSurges(ledger, SLUGS, NOON_MS);
    ledger = evaluateSurges(ledger, SLUGS, NOON_MS + 2 * HOUR_MS);
    const sum = ledger.services
      .get("sberbank")
      ?.hours.reduce((total, [, count]) => total + count, 0);
    expect(sum).toBe(3);
  });
});

describe("services", () => {
  test("one that left the catalogue does not surge, and is dropped when it has no rows", () => {
    const surging = evaluateSurges(fold(quietLedger(), 9, NOON_MS - 5 * MINUTE_MS), SLUGS, NOON_MS);
    const gone = evaluateSurges(surging, [], NOON_MS + SLOT_MS);
    expect(isSurging(surging)).toBe(true);
    expect(isSurging(gone)).toBe(false);
    const later = foldReports(gone, [], NOON_MS + 40 * DAY_MS).ledger;
    const end = quietUntil(later, [], NOON_MS + HOUR_MS, NOON_MS + 40 * DAY_MS);
    expect(end.services.size).toBe(0);
  });

  test.each([
    [1, 0],
    [0, 1],
    [0, 0],
  ])("one that left stays with %i minutes and %i hours, unless both are none", (minutes, hours) => {
    const left: ServiceReports = {
      firstAtMs: NOON_MS - DAY_MS,
      minutes: Array.from({ length: minutes }, () => [NOON_MS / MINUTE_MS - 60, 1, 1]),
      symptoms: [],
      operators: NO_OPERATORS,
      recent: NO_RECENT_REPORTS,
      hours: Array.from({ length: hours }, () => [NOON_MS / HOUR_MS - 5, 1, 0]),
      surge: NO_SURGE,
    };
    const ledger = { services: new Map([["left", left]]), evaluatedSlot: NOON_MS / SLOT_MS - 1 };
    const { services } = evaluateSurges(ledger, [], NOON_MS);
    expect(services.has("left")).toBe(minutes + hours > 0);
  });

  test("one without reports stays, so that hours without reports count as history", () => {
    const ledger = quietUntil(quietLedger(), SLUGS, NOON_MS, NOON_MS + 60 * DAY_MS);
    expect(ledger.services.get("sberbank")?.firstAtMs).toBe(NOON_MS - 30 * DAY_MS);
  });
});

test("the simulation decides and stores as the ledger does", () => {
  const random = createRandom(7);
  const service = createService();
  let ledger = fold(EMPTY_LEDGER, 1, 0);
  service.step(1, 1);
  ledger = evaluateSurges(ledger, SLUGS, SLOT_MS);
  let starts = 0;
  for (let slot = 2; slot <= 12 * 288; slot += 1) {
    const isOutage = slot % 700 < 20;
    const reports = drawPoisson(isOutage ? 6 : 0.3, random);
    ledger = evaluateSurges(fold(ledger, reports, (slot - 1) * SLOT_MS), SLUGS, slot * SLOT_MS);
    const { surge } = service.step(slot, reports);
    expect(ledger.services.get("sberbank")?.surge).toEqual(surge);
    if (surge.startedAtMs === slot * SLOT_MS) starts += 1;
  }
  expect(starts).toBeGreaterThan(3);
});
