import { placeOfTime, recentBetween } from "../model/recent.ts";
import {
  type HourRow,
  type ReportLedger,
  type ServiceReports,
  type Surge,
  NO_SURGE,
  SURGE_SLOT_MS,
} from "../model/reports.ts";
import { DAY_MS, MINUTE_MS } from "../model/time.ts";
import { BASELINE_HOURS, SLOTS_PER_HOUR } from "./baseline.ts";
import { sumMinutes } from "./counts.ts";
import { observe } from "./observe.ts";
import { dropBefore, groupBy, putRows, rowAt, rowsBetween } from "./rows.ts";
import { visitSurplus } from "./share.ts";
import { holdCommon, stepSurge } from "./surge.ts";
import { findHopping, WINDOW_SLOTS } from "./window.ts";

/** Of missed evaluations those of the last hour are made up for; networks of before are forgotten. */
const DECIDED_SLOTS = 12;
const SLOTS_PER_DAY: number = DAY_MS / SURGE_SLOT_MS;
const MINUTES_PER_SLOT: number = SURGE_SLOT_MS / MINUTE_MS;

type Services = ReportLedger["services"];

/**
 * Decides about surges at the beginning of every slot of five minutes up to that of `nowMs` that has not had it yet, and
 * takes the slot that has left the window into the baseline. Nothing happens twice, however often this is called.
 *
 * After a pause, evaluations of the last hour are made up for; before it, surges stay as they were. Of the last day, what
 * was reported goes into the baseline; what was before is unknown and left out of it. While the clock is behind the last
 * evaluation, nothing is evaluated; when it is behind by over a day, that evaluation was made under a wrong clock and
 * is forgotten with all surges.
 */
export function evaluateSurges(
  ledger: ReportLedger,
  slugs: readonly string[],
  nowMs: number,
): ReportLedger {
  const nowSlot = Math.floor(nowMs / SURGE_SLOT_MS);
  const lastSlot = ledger.evaluatedSlot;
  if (lastSlot > nowSlot + SLOTS_PER_DAY) return forgetFuture(ledger, nowSlot);
  if (lastSlot >= nowSlot) return ledger;
  const known = new Set(slugs);
  const reachedSlot = nowSlot - SLOTS_PER_DAY;
  let services = keepKnown(ledger.services, known, nowSlot);
  if (lastSlot !== -1) services = leaveOut(services, lastSlot + 1, reachedSlot);
  for (let slot = Math.max(lastSlot + 1, reachedSlot); slot <= nowSlot; slot += 1) {
    services = evaluateSlot(services, known, slot, slot > nowSlot - DECIDED_SLOTS);
  }
  return { services, evaluatedSlot: nowSlot };
}

function forgetFuture({ services }: ReportLedger, nowSlot: number): ReportLedger {
  const nextHour = Math.floor(nowSlot / SLOTS_PER_HOUR) + 1;
  return {
    services: mapValues(services, (service) => {
      return { ...service, hours: rowsBetween(service.hours, 0, nextHour), surge: NO_SURGE };
    }),
    evaluatedSlot: nowSlot,
  };
}

/** Without what left the catalogue and its own windows, and without hours that no baseline looks at. */
function keepKnown(services: Services, known: ReadonlySet<string>, nowSlot: number): Services {
  const oldestHour = Math.floor(nowSlot / SLOTS_PER_HOUR) - BASELINE_HOURS - 1;
  const kept = mapValues(services, (service) => {
    return { ...service, hours: dropBefore(service.hours, oldestHour) };
  });
  return new Map(
    [...kept].filter(([slug, { minutes, hours }]) => {
      return known.has(slug) || minutes.length + hours.length > 0;
    }),
  );
}

