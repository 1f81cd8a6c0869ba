import { hash } from "node:crypto";
import type { Parsed } from "./parse-options.ts";

/** A part of the monitors with a publisher and a state of its own. */
export interface Cell {
  /** From 0. */
  readonly number: number;
  /** Number of cells. */
  readonly of: number;
}

/** As many as 12 bits can tell apart. */
const MAX_CELLS = 4_096;

/** `n/K`: cell n, from 0, of K. */
export function parseCell(text: string): Parsed<Cell> {
  const [, number, of] = /^(\d{1,4})\/(\d{1,4})$/u.exec(text) ?? [];
  const cell = { number: Number(number), of: Number(of) };
  if (cell.of >= 1 && cell.of <= MAX_CELLS && cell.number < cell.of) return { value: cell };
  return {
    problem: `--cell ${text}: give the number of the cell, from 0, and how many there are, such as 0/10; at most ${MAX_CELLS}.`,
  };
}

/** The cell of a monitor: the first 12 bits of the SHA-256 of its id, modulo the number of cells. Source: docs/scaling.md, "Cells". */
export function cellOf(id: string, of: number): number {
  // Of a million ids, `createHash` would leave a million objects for the collector, and take five times as long.
  const digits = hash("sha256", id).slice(0, 3);
  return Number.parseInt(digits, 16) % of;
}

/** Tells the ids of a cell; undefined if there is only one. */
export function createCellTest(cell: Cell | undefined): ((id: string) => boolean) | undefined {
  if (cell === undefined || cell.of === 1) return undefined;
  return (id) => cellOf(id, cell.of) === cell.number;
}
