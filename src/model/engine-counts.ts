/** What became of the batches of monitors that a publisher gave to an engine. Source: docs/scaling.md, "What to watch". */
export interface EngineCounts {
  /** Put into the stream, for all vantages together. */
  readonly batches: number;
  readonly answered: number;
  /** Of the answered, those that were handed out more than once. */
  readonly redelivered: number;
  /** Times that a worker gave one back. */
  readonly returned: number;
  /** Answers that were late, repeated, of other work, or broken. */
  readonly dropped: number;
  /** Longest time that an answered batch was on its way or waited for a worker, milliseconds. */
  readonly lagMs: number;
  /** From the first batch to the last answer, milliseconds. */
  readonly durationMs: number;
}