/** Marks what evaluations in [from, to) would have taken into the baseline as unknown. */
function leaveOut(services: Services, from: number, to: number): Services {
  const first = Math.max(from, to - BASELINE_HOURS * SLOTS_PER_HOUR) - WINDOW_SLOTS;
  const slots = Array.from({ length: Math.max(0, to - WINDOW_SLOTS - first) }, (_, i) => first + i);
  const lost = [...groupBy(slots, (slot) => Math.floor(slot / SLOTS_PER_HOUR))];
  if (lost.length === 0) return services;
  return mapValues(services, (service) => {
    const rows = lost.map(([hour, { length }]): HourRow => {
      const [, reports, leftOut] = rowAt(service.hours, hour) ?? [hour, 0, 0];
      return [hour, reports, Math.min(SLOTS_PER_HOUR, leftOut + length)];
    });
    return { ...service, hours: putRows(service.hours, rows) };
  });
}

function evaluateSlot(
  services: Services,
  known: ReadonlySet<string>,
  slot: number,
  isDecided: boolean,
): Services {
  const hopping = findHopping(services, slot);
  const own = new Map(
    [...services].map(([slug, service]) => {
      if (!known.has(slug)) return [slug, { ...service.surge, phase: "off" as const }];
      return [slug, isDecided ? decide(service, slot, hopping) : carry(service.surge, slot)];
    }),
  );
  const surges = isDecided ? holdCommon(own, known.size, slot) : own;
  return new Map(
    [...services].map(([slug, service]) => {
      const surge = surges.get(slug) ?? service.surge;
      return [slug, takeIn({ ...service, surge }, slot - WINDOW_SLOTS, hopping)];
    }),
  );
}

function decide(service: ServiceReports, slot: number, hopping: ReadonlySet<number>): Surge {
  const { surge, recent } = service;
  // The baseline is the costly part, and most services are silent most of the time.
  const isSilent = (recent.times.at(-1) ?? 0) < (slot - WINDOW_SLOTS) * SURGE_SLOT_MS;
  if (surge.phase === "off" && isSilent) return surge;
  return stepSurge(surge, observe(service, slot, hopping), slot);
}

function carry(surge: Surge, slot: number): Surge {
  return surge.phase === "off" ? surge : { ...surge, loudSlot: slot };
}

/** The slot has left the window: into the baseline with it, unless a surge saw it. */
function takeIn(
  service: ServiceReports,
  slot: number,
  hopping: ReadonlySet<number>,
): ServiceReports {
  const isFlagged = isPartOf(service.surge, slot);
  const reports = isFlagged ? 0 : countWeighing(service, slot, hopping);
  if (!isFlagged && reports === 0) return service;
  const hour = Math.floor(slot / SLOTS_PER_HOUR);
  const [, before, leftOut] = rowAt(service.hours, hour) ?? [hour, 0, 0];
  const row: HourRow = [
    hour,
    before + reports,
    Math.min(SLOTS_PER_HOUR, leftOut + (isFlagged ? 1 : 0)),
  ];
  return { ...service, hours: putRows(service.hours, [row]) };
}

/**
 * Whether a surge was on at one of the three evaluations that saw the slot. Not beyond the first day of a surge: what lasts
 * longer is the new normal, and would otherwise be a surge for ever.
 */
function isPartOf({ loudSlot, startedAtMs }: Surge, slot: number): boolean {
  return loudSlot > slot && slot * SURGE_SLOT_MS < startedAtMs + DAY_MS;
}

/** Reports of the slot that count, without those of hopping networks. */
function countWeighing(
  { minutes, recent }: ServiceReports,
  slot: number,
  hopping: ReadonlySet<number>,
): number {
  const first = slot * MINUTES_PER_SLOT;
  const { accepted } = sumMinutes(minutes, first, first + MINUTES_PER_SLOT);
  if (hopping.size === 0) return accepted;
  const surplus = new Set<number>();
  visitSurplus(recent, Math.floor(slot / SLOTS_PER_HOUR), (place) => surplus.add(place));
  const from = placeOfTime(recent, slot * SURGE_SLOT_MS);
  const { networks } = recentBetween(recent, slot * SURGE_SLOT_MS, (slot + 1) * SURGE_SLOT_MS);
  const ignored = networks.filter((network, index) => {
    return hopping.has(network) && !surplus.has(from + index);
  });
  return Math.max(0, accepted - ignored.length);
}

function mapValues(
  services: Services,
  change: (service: ServiceReports) => ServiceReports,
): Services {
  return new Map([...services].map(([slug, service]) => [slug, change(service)]));
}
