import { type ServiceReports, SURGE_SLOT_MS } from "../model/reports.ts";
import { COLD_START_MS, expectedReports, hourOf } from "./baseline.ts";
import { rowAt } from "./rows.ts";
import type { Observation } from "./surge.ts";
import { type Crowd, lookAtCrowd } from "./window.ts";

/** What an evaluation at the beginning of the slot sees of a service. */
export function observe(
  service: ServiceReports,
  slot: number,
  hopping: ReadonlySet<number>,
): Observation & Crowd {
  const { firstAtMs, hours, recent } = service;
  const atMs = slot * SURGE_SLOT_MS;
  return {
    ...lookAtCrowd(recent, slot, hopping),
    // The hour of the window's end, not the one that begins with it.
    mean: expectedReports((hour) => rowAt(hours, hour), hourOf(firstAtMs), hourOf(atMs - 1)),
    isCold: atMs - firstAtMs < COLD_START_MS,
  };
}
