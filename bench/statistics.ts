export interface Summary {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** There must be at least one value. */
export function summarise(values: readonly number[]): Summary {
  const sorted = values.toSorted((a, b) => a - b);
  const low = sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
  const high = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  return {
    median: (low + high) / 2,
    min: sorted[0] ?? Number.NaN,
    max: sorted.at(-1) ?? Number.NaN,
  };
}

/** The lowest value that the share (0 to 1) of all values does not exceed; NaN if there is none. */
export function percentileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
