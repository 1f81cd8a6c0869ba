import { mediaTypeOf } from "../../model/public-paths.ts";
import type { ArchiveIndex, DataPackage } from "../../contract/archive.ts";
import { type Document, toDocument, toJsonDocument } from "../../model/service/snapshot.ts";
import {
  archiveKey,
  CHECK_STATES,
  type ArchiveFile,
  type ArchivePart,
  type ArchiveState,
} from "../../model/service/archive.ts";
import {
  CHANGE_FIELDS,
  CHANGES_FILE,
  NDJSON_FILE,
  PARQUET_FILE,
  REPORT_FIELDS,
  REPORTS_FILE,
} from "./seal.ts";

export const ARCHIVE_INDEX_KEY: string = archiveKey("index.json");
export const DATAPACKAGE_KEY: string = archiveKey("datapackage.json");

const LICENCE = {
  name: "CC-BY-4.0",
  title: "Creative Commons Attribution 4.0",
  path: "https://creativecommons.org/licenses/by/4.0/",
};

/** The keys of all files of a day or a month, by the form of its date. */
export function archiveKeysOf(date: string): readonly string[] {
  const isDay = date.length === "YYYY-MM-DD".length;
  const names = isDay ? [PARQUET_FILE, NDJSON_FILE] : [CHANGES_FILE, REPORTS_FILE];
  return names.map((name) => archiveKey(date, name));
}

/** A file of the archive, which never changes. */
export function toArchiveDocument(date: string, name: string, body: Uint8Array): Document {
  return toDocument(archiveKey(date, name), body);
}

/** The list of all files, with their sizes and digests, newest first. */
export function buildArchiveIndex({ days, months }: ArchiveState, method: string): Document {
  return toJsonDocument(ARCHIVE_INDEX_KEY, {
    licence: LICENCE.name,
    method,
    days: days.toReversed().map(toEntry),
    months: months.toReversed().map(toEntry),
  } satisfies ArchiveIndex);
}

function toEntry({ date, files }: ArchivePart) {
  return {
    date,
    files: files.map(({ name, bytes, sha256, rows }) => {
      return { path: `${date}/${name}`, bytes, rows, sha256 };
    }),
  };
}

const CHECK_FIELDS = [
  { name: "at", type: "integer", description: "Time of the run, Unix seconds." },
  { name: "service", type: "string", description: "Slug of the service." },
  { name: "endpoint", type: "string", format: "uri", description: "What was probed." },
  {
    name: "state",
    type: "string",
    constraints: { enum: [...CHECK_STATES] },
    description: "flaky: it answered, but not at once. denied: the service refuses this region.",
  },
  { name: "stage", type: "string", description: "Of a failure: dns, tcp, tls, http or body." },
  { name: "code", type: "string", description: "Of a failure." },
  { name: "ms", type: "integer", description: "Duration of the deciding probe, milliseconds." },
  { name: "network", type: "string", description: "Carries the traffic of the address." },
  { name: "vantage", type: "string", description: "Where the probe was." },
];

/** The description of all files. Source: https://datapackage.org/standard/data-package/ */
export function buildDatapackage({ days, months }: ArchiveState, method: string): Document {
  return toJsonDocument(DATAPACKAGE_KEY, {
    $schema: "https://datapackage.org/profiles/2.0/datapackage.json",
    name: "status-snapshot",
    title: "State of online services as seen from Russia",
    description: "Every check of every run, changes of verdicts, and hourly counts of reports.",
    version: method,
    licenses: [LICENCE],
    resources: [...days, ...months].flatMap(({ date, files }) =>
      files.map((file) => toResource(date, file)),
    ),
  } satisfies DataPackage);
}

/** By name. */
const FIELDS: Readonly<Record<string, object[]>> = {
  [PARQUET_FILE]: CHECK_FIELDS,
  [NDJSON_FILE]: CHECK_FIELDS,
  [CHANGES_FILE]: CHANGE_FIELDS,
  [REPORTS_FILE]: REPORT_FIELDS,
};

function toResource(date: string, { name, bytes, sha256 }: ArchiveFile) {
  const [base = name, format = ""] = name.split(".");
  return {
    name: `${date}-${base}-${format}`,
    path: `${date}/${name}`,
    format,
    mediatype: mediaTypeOf(name),
    ...(format === "csv" ? { encoding: "utf-8" } : {}),
    ...(name === NDJSON_FILE ? { compression: "gz" } : {}),
    bytes,
    hash: `sha256:${sha256}`,
    schema: { fields: FIELDS[name] ?? [] },
  };
}
