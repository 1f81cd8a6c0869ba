type Point = readonly [x: number, y: number];

/**
 * All points of a path, including control points, absolute, as a renderer reads it: commands M, L, H, V, Q, T and Z in both cases.
 * Zero-length steps and lines back to the start of their contour are left out.
 */
export function followPath(data: string): readonly Point[] {
  const points: Point[] = [];
  let [at, start, control]: [Point, Point, Point | undefined] = [[0, 0], [0, 0], undefined];
  const reach = (point: Point): void => {
    if (point[0] !== at[0] || point[1] !== at[1]) points.push(point);
    at = point;
  };
  for (const [letter, numbers] of splitCommands(data)) {
    const isRelative = letter === letter.toLowerCase();
    const point = (index: number): Point => [
      (numbers[index] ?? Number.NaN) + (isRelative ? at[0] : 0),
      (numbers[index + 1] ?? Number.NaN) + (isRelative ? at[1] : 0),
    ];
    const kind = letter.toUpperCase();
    if (kind === "Z") {
      const last = points.at(-1);
      // A line that only closes the contour is optional.
      if (last !== undefined && last[0] === start[0] && last[1] === start[1]) points.pop();
      at = start;
      control = undefined;
    } else if (kind === "Q" || kind === "T") {
      const smooth: Point = control ? [2 * at[0] - control[0], 2 * at[1] - control[1]] : at;
      const middle = kind === "Q" ? point(0) : smooth;
      const end = point(kind === "Q" ? 2 : 0);
      points.push(middle, end);
      [control, at] = [middle, end];
    } else {
      const base: Point = isRelative ? at : [0, 0];
      if (kind === "H") reach([(numbers[0] ?? Number.NaN) + base[0], at[1]]);
      else if (kind === "V") reach([at[0], (numbers[0] ?? Number.NaN) + base[1]]);
      else if (kind === "L") reach(point(0));
      else if (kind === "M") {
        start = point(0);
        at = start;
        points.push([Number.MAX_SAFE_INTEGER, 0], start);
      } else throw new TypeError(`Unknown command ${letter}`);
      control = undefined;
    }
  }
  return points;
}

const ARITY: Readonly<Record<string, number>> = { M: 2, L: 2, H: 1, V: 1, Q: 4, T: 2 };

/** Commands with one letter each, including omitted ones. */
function splitCommands(data: string): readonly (readonly [string, readonly number[]])[] {
  return (data.match(/[A-Za-z][^A-Za-z]*/gu) ?? []).flatMap((command) => {
    const letter = command.slice(0, 1);
    const numbers = (command.slice(1).match(/-?[\d.]+/gu) ?? []).map(Number);
    const arity = ARITY[letter.toUpperCase()];
    if (arity === undefined) return [[letter, numbers] as const];
    const groups = Math.max(1, numbers.length / arity);
    return Array.from(
      { length: groups },
      (_, index) => [letter, numbers.slice(index * arity, (index + 1) * arity)] as const,
    );
  });
}
