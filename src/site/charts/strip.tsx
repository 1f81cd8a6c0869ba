import {
  AXIS_WORDS,
  type CellCounts,
  CELL_WORDS,
  type CellKind,
  type CellUnit,
  describeCells,
  READER_HINT,
  READER_WORDS,
} from "../words/chart.ts";
import { createNewestMap } from "../../model/bounded-map.ts";
import type { Html } from "../html.ts";
import type { Language } from "../../contract/codes/language.ts";
import { Marks } from "./plot.tsx";

/** Width of a cell, and of a cell with its gap, in units of the view box. */
const CELL_WIDTH = 8;
const CELL_STEP = 10;
/** Height of the tallest cell. */
const CELL_HEIGHT = 40;

/**
 * Each kind has its own shape, so that strips are readable without colour: the worse, the taller; several pieces for a partial
 * failure. The pieces are distances from the base line, the kinds healthiest first.
 */
const PIECES: Readonly<Record<CellKind, readonly (readonly [from: number, to: number])[]>> = {
  up: [[0, 12]],
  whole: [[0, 12]],
  slow: [[0, 22]],
  minor: [
    [0, 12],
    [16, 28],
  ],
  partial: [
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

/** Every kind, healthiest first: the keys of the literal above. */
export const KINDS = Object.keys(PIECES) as CellKind[];

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

interface StripPathsProps {
  readonly cells: readonly CellKind[];
}

/** View box of a strip of cells. */
function boxOfStrip(cells: readonly CellKind[]): string {
  return `0 0 ${cells.length * CELL_STEP - CELL_STEP + CELL_WIDTH} ${CELL_HEIGHT}`;
}

/** The cells of a strip, one path for each kind. */
function StripPaths({ cells }: StripPathsProps): Html {
  return (
    <>
      {drawCells(cells).map(([kind, path]) => (
        <path class={kind} d={path} />
      ))}
    </>
  );
}

type DrawnCells = readonly (readonly [kind: CellKind, path: string])[];

/** More than there are different strips: nearly all parts of services have worked for the whole day. */
const DRAWN = createNewestMap<string, DrawnCells>(500);

function drawCells(cells: readonly CellKind[]): DrawnCells {
  const key = cells.join(" ");
  const known = DRAWN.get(key);
  if (known !== undefined) return known;
  const drawn = KINDS.flatMap((kind) => {
    const places = placesOf(cells, kind);
    return places.length === 0 ? [] : [[kind, pathOfCells(kind, places)] as const];
  });
  DRAWN.set(key, drawn);
  return drawn;
}

/** A strip without a key. Without a text, for a card, what it says is on the page of the service. */
export function StripLine({ cells, text }: StripPathsProps & { readonly text?: string }): Html {
  return (
    <svg
      class="strip-line"
      {...(text === undefined ? { "aria-hidden": "true" } : { role: "img" })}
      viewBox={boxOfStrip(cells)}
      preserveAspectRatio="none"
    >
      {text !== undefined && <title>{text}</title>}
      <StripPaths cells={cells} />
    </svg>
  );
}

/** What the cells of a strip are, in words. */
export function describeStrip(
  cells: readonly CellKind[],
  unit: CellUnit,
  language: Language,
): string {
  return describeCells(countCells(cells), unit, language);
}

function countCells(cells: readonly CellKind[]): CellCounts {
  return KINDS.map((kind) => [kind, cells.filter((cell) => cell === kind).length] as const).filter(
    ([, count]) => count > 0,
  );
}

function placesOf(cells: readonly CellKind[], kind: CellKind): readonly number[] {
  return cells.flatMap((cell, place) => (cell === kind ? [place] : []));
}

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
  const counts = countCells(cells);
  return (
    <div class="chart" data-cells={cells.join(" ")} data-step={String(STEP_S[unit])}>
      <div class="strip-box">
        <svg class="strip" role="img" viewBox={boxOfStrip(cells)} preserveAspectRatio="none">
          <title>{describeStrip(cells, unit, language)}</title>
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
      <Marks class="axis" marks={AXIS_WORDS[language][unit === "day" ? "days" : "day"]} />
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
