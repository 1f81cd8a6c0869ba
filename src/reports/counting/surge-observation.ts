import { type ServiceReports, SURGE_SLOT_MS } from "../../model/service/reports.ts";
import { COLD_START_MS, expectedReports, hourOf } from "./baseline.ts";
import { rowAt } from "./sorted-rows.ts";
import type { Observation } from "./surge.ts";
import { countNetworks, type WindowNetworks } from "./surge-window.ts";

/** The input of an evaluation at the beginning of the slot. */
export function observe(
  service: ServiceReports,
  slot: number,
  ignoredNetworks: ReadonlySet<number>,
): Observation & WindowNetworks {
  const { firstAtMs, hours, recent } = service;
  const atMs = slot * SURGE_SLOT_MS;
  return {
    ...countNetworks(recent, slot, ignoredNetworks),
    // The hour in which the window ends, not the one that begins at its end.
    mean: expectedReports((hour) => rowAt(hours, hour), hourOf(firstAtMs), hourOf(atMs - 1)),
    isCold: atMs - firstAtMs < COLD_START_MS,
  };
}
