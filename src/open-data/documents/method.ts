/** Date of the method by which documents are computed. It changes when the same checks would give other figures. */
export const METHOD = "2026-11-24";

/** A UTC day, given in days since the Unix epoch, as `2026-11-24`. */
export function toDate(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}
