import {
  type HourRow,
  type ReportLedger,
  type ServiceReports,
  type Surge,
  NO_SURGE,
  SURGE_SLOT_MS,
  WEEK_MS,
} from "../../model/service/reports.ts";
import { groupBy, mapValues, sumOf } from "../../model/lists.ts";
import { DAY_MS, MINUTE_MS } from "../../model/time.ts";
import { BASELINE_HOURS, SLOTS_PER_HOUR } from "./baseline.ts";
import { countBetween } from "./by-operator.ts";
import { sumMinutes } from "./counts.ts";
import { addOperators } from "./fold-reports.ts";
import { observe, holdCommon, stepSurge, findIgnoredNetworks, WINDOW_SLOTS } from "./surge.ts";
import { dropBefore, putRows, rowAt, rowsBetween } from "./sorted-rows.ts";

/** Missed evaluations of the last hour are done late; older networks are no longer stored. */
const DECIDED_SLOTS = 12;
const SLOTS_PER_DAY: number = DAY_MS / SURGE_SLOT_MS;
/** Whole weeks before the present one in which the usual shares of operators are counted. */
const BASELINE_WEEKS = 4;
const MINUTES_PER_SLOT: number = SURGE_SLOT_MS / MINUTE_MS;

type Services = ReportLedger["services"];

/**
 * Evaluates surges at the beginning of every slot of five minutes since the last evaluation, and adds the slot that has left the
 * window to the baseline. Idempotent.
 *
 * After a pause, the evaluations of the last hour are done late; in earlier slots surges stay as they were. Reports of the last day
 * are added to the baseline; earlier slots are marked as unknown. While the clock is behind the last evaluation, nothing is
 * evaluated. If it is behind by more than a day, the last evaluation had a wrong clock and is dropped with all surges.
 */
export function evaluateSurges(
  ledger: ReportLedger,
  slugs: readonly string[],
  nowMs: number,
): ReportLedger {
  const nowSlot = Math.floor(nowMs / SURGE_SLOT_MS);
  const lastSlot = ledger.evaluatedSlot;
  if (lastSlot > nowSlot + SLOTS_PER_DAY) return dropFuture(ledger, nowSlot);
  if (lastSlot >= nowSlot) return ledger;
  const known = new Set(slugs);
  const reachedSlot = nowSlot - SLOTS_PER_DAY;
  let services = keepKnown(ledger.services, known, nowSlot);
  if (lastSlot !== -1) services = markUnknown(services, lastSlot + 1, reachedSlot);
  for (let slot = Math.max(lastSlot + 1, reachedSlot); slot <= nowSlot; slot += 1) {
    services = evaluateSlot(services, known, slot, slot > nowSlot - DECIDED_SLOTS);
  }
  return { services, evaluatedSlot: nowSlot };
}

function dropFuture({ services }: ReportLedger, nowSlot: number): ReportLedger {
  const nextHour = Math.floor(nowSlot / SLOTS_PER_HOUR) + 1;
  return {
    services: mapValues(services, (service) => {
      return { ...service, hours: rowsBetween(service.hours, 0, nextHour), surge: NO_SURGE };
    }),
    evaluatedSlot: nowSlot,
  };
}

/** Without services that left the catalogue and have no rows, and without hours older than the baseline. */
function keepKnown(services: Services, known: ReadonlySet<string>, nowSlot: number): Services {
  const oldestHour = Math.floor(nowSlot / SLOTS_PER_HOUR) - BASELINE_HOURS - 1;
  const oldestWeek = weekOf(nowSlot * SURGE_SLOT_MS) - BASELINE_WEEKS;
  const kept = mapValues(services, (service) => {
    const weeks = dropBefore(service.operators.weeks, oldestWeek);
    const operators = { ...service.operators, weeks };
    return { ...service, hours: dropBefore(service.hours, oldestHour), operators };
  });
  return new Map(
    [...kept].filter(([slug, { minutes, hours }]) => {
      return known.has(slug) || minutes.length + hours.length > 0;
    }),
  );
}

/** Marks the slots that evaluations in [from, to) would have added to the baseline as unknown. */
function markUnknown(services: Services, from: number, to: number): Services {
  const first = Math.max(from, to - BASELINE_HOURS * SLOTS_PER_HOUR) - WINDOW_SLOTS;
  const slots = Array.from({ length: Math.max(0, to - WINDOW_SLOTS - first) }, (_, i) => first + i);
  const lost = [...groupBy(slots, (slot) => Math.floor(slot / SLOTS_PER_HOUR))];
  if (lost.length === 0) return services;
  return mapValues(services, (service) => {
    const rows = lost.map(([hour, { length }]) => rowWith(service.hours, hour, 0, length));
    return { ...service, hours: putRows(service.hours, rows) };
  });
}

