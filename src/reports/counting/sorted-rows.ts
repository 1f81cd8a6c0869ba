import { firstIndexWhere } from "../../model/lists.ts";

/** A row of a list that is sorted by its first column. */
type Row = readonly [number, ...(readonly unknown[])];

/** The index of the first row whose first column is not below `key`. */
export function placeOf(rows: readonly Row[], key: number): number {
  return firstIndexWhere(rows.length, (place) => (rows[place]?.[0] ?? 0) >= key);
}

/** The row of the key, if there is one. */
export function rowAt<T extends Row>(rows: readonly T[], key: number): T | undefined {
  const row = rows[placeOf(rows, key)];
  return row?.[0] === key ? row : undefined;
}

/** Rows with first columns in [from, to). */
export function rowsBetween<T extends Row>(
  rows: readonly T[],
  from: number,
  to: number,
): readonly T[] {
  return rows.slice(placeOf(rows, from), placeOf(rows, to));
}

/** Without the rows before `from`; the same list when there are none. */
export function dropBefore<T extends Row>(rows: readonly T[], from: number): readonly T[] {
  const place = placeOf(rows, from);
  return place === 0 ? rows : rows.slice(place);
}

/** With each row inserted, or replaced if its key exists. */
export function putRows<T extends Row>(rows: readonly T[], changed: readonly T[]): readonly T[] {
  const result = [...rows];
  for (const row of changed) {
    const place = placeOf(result, row[0]);
    result.splice(place, result[place]?.[0] === row[0] ? 1 : 0, row);
  }
  return result;
}
