import * as z from "zod";
import { count, listOf, type Stored } from "../stored-parts.ts";

const file = z.strictObject({
  /** `checks.parquet` */
  name: z.string(),
  bytes: count,
  /** SHA-256 of the file, in hexadecimal digits. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/u),
  /** Lines or rows, without a header. */
  rows: count,
});

/** A public file of the archive, as it was when it was made: it never changes. */
export type ArchiveFile = Stored<typeof file>;

const part = z.strictObject({
  /** A UTC day, `YYYY-MM-DD`, or a month, `YYYY-MM`. */
  date: z.string().regex(/^\d{4}-\d\d(?:-\d\d)?$/u),
  /** The version of the method at the time when it was made. */
  method: z.string(),
  files: listOf(file),
});

/** A day or a month that is over, and its files. */
export type ArchivePart = Stored<typeof part>;

export const STORED_PARTS = listOf(part);

const month = part.extend({
  /** Its days, `DD`, once their parts are in an object of their own. Absent: they are in `days`. */
  closedDays: listOf(z.string().regex(/^\d\d$/)).optional(),
});

/** A month that is over. */
export type ArchiveMonth = Stored<typeof month>;

export const STORED_ARCHIVE = z.strictObject({
  /** Oldest first, without those of closed months. A day without a run has no part. */
  days: STORED_PARTS,
  months: listOf(month),
  /** The last UTC day that is sealed, or had nothing to seal, in days since the Unix epoch; 0: none. */
  sealedDay: count,
});

/** What was archived. The files themselves are sealed in the state store. */
export type ArchiveState = Stored<typeof STORED_ARCHIVE>;

export const NO_ARCHIVE: ArchiveState = { days: [], months: [], sealedDay: 0 };

export const HOUR_OF_REPORTS = z.strictObject({
  /** Start of the clock hour in which that run was, Unix seconds. */
  hour: count,
  /** Reports of at least five, by slug. */
  counts: listOf(z.tuple([z.string(), count]).readonly()),
});

/** What the last run of a clock hour published of the reports of the hour before it. */
export type HourOfReports = Stored<typeof HOUR_OF_REPORTS>;

/** `flaky`: it answered, but not at once. `wall`: a protection against robots answered in its place. */
export const CHECK_STATES = ["ok", "flaky", "wall", "denied", "failed", "skipped"] as const;

/** The result of one endpoint in one run, as a line of the archive; src/open-data/archive/archive-documents.ts describes the fields. */
export const ARCHIVED_CHECK = z.strictObject({
  at: count,
  service: z.string(),
  endpoint: z.string(),
  state: z.enum(CHECK_STATES),
  stage: z.string().nullable(),
  code: z.string().nullable(),
  /** Null: it was skipped. */
  ms: count.nullable(),
  /** Null: no address is known. */
  network: z.string().nullable(),
  vantage: z.string(),
});

export type ArchivedCheck = Stored<typeof ARCHIVED_CHECK>;

/** The key of what the archive has: a list by its name, a file of a day or a month by date and name. */
export function archiveKey(...path: readonly string[]): string {
  return `archive/v1/${path.join("/")}`;
}