function evaluateSlot(
  services: Services,
  known: ReadonlySet<string>,
  slot: number,
  isDecided: boolean,
): Services {
  const ignoredNetworks = findIgnoredNetworks(services, slot);
  const own = mapValues(services, (service, slug): Surge => {
    if (!known.has(slug)) return { ...service.surge, phase: "off" };
    return isDecided ? decide(service, slot, ignoredNetworks) : carry(service.surge, slot);
  });
  const surges = isDecided ? holdCommon(own, known.size, slot) : own;
  return mapValues(services, (service, slug) => {
    const surge = surges.get(slug) ?? service.surge;
    return addToBaseline({ ...service, surge }, slot - WINDOW_SLOTS, ignoredNetworks);
  });
}

function decide(
  service: ServiceReports,
  slot: number,
  ignoredNetworks: ReadonlySet<number>,
): Surge {
  const { surge, recent } = service;
  // The baseline is expensive, and most services have no reports most of the time.
  const isSilent = (recent.times.at(-1) ?? 0) < (slot - WINDOW_SLOTS) * SURGE_SLOT_MS;
  if (surge.phase === "off" && isSilent) return surge;
  return stepSurge(surge, observe(service, slot, ignoredNetworks), slot);
}

function carry(surge: Surge, slot: number): Surge {
  return surge.phase === "off" ? surge : { ...surge, loudSlot: slot };
}

/** Adds a slot that has left the window to the baseline, unless it is part of a surge. */
function addToBaseline(
  service: ServiceReports,
  slot: number,
  ignoredNetworks: ReadonlySet<number>,
): ServiceReports {
  const isFlagged = isPartOf(service.surge, slot);
  const reports = isFlagged ? 0 : countForBaseline(service, slot, ignoredNetworks);
  if (!isFlagged && reports === 0) return service;
  const hour = Math.floor(slot / SLOTS_PER_HOUR);
  const row = rowWith(service.hours, hour, reports, isFlagged ? 1 : 0);
  const hours = putRows(service.hours, [row]);
  if (reports === 0) return { ...service, hours };
  const [fromMs, toMs] = [slot * SURGE_SLOT_MS, (slot + 1) * SURGE_SLOT_MS];
  const counts = countBetween(service.recent, fromMs, toMs, ignoredNetworks);
  const { operators } = service;
  const weeks = addOperators(operators.weeks, new Map([[weekOf(fromMs), counts]]));
  return { ...service, hours, operators: { ...operators, weeks } };
}

/** The row of an hour with so many more reports and left-out slots. */
function rowWith(hours: readonly HourRow[], hour: number, reports: number, slots: number): HourRow {
  const [, before, leftOut] = rowAt(hours, hour) ?? [hour, 0, 0];
  return [hour, before + reports, Math.min(SLOTS_PER_HOUR, leftOut + slots)];
}

function weekOf(atMs: number): number {
  return Math.floor(atMs / WEEK_MS);
}

/**
 * Whether there was a surge at one of the three evaluations whose window had the slot. Only in the first day of a surge, so that a
 * lasting increase becomes normal and the surge ends.
 */
function isPartOf({ loudSlot, startedAtMs }: Surge, slot: number): boolean {
  return loudSlot > slot && slot * SURGE_SLOT_MS < startedAtMs + DAY_MS;
}

/** Counted reports of the slot, without those of ignored networks. */
function countForBaseline(
  { minutes, recent }: ServiceReports,
  slot: number,
  ignoredNetworks: ReadonlySet<number>,
): number {
  const first = slot * MINUTES_PER_SLOT;
  const { accepted } = sumMinutes(minutes, first, first + MINUTES_PER_SLOT);
  if (ignoredNetworks.size === 0) return accepted;
  const [fromMs, toMs] = [slot * SURGE_SLOT_MS, (slot + 1) * SURGE_SLOT_MS];
  const all = sumOf(countBetween(recent, fromMs, toMs));
  const others = sumOf(countBetween(recent, fromMs, toMs, ignoredNetworks));
  return Math.max(0, accepted - (all - others));
}
