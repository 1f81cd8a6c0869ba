import * as z from "zod";

/** A public file of the archive, as it was when it was made: it never changes. */
export interface ArchiveFile {
  /** `checks.parquet` */
  readonly name: string;
  readonly bytes: number;
  /** SHA-256 of the file, in hexadecimal digits. */
  readonly sha256: string;
  /** Lines or rows, without a header. */
  readonly rows: number;
}

/** A day or a month that is over, and its files. */
export interface ArchivePart {
  /** A UTC day, `YYYY-MM-DD`, or a month, `YYYY-MM`. */
  readonly date: string;
  /** The version of the method at the time when it was made. */
  readonly method: string;
  readonly files: readonly ArchiveFile[];
}

/** What was archived. The files themselves are sealed in the state store. */
export interface ArchiveState {
  /** Oldest first. A day without a run has no part. */
  readonly days: readonly ArchivePart[];
  readonly months: readonly ArchivePart[];
  /** The last UTC day that is sealed, or had nothing to seal, in days since the Unix epoch; 0: none. */
  readonly sealedDay: number;
}

export const NO_ARCHIVE: ArchiveState = { days: [], months: [], sealedDay: 0 };

/** What the last run of a clock hour published of the reports of the hour before it. */
export interface HourOfReports {
  /** Start of the clock hour in which that run was, Unix seconds. */
  readonly hour: number;
  /** Reports of at least five, by slug. */
  readonly counts: readonly (readonly [slug: string, reports: number])[];
}

/** `flaky`: it answered, but not at once. `wall`: a protection against robots answered in its place. */
export const CHECK_STATES = ["ok", "flaky", "wall", "denied", "failed", "skipped"] as const;

const TEXT = z.string();
const COUNT = z.int().min(0);

/** The result of one endpoint in one run, as a line of the archive. */
export const ARCHIVED_CHECK = z.strictObject({
  /** Of the run, Unix seconds. */
  at: COUNT,
  /** Slug. */
  service: TEXT,
  /** URL. */
  endpoint: TEXT,
  state: z.enum(CHECK_STATES),
  /** `stage` and `code` are those of a failure. */
  stage: TEXT.nullable(),
  code: TEXT.nullable(),
  /** Duration of the deciding probe, whole milliseconds; null if it was skipped. */
  ms: COUNT.nullable(),
  /** That carries the traffic of the address, by name; null: no address is known. */
  network: TEXT.nullable(),
  /** Where the probe was. */
  vantage: TEXT,
});

export type ArchivedCheck = Readonly<z.infer<typeof ARCHIVED_CHECK>>;
