/** Numbers of a series that were counted: ranges that ascend, neither overlap nor touch, and hold both of their ends. */
export type Ranges = readonly (readonly [from: number, to: number])[];

/** What was counted of one series of names. */
export interface FoldedSeries {
  /** When one of them was counted last, milliseconds since the epoch. */
  readonly atMs: number;
  readonly ranges: Ranges;
}

/**
 * Ids of inbox objects that were counted, by series: whoever writes the inbox numbers its objects, so that millions of them are a
 * range. A name that has no number is a series of its own.
 */
export type FoldedIds = ReadonlyMap<string, FoldedSeries>;

/** `<milliseconds>-<series>-<number>`, as an intake makes them: 13 digits, a UUID whose last twelve digits are the number. */
const NUMBERED = /^\d{13}-([\da-f]{8}(?:-[\da-f]{4}){3})-([\da-f]{12})$/u;

/** Where an id stands. The time is not looked at: it is for the order of the list only. */
function placeOfId(id: string): readonly [series: string, number: number] {
  const [, series, number] = NUMBERED.exec(id) ?? [];
  return series === undefined || number === undefined
    ? [id, 0]
    : [series, Number.parseInt(number, 16)];
}

/** Whether the object of this id was counted. */
export function isFolded(folded: FoldedIds, id: string): boolean {
  const [series, number] = placeOfId(id);
  const { ranges = [] } = folded.get(series) ?? {};
  return ranges.some(([from, to]) => from <= number && number <= to);
}

/** With ids put in that were counted at `atMs`. */
export function addFolded(folded: FoldedIds, ids: readonly string[], atMs: number): FoldedIds {
  const fresh = new Map<string, number[]>();
  for (const [series, number] of ids.map(placeOfId)) {
    const numbers = fresh.get(series) ?? [];
    numbers.push(number);
    fresh.set(series, numbers);
  }
  const result = new Map(folded);
  for (const [series, numbers] of fresh) {
    // To the end: the order is that of the last count.
    result.delete(series);
    const ranges = addNumbers(folded.get(series)?.ranges ?? [], numbers);
    result.set(series, { atMs, ranges });
  }
  return result;
}

function addNumbers(ranges: Ranges, numbers: readonly number[]): Ranges {
  const all = [...ranges, ...numbers.map((number) => [number, number] as const)];
  const merged: [number, number][] = [];
  for (const [from, to] of all.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

/** Without series of which nothing was counted within `keepMs` of now, and of no more than so many ranges, the oldest left out. */
export function forgetFolded(
  folded: FoldedIds,
  nowMs: number,
  { keepMs, maxRanges }: { readonly keepMs: number; readonly maxRanges: number },
): FoldedIds {
  let left = maxRanges;
  const kept = [...folded]
    .filter(([, { atMs }]) => Math.abs(nowMs - atMs) < keepMs)
    .toSorted(([, a], [, b]) => b.atMs - a.atMs)
    .flatMap(([series, { atMs, ranges }]) => {
      const newest = ranges.slice(Math.max(0, ranges.length - left));
      left -= newest.length;
      return newest.length === 0 ? [] : [[series, { atMs, ranges: newest }] as const];
    });
  return new Map(kept.toReversed());
}
