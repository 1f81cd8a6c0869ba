import { hash } from "node:crypto";

/** A part of the monitors with a publisher and a state of its own. */
export interface Cell {
  /** From 0. */
  readonly number: number;
  /** Number of cells, at most `SLOT_COUNT`. */
  readonly of: number;
}

const SLOT_DIGITS = 3;

/** As many slots as the digits can tell apart. Never changes: with another number monitors would move to other cells and files. */
export const SLOT_COUNT = 16 ** SLOT_DIGITS;

/** The slot of a monitor, 0 to 4,095: the first 12 bits of the SHA-256 of its id. Source: docs/scaling.md, "Cells". */
export function slotOf(id: string): number {
  // Of a million ids, `createHash` would leave a million objects for the collector, and take five times as long.
  return Number.parseInt(hash("sha256", id).slice(0, SLOT_DIGITS), 16);
}

/** Whether the monitors of a slot are those of a cell. */
export function hasSlot(cell: Cell, slot: number): boolean {
  return slot % cell.of === cell.number;
}
