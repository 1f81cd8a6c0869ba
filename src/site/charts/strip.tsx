import {
  AXIS_WORDS,
  CELL_WORDS,
  type CellKind,
  type CellUnit,
  describeCells,
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

/** Distances from the base line. */
type Pieces = readonly (readonly [from: number, to: number])[];

const WORKING: Pieces = [[0, 12]];
const IN_TWO: Pieces = [...WORKING, [16, 28]];
const WHOLE: Pieces = [[0, CELL_HEIGHT]];

/**
 * Each kind has its own shape, so that strips are readable without colour: the worse, the taller; several pieces for a partial
 * failure. The kinds are healthiest first.
 */
const PIECES: Readonly<Record<CellKind, Pieces>> = {
  up: WORKING,
  whole: WORKING,
  slow: [[0, 22]],
  minor: IN_TWO,
  partial: IN_TWO,
  "provider-denied": [0, 11, 22].map((from) => [from, from + 7]),
  "server-error": [
    [0, 8],
    [12, CELL_HEIGHT],
  ],
  failing: WHOLE,
  major: WHOLE,
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

function boxOfStrip(cells: readonly CellKind[]): string {
  return `0 0 ${cells.length * CELL_STEP - CELL_STEP + CELL_WIDTH} ${CELL_HEIGHT}`;
}

interface CellsOfKind {
  readonly kind: CellKind;
  readonly count: number;
  readonly path: string;
}

/** More than there are different strips: nearly all parts of services have worked for the whole day. */
const DRAWN = createNewestMap<string, readonly CellsOfKind[]>(500);

/** The kinds of cells that a strip has, healthiest first: how many of each, and a path that draws them. */
export function kindsIn(cells: readonly CellKind[]): readonly CellsOfKind[] {
  const key = cells.join(" ");
  const known = DRAWN.get(key);
  if (known !== undefined) return known;
  const drawn = KINDS.map((kind) => {
    const places = cells.flatMap((cell, place) => (cell === kind ? [place] : []));
    return { kind, count: places.length, path: pathOfCells(kind, places) };
  }).filter(({ count }) => count > 0);
  DRAWN.set(key, drawn);
  return drawn;
}

/** The cells of a strip, one path for each kind. */
function StripPaths({ cells }: { readonly cells: readonly CellKind[] }): Html {
  return (
    <>
      {kindsIn(cells).map(({ kind, path }) => (
        <path class={kind} d={path} />
      ))}
    </>
  );
}

/** A strip without a key. Without a text, for a card, what it says is on the page of the service. */
export function StripLine({
  cells,
  text,
}: Pick<StripProps, "cells"> & { readonly text?: string }): Html {
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
  const kinds = kindsIn(cells);
  return (
    <div class="chart" data-cells={cells.join(" ")} data-step={String(STEP_S[unit])}>
      <div class="strip-box">
        <svg class="strip" role="img" viewBox={boxOfStrip(cells)} preserveAspectRatio="none">
          <title>{describeCells(kinds, unit, language)}</title>
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
      <p class="cell">{READER_WORDS[language].hint}</p>
      <ul class="key" aria-hidden="true">
        {kinds.map(({ kind, count }) => (
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
