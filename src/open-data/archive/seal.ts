import { createHash } from "node:crypto";
import type { ArchivedCheck, ArchivePart, HourOfReports } from "../../model/service/archive.ts";
import { compareTexts } from "../../model/lists.ts";
import { HOUR_MS, SECOND_MS, toUnixSeconds } from "../../model/time.ts";
import type { VerdictChange } from "../../model/service/verdict-change.ts";
import { FEWEST_REPORTS, packLines, type SpooledRun } from "./spool.ts";
import type { ColumnSource } from "hyparquet-writer";

/** Names of the files of a day. The second one is what is sealed, and the first one follows from it. */
export const PARQUET_FILE = "checks.parquet";
export const NDJSON_FILE = "checks.ndjson.gz";

/** Names of the files of a month. */
export const CHANGES_FILE = "changes.csv";
export const REPORTS_FILE = "reports.csv";

/** A public file with its bytes. */
export interface FileBody {
  readonly name: string;
  readonly body: Uint8Array;
  readonly rows: number;
}

/** All checks of a day, in the order of its runs: the bytes that are sealed and published. */
export function sealChecks(runs: readonly SpooledRun[]): Uint8Array {
  return packLines(inOrder(runs).flatMap(({ checks }) => checks));
}

/** What users reported in each clock hour of a day, as the last run of the hour counted it. */
export function hoursIn(runs: readonly SpooledRun[]): readonly HourOfReports[] {
  const last = new Map<number, SpooledRun>();
  for (const run of inOrder(runs)) last.set(Math.floor(run.at / HOUR_S) * HOUR_S, run);
  return [...last].map(([hour, { reports }]) => ({
    hour,
    counts: reports.filter(([, count]) => count >= FEWEST_REPORTS),
  }));
}

const HOUR_S = HOUR_MS / SECOND_MS;

function inOrder(runs: readonly SpooledRun[]): readonly SpooledRun[] {
  return runs.toSorted((a, b) => a.at - b.at);
}

/** Both files of a day, from the sealed one. */
export async function dayFiles(
  sealed: Uint8Array,
  checks: readonly ArchivedCheck[],
  method: string,
): Promise<readonly FileBody[]> {
  const rows = checks.length;
  return [
    { name: PARQUET_FILE, body: await encodeParquet(checks, method), rows },
    { name: NDJSON_FILE, body: sealed, rows },
  ];
}

/** The columns of a month's changes. */
export const CHANGE_FIELDS = [
  { name: "seq", type: "integer", description: "Number of the change, without gaps." },
  { name: "service", type: "string" },
  { name: "at", type: "integer", description: "Unix seconds." },
  { name: "before", type: "string", description: "Verdict code." },
  { name: "code", type: "string", description: "Verdict code." },
  { name: "scope", type: "string", description: "Where the service failed." },
  { name: "surge", type: "boolean", description: "Whether reports surged." },
  { name: "live", type: "boolean" },
  {
    name: "networks",
    type: "integer",
    description: "How many networks in Moscow support a claim of blocking.",
  },
];

/** The changes of verdicts of a month, as a table. */
export function changesTable(changes: readonly VerdictChange[]): string {
  const rows = changes.map(({ seq, slug, atMs, before, code, scope, isSurge, live, networks }) => {
    const at = toUnixSeconds(atMs);
    return [seq, slug, at, before, code, scope, isSurge, live, networks ?? ""];
  });
  return toCsv(namesOf(CHANGE_FIELDS), rows);
}

/** The columns of a month's reports. */
export const REPORT_FIELDS = [
  { name: "hour", type: "integer", description: "Beginning of the clock hour, Unix seconds." },
  { name: "service", type: "string" },
  { name: "reports", type: "integer", constraints: { minimum: FEWEST_REPORTS } },
];

/** The reports of a month, as a table: a row for each service and hour that had at least five. */
export function reportsTable(hours: readonly HourOfReports[]): string {
  const rows = hours
    .toSorted((a, b) => a.hour - b.hour)
    .flatMap(({ hour, counts }) => counts.map(([slug, count]) => [hour, slug, count]));
  return toCsv(namesOf(REPORT_FIELDS), rows);
}

function namesOf(fields: readonly { readonly name: string }[]): readonly string[] {
  return fields.map(({ name }) => name);
}

/** The part of the state that names the files of a day or a month. */
export function toPart(date: string, method: string, files: readonly FileBody[]): ArchivePart {
  const named = files.map(({ name, body, rows }) => {
    return { name, bytes: body.length, sha256: sha256Of(body), rows };
  });
  return { date, method, files: named };
}

/** SHA-256 in hexadecimal digits. */
export function sha256Of(body: Uint8Array): string {
  return createHash("sha256").update(body).digest("hex");
}

/** All rows of a day in one group: they pack better, and readers take whole days. */
const ROWS_OF_GROUP = 1_000_000;

/** Columns whose values repeat: endpoint by endpoint, the runs of a day follow one another. */
const TEXTS = ["service", "endpoint", "state", "stage", "code", "network", "vantage"] as const;

/**
 * The checks of a day as a Parquet file (Snappy), sorted by service, endpoint and time, which packs best: equal values follow one
 * another. The same checks are the same bytes. Source: https://parquet.apache.org/docs/file-format/
 */
async function encodeParquet(
  checks: readonly ArchivedCheck[],
  method: string,
): Promise<Uint8Array> {
  // Once a day, so not loaded by each run.
  const { parquetWriteBuffer } = await import("hyparquet-writer");
  const sorted = checks.toSorted(
    (a, b) =>
      compareTexts(a.service, b.service) || compareTexts(a.endpoint, b.endpoint) || a.at - b.at,
  );
  const times = sorted.map(({ at }) => new Date(at * SECOND_MS));
  const columnData: ColumnSource[] = [
    { name: "at", data: times, type: "TIMESTAMP", nullable: false },
    ...TEXTS.map((name): ColumnSource => {
      return { name, data: sorted.map((check) => check[name]), type: "STRING" };
    }),
    { name: "ms", data: sorted.map(({ ms }) => ms), type: "INT32" },
  ];
  const kvMetadata = [
    { key: "licence", value: "CC BY 4.0" },
    { key: "method", value: method },
  ];
  const options = { columnData, kvMetadata, createdBy: "status-snapshot" };
  return new Uint8Array(parquetWriteBuffer({ ...options, rowGroupSize: ROWS_OF_GROUP }));
}

type Cell = string | number | boolean;

/** A table as CSV with a header. Source: RFC 4180. */
export function toCsv(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [header, ...rows].map((row) => `${row.map(toField).join(",")}\r\n`).join("");
}

function toField(cell: Cell): string {
  const text = String(cell);
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Number of rows of a table without its header. No field of ours has a line break. */
export function rowsOf(csv: string): number {
  return csv.split("\r\n").length - 2;
}
