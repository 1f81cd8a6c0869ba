import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod";
import { ARCHIVED_CHECK, type ArchivedCheck } from "../../model/service/archive.ts";

/** Fewer reports of an hour are not published: they could be those of one person. Source: docs/open-data.md, "Archive". */
export const FEWEST_REPORTS = 5;

/** Far more than a day of the largest catalogue. */
const MAX_BYTES = 256 * 1024 * 1024;

const HEADER = z.strictObject({
  format: z.literal("status-snapshot/spool"),
  version: z.literal(1),
  /** Time of the run, Unix seconds. */
  at: z.int().min(0),
  /** By slug: the reports of the last hour, where there were at least five. */
  reports: z.array(z.tuple([z.string(), z.int().min(0)]).readonly()).readonly(),
});

const CHECKS = z.array(ARCHIVED_CHECK);

/** What one run keeps for the archive until its day is over. */
export type SpooledRun = Pick<z.output<typeof HEADER>, "at" | "reports"> & {
  readonly checks: readonly ArchivedCheck[];
};

/** The run as bytes: gzip over a line about the run and a line for each check. */
export function encodeSpool({ at, checks, reports }: SpooledRun): Uint8Array {
  const header = { format: "status-snapshot/spool", version: 1, at, reports };
  return packLines([header, ...checks]);
}

/** The run in the bytes; undefined if they are damaged. Never throws. */
export function decodeSpool(bytes: Uint8Array): SpooledRun | undefined {
  const [first, ...others] = unpackLines(bytes) ?? [];
  const header = HEADER.safeParse(first);
  const checks = CHECKS.safeParse(others);
  if (!header.success || !checks.success) return undefined;
  const { at, reports } = header.data;
  return { at, reports, checks: checks.data };
}

/** The checks in a file of a day; undefined if it is damaged. Never throws. */
export function decodeChecks(bytes: Uint8Array): readonly ArchivedCheck[] | undefined {
  return CHECKS.safeParse(unpackLines(bytes)).data;
}

/** JSON lines under gzip. The same lines are the same bytes, on every machine: the header of gzip has neither time nor system. */
export function packLines(lines: readonly object[]): Uint8Array {
  const packed = gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join(""), { level: 9 });
  packed[OS_OF_GZIP] = UNKNOWN_OS;
  return packed;
}

/** RFC 1952, section 2.3: the byte that names the system on which a file was packed. */
const OS_OF_GZIP = 9;
const UNKNOWN_OS = 255;

function unpackLines(bytes: Uint8Array): readonly unknown[] | undefined {
  try {
    const plain = gunzipSync(bytes, { maxOutputLength: MAX_BYTES }).toString("utf8");
    return plain
      .split("\n")
      .filter((line) => line !== "")
      .map((line): unknown => JSON.parse(line));
  } catch {
    return undefined;
  }
}
