/** Units of all outlines in one pixel: exact to 0.02 px. Hundredths would make the file a quarter longer. */
export const UNITS_PER_PIXEL = 25;

/** Lengths are units, see above. */
export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** One closed line of a glyph. */
export interface Contour extends Box {
  readonly x: number;
  readonly y: number;
  /** The rest of it as SVG path commands relative to the start, so that it can be moved without a new text. */
  readonly steps: string;
}

export type Outline = readonly Contour[];

/** The smallest box around an outline; undefined if it is empty. */
export function boxOf(outline: Outline): Box | undefined {
  if (outline.length === 0) return undefined;
  return {
    left: Math.min(...outline.map(({ left }) => left)),
    right: Math.max(...outline.map(({ right }) => right)),
    top: Math.min(...outline.map(({ top }) => top)),
    bottom: Math.max(...outline.map(({ bottom }) => bottom)),
  };
}

/** The outline moved. The shifts must be whole numbers. */
export function moveOutline(outline: Outline, dx: number, dy: number): Outline {
  return outline.map((contour) => ({
    x: contour.x + dx,
    y: contour.y + dy,
    steps: contour.steps,
    left: contour.left + dx,
    right: contour.right + dx,
    top: contour.top + dy,
    bottom: contour.bottom + dy,
  }));
}

/** The outline as the shortest value of an SVG path's `d`. */
export function toPathData(outline: Outline): string {
  let [fromX, fromY] = [0, 0];
  return outline
    .map(({ x, y, steps }) => {
      // After `z` the pen is at the start of the contour.
      const start = `m${writeNumbers([x - fromX, y - fromY])}`;
      [fromX, fromY] = [x, y];
      return `${start}${steps}z`;
    })
    .join("");
}

/** Whole numbers, with a space only where no minus separates them. */
export function writeNumbers(numbers: readonly number[]): string {
  return numbers
    .map((number, index) => (index > 0 && number >= 0 ? ` ${number}` : `${number}`))
    .join("");
}
