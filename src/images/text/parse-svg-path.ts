import { type Contour, type Outline, writeNumbers } from "./glyph-path.ts";

/** Largest distance, in units, of a control point from its true position at which the shorter smooth form is used. */
const TOLERANCE = 2;

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Command {
  readonly letter: string;
  readonly points: readonly Point[];
}

/** Parses `d` as satori writes it (absolute M, L, Q and Z), in whole numbers. Throws on anything else: satori has changed. */
export function readPath(data: string): Outline {
  const commands = data.match(/[A-Za-z][^A-Za-z]*/gu) ?? [];
  const outline: Contour[] = [];
  let contour: Command[] = [];
  for (const command of commands.map(readCommand)) {
    if (command.letter === "Z") {
      outline.push(writeContour(contour));
      contour = [];
    } else contour.push(command);
  }
  if (contour.length > 0) throw new TypeError(`A contour is not closed: ${data.slice(-40)}`);
  return outline;
}

const POINTS: Readonly<Record<string, number>> = { M: 1, L: 1, Q: 2, Z: 0 };

function readCommand(text: string): Command {
  const letter = text.slice(0, 1);
  const numbers = (text.slice(1).match(/-?[\d.]+/gu) ?? []).map((part) => Math.round(Number(part)));
  const points: Point[] = [];
  for (let index = 0; index + 1 < numbers.length; index += 2) {
    points.push({ x: numbers[index] ?? 0, y: numbers[index + 1] ?? 0 });
  }
  if (POINTS[letter] !== points.length || numbers.length !== 2 * points.length) {
    throw new TypeError(`Not a path command that is known here: ${text}`);
  }
  return { letter, points };
}

function writeContour(commands: readonly Command[]): Contour {
  const [move, ...rest] = commands;
  const start = move?.points[0];
  if (move?.letter !== "M" || start === undefined) throw new TypeError("A contour has no start.");
  const pen = createPen(start);
  for (const [index, { points }] of rest.entries()) {
    const [first = start, second] = points;
    const isClosing = index === rest.length - 1 && first.x === start.x && first.y === start.y;
    if (second !== undefined) pen.curve(first, second);
    else if (!isClosing) pen.line(first);
  }
  const points = commands.flatMap((command) => command.points);
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  return {
    ...start,
    steps: pen.written(),
    left: Math.min(...xs),
    right: Math.max(...xs),
    top: Math.min(...ys),
    bottom: Math.max(...ys),
  };
}

/** Writes relative commands, each in its shortest form. */
function createPen(start: Point) {
  let at = start;
  let control: Point | undefined;
  let text = "";
  let lastLetter = "";
  const write = (letter: string, numbers: readonly number[]): void => {
    const written = writeNumbers(numbers);
    // A repeated command letter may be omitted.
    const isSame = letter === lastLetter;
    text += isSame ? `${written.startsWith("-") ? "" : " "}${written}` : `${letter}${written}`;
    lastLetter = letter;
  };
  return {
    line(to: Point): void {
      const [dx, dy] = [to.x - at.x, to.y - at.y];
      if (dx === 0 && dy === 0) return;
      if (dy === 0) write("h", [dx]);
      else if (dx === 0) write("v", [dy]);
      else write("l", [dx, dy]);
      at = to;
      control = undefined;
    },
    /** @param wanted the control point. */
    curve(wanted: Point, to: Point): void {
      const smooth = control && { x: 2 * at.x - control.x, y: 2 * at.y - control.y };
      const end = [to.x - at.x, to.y - at.y];
      if (smooth !== undefined && isNear(smooth, wanted)) write("t", end);
      else write("q", [wanted.x - at.x, wanted.y - at.y, ...end]);
      // The control point as a renderer will compute it, so that errors do not add up.
      control = smooth !== undefined && isNear(smooth, wanted) ? smooth : wanted;
      at = to;
    },
    written: (): string => text,
  };
}

function isNear(a: Point, b: Point): boolean {
  return Math.abs(a.x - b.x) <= TOLERANCE && Math.abs(a.y - b.y) <= TOLERANCE;
}
