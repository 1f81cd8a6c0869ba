import type { Html } from "../html.ts";
import type { Language } from "../words/language.ts";
import {
  AXIS_WORDS,
  CELL_WORDS,
  type CellKind,
  type CellUnit,
  describeCells,
  READER_HINT,
  READER_WORDS,
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

/** Length of a cell, seconds. */
const STEP_S: Readonly<Record<CellUnit, number>> = { "half-hour": 1_800, day: 86_400 };

/**
 * A strip of check results, one cell per period, with a key that counts them. The script makes each cell readable: its time follows
 * from its place, because the last one is the present, and its cause from the list of outages.
 */
export function Strip({ cells, unit, language }: StripProps): Html {
  const counts = KINDS.map(
    (kind) => [kind, cells.filter((cell) => cell === kind).length] as const,
  ).filter(([, count]) => count > 0);
  return (
    <div class="chart" data-cells={cells.join(" ")} data-step={String(STEP_S[unit])}>
      <div class="strip-box">
        <svg class="strip" role="img" viewBox={boxOfStrip(cells)} preserveAspectRatio="none">
          <title>{describeCells(counts, unit, language)}</title>
          <StripPaths cells={cells} />
        </svg>
        <input
          type="range"
          class={`reader ${unit}`}
          id={`reader-${unit}`}
          aria-label={READER_WORDS[language][unit]}
          min="0"
          max={String(cells.length - 1)}
          value={String(cells.length - 1)}
          autocomplete="off"
          hidden
        />
      </div>
      <Axis marks={AXIS_WORDS[language][unit === "day" ? "days" : "day"]} />
      <p class="cell">{READER_HINT[language]}</p>
      <ul class="key" aria-hidden="true">
        {counts.map(([kind, count]) => (
          <li>
            <svg viewBox={`0 0 ${CELL_WIDTH} ${CELL_HEIGHT}`}>
              <path class={kind} d={pathOfCells(kind, [0])} />
            </svg>
            <span>
              <span data-kind={kind}>{CELL_WORDS[language][kind]}</span>: {count}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
