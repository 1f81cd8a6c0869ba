/*
 * Subjects and streams of the engine. Source: docs/scaling.md, "Protocol". A permission of the server is given for a subject, so the
 * vantage stands first: a worker of one can neither read nor forge what is another's.
 */

export const WORK_STREAM = "status-snapshot-work";
export const RESULT_STREAM = "status-snapshot-results";

/** One batch of monitors in one slot. */
export interface BatchName {
  readonly vantage: string;
  /** `0-1` is the first cell of one. */
  readonly cell: string;
  /** Whole five minutes since the epoch. */
  readonly slot: number;
  readonly number: number;
}

/** The consumer that the workers of a vantage share. */
export function consumerOf(vantage: string): string {
  return `worker-${vantage}`;
}

/** `main.0-1.5900000.12`: unique for a batch, so that the server drops what is sent twice. */
export function batchIdOf({ vantage, cell, slot, number }: BatchName): string {
  return `${vantage}.${cell}.${slot}.${number}`;
}

export function workSubjectOf(name: BatchName): string {
  return `work.${batchIdOf(name)}`;
}

export function resultSubjectOf(name: BatchName): string {
  return `results.${batchIdOf(name)}`;
}

/** All results of a cell in a slot, of every vantage. */
export function resultsSubject(cell: string, slot: number): string {
  return `results.*.${cell}.${slot}.*`;
}

/** Said when a publisher stops waiting: workers send what they have. */
export function endSubjectOf(cell: string, slot: number): string {
  return `slot-end.${cell}.${slot}`;
}

export const SLOT_ENDS = "slot-end.*.*";

const NAME = /^(?:work|results)\.([a-z0-9-]{1,32})\.(\d{1,4}-\d{1,4})\.(\d{1,10})\.(\d{1,6})$/u;

/** The batch that a subject of work or results names; undefined if it names none. */
export function batchIn(subject: string): BatchName | undefined {
  const [, vantage, cell, slot, number] = NAME.exec(subject) ?? [];
  return vantage === undefined || cell === undefined
    ? undefined
    : { vantage, cell, slot: Number(slot), number: Number(number) };
}

/** Whether a text can name a vantage in a subject. */
export function isVantageName(text: string): boolean {
  return /^[a-z0-9-]{1,32}$/u.test(text);
}
