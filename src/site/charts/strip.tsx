import type { Html } from "../html.ts";
import type { Language } from "../words/language.ts";
import {
  AXIS_WORDS,
  CELL_WORDS,
  type CellKind,
  type CellUnit,
  describeCells,
} from "../words/chart.ts";
import { Axis } from "./axis.tsx";
import { CELL_HEIGHT, CELL_WIDTH, KINDS, pathOfCells, CELL_STEP } from "./cells.ts";

interface StripProps {
  /** The last one is the present. */
  readonly cells: readonly CellKind[];
  readonly unit: CellUnit;
  readonly language: Language;
}

/** A strip of check results, one cell per period, with a key that counts them. */
export function Strip({ cells, unit, language }: StripProps): Html {
  const groups = KINDS.map((kind) => ({ kind, places: placesOf(cells, kind) })).filter(
    ({ places }) => places.length > 0,
  );
  const counts = groups.map(({ kind, places }) => [kind, places.length] as const);
  return (
    <div class="chart">
      <svg
        class="strip"
        role="img"
        viewBox={`0 0 ${cells.length * CELL_STEP - CELL_STEP + CELL_WIDTH} ${CELL_HEIGHT}`}
        preserveAspectRatio="none"
      >
        <title>{describeCells(counts, unit, language)}</title>
        {groups.map(({ kind, places }) => (
          <path class={kind} d={pathOfCells(kind, places)} />
        ))}
      </svg>
      <Axis marks={AXIS_WORDS[language][unit === "day" ? "days" : "day"]} />
      <ul class="key" aria-hidden="true">
        {counts.map(([kind, count]) => (
          <li>
            <svg viewBox={`0 0 ${CELL_WIDTH} ${CELL_HEIGHT}`}>
              <path class={kind} d={pathOfCells(kind, [0])} />
            </svg>
            {CELL_WORDS[language][kind]}: {count}
          </li>
        ))}
      </ul>
    </div>
  );
}

function placesOf(cells: readonly CellKind[], kind: CellKind): readonly number[] {
  return cells.flatMap((cell, place) => (cell === kind ? [place] : []));
}
