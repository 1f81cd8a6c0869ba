import {
  type HourRow,
  NO_SURGE,
  SURGE_SLOT_MS,
  type Surge,
} from "../../../src/model/service/reports.ts";
import { DAY_MS, HOUR_MS } from "../../../src/model/time.ts";
import { COLD_START_MS, expectedReports } from "../../../src/reports/counting/baseline.ts";
import { type Observation, stepSurge } from "../../../src/reports/counting/surge.ts";
import { createRandom, type Random } from "../../random.ts";

const SLOTS_PER_HOUR = 12;
const SLOTS_PER_DAY = 288;
const WARM_DAYS = 28;
const SLOTS_PER_YEAR = 365 * SLOTS_PER_DAY;
const OUTAGES_PER_YEAR = 6;
const OUTAGE_SLOTS = 24;
const OUTAGE_FACTOR = 10;
const BURST_SIGMA = 0.4;

/** Hours of the day with more or fewer reports than the mean: least at 4, most at 16; their mean is 1. */
const PROFILE = Array.from({ length: 24 }, (_, hour) => {
  return 1 + 0.8 * Math.sin(((hour - 10) / 24) * 2 * Math.PI);
});

export function drawNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Exact for any mean: a large one is divided, because the product would underflow. */
export function drawPoisson(mean: number, random: Random): number {
  let count = 0;
  for (let left = mean; left > 0; left -= 30) {
    const limit = Math.exp(-Math.min(left, 30));
    for (let product = random(); product > limit; product *= random()) count += 1;
  }
  return count;
}

/** One service, slot by slot: counts, baseline and surge. */
export function createService(): {
  step: (slot: number, reports: number) => { surge: Surge; expected: number; window: number };
} {
  const hours = new Map<number, [number, number, number]>();
  const last = [0, 0, 0];
  let surge = NO_SURGE;
  let expected = 0;
  let expectedHour = -1;
  const rowOf = (hour: number): HourRow | undefined => hours.get(hour);

  function addToBaseline(slot: number, reports: number): void {
    if (slot < 0) return;
    const isFlagged = surge.loudSlot > slot && slot * SURGE_SLOT_MS < surge.startedAtMs + DAY_MS;
    if (!isFlagged && reports === 0) return;
    const hour = Math.floor(slot / SLOTS_PER_HOUR);
    const row = hours.get(hour) ?? [hour, 0, 0];
    hours.set(hour, isFlagged ? [hour, row[1], row[2] + 1] : [hour, row[1] + reports, row[2]]);
    hours.delete(hour - (WARM_DAYS + 2) * 24);
  }

  /** `slot` is that of the evaluation; the reports are of the slot before it. */
  function step(slot: number, reports: number) {
    last.shift();
    last.push(reports);
    const window = last.reduce((sum, count) => sum + count, 0);
    const hour = Math.floor((slot * SURGE_SLOT_MS - 1) / HOUR_MS);
    if (hour !== expectedHour) {
      expected = expectedReports(rowOf, 0, hour);
      expectedHour = hour;
    }
    const isCold = slot * SURGE_SLOT_MS < COLD_START_MS;
    surge = stepSurge(surge, spread(window, expected, isCold), slot);
    // The first of the last three slots has now been in its last window.
    addToBaseline(slot - last.length, last[0] ?? 0);
    return { surge, expected, window };
  }

  return { step };
}

/** Every network is in a separate block. */
function spread(count: number, mean: number, isCold: boolean): Observation {
  return { count, blocks: count, largestBlock: Math.min(count, 1), mean, isCold };
}

export interface Noise {
  readonly perHour: number;
  readonly isBursty: boolean;
  readonly years: number;
  readonly seed: number;
}

