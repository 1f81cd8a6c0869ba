import { HOUR_MS } from "../../src/model/time.ts";
import { SLOT_MS } from "../../src/model/monitor/uptime.ts";

/** The slots of a test, numbered from its first one. */
export interface Slots {
  /** Options of a command that runs at a number of seconds after the beginning of a slot. */
  readonly at: (slot: number, second?: number) => readonly string[];
  /** Converts a slot number of the state. */
  readonly numberOf: (slot: number) => number;
}

/** Slots of which the first one began `ago` slots ago, so that all slots of a test are in the past. */
export function openSlots(ago: number): Slots {
  return slotsFrom(Math.floor(Date.now() / SLOT_MS) - ago);
}

/**
 * Slots from the beginning of an hour, `ago` hours ago, because charts on pages change when an hour ends. Earlier if it would be the last
 * or the first hour of a day in UTC: the first run after 00:15 seals the archive in a generation of its own.
 */
export function openHours(ago: number): Slots {
  const hour = Math.floor(Date.now() / HOUR_MS) - ago;
  const earlier = { 23: 1, 0: 2 }[hour % 24] ?? 0;
  return slotsFrom((hour - earlier) * (HOUR_MS / SLOT_MS));
}

function slotsFrom(first: number): Slots {
  return {
    at: (slot, second = 0) => [
      "--at",
      new Date((first + slot) * SLOT_MS + second * 1_000).toISOString(),
    ],
    numberOf: (slot) => slot - first,
  };
}
