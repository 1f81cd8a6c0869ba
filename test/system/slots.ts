/** Length of a slot in which one run is counted. Source: docs/uptime.md. */
const SLOT_MS = 300_000;

/** The slots of a test, numbered from its first one. */
export interface Slots {
  /** Options of a command that is to speak as of so many seconds after the beginning of a slot. */
  readonly at: (slot: number, second?: number) => readonly string[];
  /** The number here of a slot as the state numbers it. */
  readonly numberOf: (slot: number) => number;
}

/** Slots of which the first one began so many ago: if a test has no more than that, all of its slots are over. */
export function openSlots(ago: number): Slots {
  const first = Math.floor(Date.now() / SLOT_MS) - ago;
  return {
    at: (slot, second = 0) => [
      "--at",
      new Date((first + slot) * SLOT_MS + second * 1_000).toISOString(),
    ],
    numberOf: (slot) => slot - first,
  };
}
