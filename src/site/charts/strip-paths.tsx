import type { Html } from "../html.ts";
import type { CellKind } from "../words/chart.ts";
import { CELL_HEIGHT, CELL_STEP, CELL_WIDTH, KINDS, pathOfCells } from "./cells.ts";

interface StripPathsProps {
  readonly cells: readonly CellKind[];
}

/** View box of a strip of cells. */
export function boxOfStrip(cells: readonly CellKind[]): string {
  return `0 0 ${cells.length * CELL_STEP - CELL_STEP + CELL_WIDTH} ${CELL_HEIGHT}`;
}

/** The cells of a strip, one path for each kind. */
export function StripPaths({ cells }: StripPathsProps): Html {
  return (
    <>
      {KINDS.map((kind) => ({ kind, places: placesOf(cells, kind) }))
        .filter(({ places }) => places.length > 0)
        .map(({ kind, places }) => (
          <path class={kind} d={pathOfCells(kind, places)} />
        ))}
    </>
  );
}

/** A strip without texts, for a card: what it says is on the page of the service. */
export function StripLine({ cells }: StripPathsProps): Html {
  return (
    <svg
      class="strip-line"
      aria-hidden="true"
      viewBox={boxOfStrip(cells)}
      preserveAspectRatio="none"
    >
      <StripPaths cells={cells} />
    </svg>
  );
}

function placesOf(cells: readonly CellKind[], kind: CellKind): readonly number[] {
  return cells.flatMap((cell, place) => (cell === kind ? [place] : []));
}
