import type { CellKind } from "../words/chart.ts";

/** Width of a cell, and of a cell with its gap, in units of the view box. */
export const CELL_WIDTH = 8;
export const CELL_STEP = 10;
/** Height of the tallest cell. */
export const CELL_HEIGHT = 40;

/** Pieces of a cell, as distances from the base line. */
type Pieces = readonly (readonly [from: number, to: number])[];

/**
 * Each kind has its own shape, so that strips are readable without colour: the worse, the taller; several pieces for a partial
 * failure.
 */
const PIECES: Readonly<Record<CellKind, Pieces>> = {
  up: [[0, 12]],
  whole: [[0, 12]],
  slow: [[0, 22]],
  partial: [
    [0, 12],
    [16, 28],
  ],
  minor: [
    [0, 12],
    [16, 28],
  ],
  "provider-denied": [
    [0, 7],
    [11, 18],
    [22, 29],
  ],
  "server-error": [
    [0, 8],
    [12, CELL_HEIGHT],
  ],
  failing: [[0, CELL_HEIGHT]],
  major: [[0, CELL_HEIGHT]],
  nothing: [[0, 3]],
};

/** Every kind, healthiest first. */
export const KINDS: readonly CellKind[] = [
  "up",
  "whole",
  "slow",
  "minor",
  "partial",
  "provider-denied",
  "server-error",
  "failing",
  "major",
  "nothing",
];

/** Outline of the cells of one kind at these places of a strip, as the data of one path. */
export function pathOfCells(kind: CellKind, places: readonly number[]): string {
  return places
    .flatMap((place) =>
      PIECES[kind].map(
        ([from, to]) =>
          `M${place * CELL_STEP} ${CELL_HEIGHT - to}h${CELL_WIDTH}v${to - from}h-${CELL_WIDTH}z`,
      ),
    )
    .join("");
}