/** Starts per service-year outside outages (and the two hours after each): of the detector, and of "over 3 times the mean". */
export function simulateFalseStarts({ perHour, isBursty, years, seed }: Noise): {
  readonly recommended: number;
  readonly simple: number;
} {
  const random = createRandom(seed * 1_000 + Math.round(perHour * 10) + (isBursty ? 500_000 : 0));
  const warm = WARM_DAYS * SLOTS_PER_DAY;
  const service = createService();
  const simple = createSimpleRule();
  let burst = 1;
  let excusedUntil = 0;
  let outageUntil = 0;
  let wasOn = false;
  let wasSimple = false;
  const starts = { recommended: 0, simple: 0 };
  for (let slot = 1; slot <= warm + years * SLOTS_PER_YEAR; slot += 1) {
    if (isBursty && slot % SLOTS_PER_HOUR === 1) {
      burst = Math.exp(BURST_SIGMA * drawNormal(random) - BURST_SIGMA ** 2 / 2);
    }
    if (slot > outageUntil && random() < OUTAGES_PER_YEAR / SLOTS_PER_YEAR) {
      outageUntil = slot + OUTAGE_SLOTS;
      excusedUntil = outageUntil + 2 * SLOTS_PER_HOUR;
    }
    const factor = burst * (slot <= outageUntil ? OUTAGE_FACTOR : 1);
    const reports = drawPoisson(meanOf(slot, perHour) * factor, random);
    const { surge, window } = service.step(slot, reports);
    const isOn = surge.phase === "on";
    const isSimple = simple.step(reports, window);
    if (slot > warm && slot > excusedUntil) {
      if (isOn && !wasOn) starts.recommended += 1;
      if (isSimple && !wasSimple) starts.simple += 1;
    }
    wasOn = isOn;
    wasSimple = isSimple;
  }
  return { recommended: starts.recommended / years, simple: starts.simple / years };
}

/** Mean of the slot before the evaluation. */
function meanOf(slot: number, perHour: number): number {
  const hour = Math.floor((slot - 1) / SLOTS_PER_HOUR) % 24;
  return (perHour * (PROFILE[hour] ?? 1)) / SLOTS_PER_HOUR;
}

/** "More than three times the mean": of all windows of the last 28 days. */
function createSimpleRule(): { step: (reports: number, window: number) => boolean } {
  const ring = new Float64Array(WARM_DAYS * SLOTS_PER_DAY);
  let place = 0;
  let sum = 0;
  return {
    step(reports, window) {
      sum += reports - (ring[place] ?? 0);
      ring[place] = reports;
      place = (place + 1) % ring.length;
      return window > (3 * 3 * sum) / ring.length;
    },
  };
}

export interface RealSurge {
  readonly perHour: number;
  readonly factor: number;
  /** Reports per hour on top. */
  readonly extra: number;
  readonly trials: number;
  readonly seed: number;
}

/** Minutes from the beginning of a surge to the evaluation that starts it; null for more than two hours. */
export function simulateDelays({ perHour, factor, extra, trials, seed }: RealSurge): {
  readonly medianMinutes: number | null;
  readonly slowMinutes: number | null;
  readonly detectedRatio: number;
} {
  const random = createRandom(seed * 1_000 + Math.round(perHour * 10) + factor * 7_919 + extra);
  const delays = Array.from({ length: trials }, () => {
    const service = createService();
    const begin = Math.floor((WARM_DAYS + random()) * SLOTS_PER_DAY);
    // The surge begins at a random time in its first slot.
    const part = random();
    for (let slot = 1; slot <= begin; slot += 1) {
      service.step(slot, drawPoisson(meanOf(slot, perHour), random));
    }
    for (let slot = begin + 1; slot <= begin + 25; slot += 1) {
      const usual = meanOf(slot, perHour);
      const more = usual * (factor - 1) + extra / SLOTS_PER_HOUR;
      const share = slot === begin + 1 ? 1 - part : 1;
      const { surge } = service.step(slot, drawPoisson(usual + more * share, random));
      if (surge.phase === "on") return (slot - begin - part) * 5;
    }
    return Infinity;
  }).toSorted((a, b) => a - b);
  const at = (ratio: number) => {
    const delay = delays[Math.floor(ratio * (trials - 1))] ?? Infinity;
    return delay <= 120 ? delay : null;
  };
  return {
    medianMinutes: at(0.5),
    slowMinutes: at(0.9),
    detectedRatio: delays.filter((delay) => delay <= 120).length / trials,
  };
}

/** Cells in columns, numbers to the right. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => {
    return Math.max(...rows.map((row) => row[column]?.length ?? 0));
  });
  return rows
    .map((row) => row.map((cell, column) => cell.padStart(widths[column] ?? 0)).join("  "))
    .join("\n");
}
