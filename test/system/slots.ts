import { HOUR_MS } from "../../src/model/time.ts";
import { SLOT_MS } from "../../src/model/uptime.ts";

/** The slots of a test, numbered from its first one. */
export interface Slots {
  /** Options of a command that is to speak as of so many seconds after the beginning of a slot. */
  readonly at: (slot: number, second?: number) => readonly string[];
  /** The number here of a slot as the state numbers it. */
  readonly numberOf: (slot: number) => number;
}

/** Slots of which the first one began so many ago: if a test has no more than that, all of its slots are over. */
export function openSlots(ago: number): Slots {
  return slotsFrom(Math.floor(Date.now() / SLOT_MS) - ago);
}

/** Slots that begin with an hour of the clock, so many hours ago: charts of pages move when an hour ends. */
export function openHours(ago: number): Slots {
  return slotsFrom((Math.floor(Date.now() / HOUR_MS) - ago) * (HOUR_MS / SLOT_MS));
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
