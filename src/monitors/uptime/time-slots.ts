import { DAY_MS } from "../../model/time.ts";
import { SLOT_MS } from "../../model/monitor/uptime.ts";

/** Slots of a UTC day; also the most runs in 24 hours, because each run has a slot of its own. */
export const SLOTS_PER_DAY: number = DAY_MS / SLOT_MS;

/** Days that are stored, including today. Source: the longest window of `UPTIME_WINDOWS`. */
export const DAYS_KEPT = 90;

/** The slot of a time, counted from the Unix epoch. */
export function toSlot(atMs: number): number {
  return Math.floor(atMs / SLOT_MS);
}

/** The UTC day of a slot. Exact, because no slot spans two days. */
export function dayOfSlot(slot: number): number {
  return Math.floor(slot / SLOTS_PER_DAY);
}
