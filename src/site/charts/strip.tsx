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
import { CELL_HEIGHT, CELL_WIDTH, KINDS, pathOfCells } from "./cells.ts";
import { boxOfStrip, StripPaths } from "./strip-paths.tsx";

interface StripProps {
  /** The last one is the present. */
  readonly cells: readonly CellKind[];
  readonly unit: CellUnit;
  readonly language: Language;
}

/** A strip of check results, one cell per period, with a key that counts them. */
export function Strip({ cells, unit, language }: StripProps): Html {
  const counts = KINDS.map(
    (kind) => [kind, cells.filter((cell) => cell === kind).length] as const,
  ).filter(([, count]) => count > 0);
  return (
    <div class="chart">
      <svg class="strip" role="img" viewBox={boxOfStrip(cells)} preserveAspectRatio="none">
        <title>{describeCells(counts, unit, language)}</title>
        <StripPaths cells={cells} />
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
