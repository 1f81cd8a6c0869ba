import { groupBy } from "./lists.ts";

/** Counted numbers of a series: inclusive ranges, ascending, neither overlapping nor adjacent. */
export type Ranges = readonly (readonly [from: number, to: number])[];

/**
 * Ids of counted inbox objects, by series, with the time when the last one was counted: each writer of the inbox numbers its objects, so
 * that millions of them are one range. A name without a number is a series of its own.
 */
export type FoldedIds = ReadonlyMap<string, { readonly atMs: number; readonly ranges: Ranges }>;

/** Inbox objects that one generation counts, or removes, the oldest first; the next generation continues. */
export const MAX_OBJECTS_AT_ONCE = 2_000;

/** `<milliseconds>-<series>-<number>`, as the intake names them: 13 digits, then a UUID whose last twelve digits are the number. */
const NUMBERED = /^\d{13}-([\da-f]{8}(?:-[\da-f]{4}){3})-([\da-f]{12})$/u;

/** Whether a text is an id as the intake gives them. */
export function isInboxId(text: string): boolean {
  return NUMBERED.test(text);
}

/** The time is ignored: it only orders the list. */
function parseId(id: string): readonly [series: string, number: number] {
  const [, series, number] = NUMBERED.exec(id) ?? [];
  return series === undefined || number === undefined
    ? [id, 0]
    : [series, Number.parseInt(number, 16)];
}

export function isFolded(folded: FoldedIds, id: string): boolean {
  const [series, number] = parseId(id);
  const { ranges = [] } = folded.get(series) ?? {};
  return ranges.some(([from, to]) => from <= number && number <= to);
}

/** Adds ids that were counted at `atMs`. */
export function addFolded(folded: FoldedIds, ids: readonly string[], atMs: number): FoldedIds {
  const result = new Map(folded);
  for (const [series, fresh] of groupBy(ids.map(parseId), ([series]) => series)) {
    // Moves the series to the end: the order is that of the last count.
    result.delete(series);
    const numbers = fresh.map(([, number]) => number);
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

/** Drops series without a count within `keepMs` of now, and beyond `maxRanges` the oldest ranges. */
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
