import { createHash } from "node:crypto";
import { areAbsent, type DataExchanges, findAlone, objectAt, readData } from "./reading.ts";
import { archivePath, DATA_PATHS } from "../api/addresses.ts";
import { findInEach, findOrderProblems, readAs, repeatedOf, show } from "../api/json-document.ts";
import type { Deployment } from "../api/list.ts";
import { ARCHIVE_SCHEMAS, type ArchiveIndex, type DataPackage } from "../../contract/archive.ts";
import { about, type CheckFinding, settle, skip, unless } from "../finding.ts";
import { type Client, describeExchange, hasStatus, headerOf } from "../http/client.ts";
import { isInFuture, type ServerClock } from "../http/freshness.ts";
import { directivesOf, findCorsProblems } from "../http/headers.ts";

const LISTS = [DATA_PATHS.archiveIndex, DATA_PATHS.datapackage] as const;

/** Files of a day and of a month, with their types. Sources: docs/open-data.md, "Archive"; docs/publish/fronts.md. */
const FILES = {
  days: {
    "checks.parquet": "application/vnd.apache.parquet",
    "checks.ndjson.gz": "application/gzip",
  },
  months: { "changes.csv": "text/csv", "reports.csv": "text/csv" },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

type PartKind = keyof typeof FILES;
const KINDS: readonly PartKind[] = ["days", "months"];

type Part = ArchiveIndex[PartKind][number];
type ArchiveFile = Part["files"][number];

/** Files of so long a cache lifetime never change. */
const A_YEAR_S = 31_536_000;

/** Checks what lists the archive, and its newest files. A day may be added between the reads, so wrong ones are read again. */
export async function checkArchive(
  { client, clock, settling }: Deployment,
  first: DataExchanges,
): Promise<CheckFinding> {
  if (areAbsent(first, LISTS)) return skip("data.archive", "404: no day is over yet");
  const problems = await findArchiveProblems(client, first, clock);
  if (problems === undefined) return skip("data.archive", "a list could not be read");
  return settle("data.archive", LISTS.join(" "), settling, problems, async () =>
    findArchiveProblems(client, await readData(client, LISTS), clock),
  );
}

/** Undefined if a list cannot be read. Source: docs/open-data.md, "Archive". */
async function findArchiveProblems(
  client: Client,
  lists: DataExchanges,
  clock: ServerClock,
): Promise<readonly string[] | undefined> {
  const alone = findAlone(lists, LISTS);
  if (alone.length > 0) return alone;
  const listed = objectAt(lists, DATA_PATHS.archiveIndex);
  const described = objectAt(lists, DATA_PATHS.datapackage);
  if (listed === undefined || described === undefined) return undefined;
  const { data: index, problems } = readAs(ARCHIVE_SCHEMAS.ArchiveIndex, listed);
  const { data: dataPackage, problems: others } = readAs(ARCHIVE_SCHEMAS.DataPackage, described);
  if (index === undefined || dataPackage === undefined) return [...problems, ...others];
  const parts = KINDS.map((kind) => ({ kind, list: index[kind] }));
  const files = parts.flatMap(({ list }) => list.flatMap((part) => part.files));
  const newest = parts.flatMap(({ kind, list }) =>
    (list[0]?.files ?? []).map((file) => findFileProblems(client, kind, file)),
  );
  return [
    ...parts.flatMap(({ kind, list }) => [
      ...findInEach(kind, list, (part) => findPartProblems(part, kind, clock)),
      ...findOrderProblems(list.map(({ date }) => date)),
    ]),
    ...findPackageProblems(dataPackage, files),
    ...(await Promise.all(newest)).flat(),
  ];
}

function findPartProblems(
  { date, files }: Part,
  kind: PartKind,
  clock: ServerClock,
): readonly string[] {
  const paths = files.map(({ path }) => path);
  const expected = Object.keys(FILES[kind]).map((name) => `${date}/${name}`);
  return [
    ...unless(!isInFuture(endOf(date), clock), `${date} is not over`),
    ...unless(
      paths.toSorted().join() === expected.toSorted().join(),
      `its files are ${show(paths)}, not ${expected.join(" and ")}`,
    ),
  ];
}

/** The end of a day or a month, in Unix seconds. */
function endOf(date: string): number {
  const [year = 0, month = 1, day] = date.split("-").map(Number);
  return (day === undefined ? Date.UTC(year, month) : Date.UTC(year, month - 1, day + 1)) / 1_000;
}

/** The package has the files of the index, with their sizes and digests. */
function findPackageProblems(
  { resources }: DataPackage,
  files: readonly ArchiveFile[],
): readonly string[] {
  const there = new Map(resources.map(({ path, bytes, hash }) => [path, `${bytes} ${hash}`]));
  const listed = new Set(files.map(({ path }) => path));
  const names = repeatedOf(resources.map(({ name }) => name));
  return [
    ...files.flatMap(({ path, bytes, sha256 }) =>
      unless(
        there.get(path) === `${bytes} sha256:${sha256}`,
        `datapackage.json and the index disagree about ${show(path)}`,
      ),
    ),
    ...resources.flatMap(({ path }) =>
      unless(listed.has(path), `datapackage.json has ${show(path)}, the index has not`),
    ),
    ...names.map((name) => `datapackage.json has the name ${show(name)} more than once`),
  ];
}

/** Whether a file is there as the index says, and may be kept for ever. A path outside the archive is not requested. */
async function findFileProblems(
  client: Client,
  kind: PartKind,
  { path, bytes, sha256 }: ArchiveFile,
): Promise<readonly string[]> {
  const { name = "" } = /^[\d-]+\/(?<name>[a-z.]+)$/u.exec(path)?.groups ?? {};
  const type = new Map<string, string>(Object.entries(FILES[kind])).get(name);
  if (type === undefined) return [];
  const answer = await client.get(archivePath(path));
  if (!hasStatus(answer, 200)) return [`${describeExchange(answer)}, but the index has it`];
  const size = answer.body.length;
  const digest = createHash("sha256").update(answer.body).digest("hex");
  const directives = directivesOf(answer);
  const isForEver = directives.has("immutable") && Number(directives.get("max-age")) >= A_YEAR_S;
  const shownCache = headerOf(answer, "cache-control") ?? "absent";
  const shownType = headerOf(answer, "content-type") ?? "absent";
  const coding = headerOf(answer, "content-encoding");
  return about(path, [
    ...unless(size === bytes, `has ${size} bytes, in the index ${bytes}`),
    ...unless(digest === sha256, `has the SHA-256 ${digest}, in the index ${sha256}`),
    ...unless(isForEver, `Cache-Control is ${shownCache}`),
    ...unless(shownType.split(";", 1)[0] === type, `Content-Type is ${shownType}, not ${type}`),
    ...unless(coding === undefined, `Content-Encoding is ${coding}: clients would change the file`),
    ...findCorsProblems(answer),
  ]);
}
