import type { CellKind } from "../words/chart.ts";

/** Width of a cell and the gap behind it, units of a view box. */
export const CELL_WIDTH = 8;
export const STEP = 10;
/** Height of the highest cell. */
export const CELL_HEIGHT = 40;

/** Pieces of a cell, as distances from the base line. */
type Pieces = readonly (readonly [from: number, to: number])[];

/**
 * Each kind has a shape of its own, so that strips read without colour: the worse, the higher; in pieces what is so in part.
 * A healthy day is a low, calm band.
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

/** Every kind, the healthiest first. */
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

/** Outline of the cells at some places of a strip, as the data of one path. */
export function pathOfCells(kind: CellKind, places: readonly number[]): string {
  return places
    .flatMap((place) =>
      PIECES[kind].map(
        ([from, to]) =>
          `M${place * STEP} ${CELL_HEIGHT - to}h${CELL_WIDTH}v${to - from}h-${CELL_WIDTH}z`,
      ),
    )
    .join("");
}
