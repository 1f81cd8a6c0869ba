import { createHash } from "node:crypto";
import type * as z from "zod";
import type { Client } from "../http/client.ts";
import { areAbsent, type DataExchanges, objectAt, readData } from "./reading.ts";
import { type CheckFinding, skip } from "../finding.ts";
import { type ServerClock, isInFuture } from "../http/freshness.ts";
import { directivesOf, findCorsProblems } from "../http/headers.ts";
import { describeExchange, hasStatus, headerOf } from "../http/http-exchange.ts";
import { type JsonObject, show } from "../api/parse-json.ts";
import { settle, type Settling } from "../http/settle.ts";
import {
  COUNT,
  DATE,
  findInEach,
  findOrderProblems,
  findSchemaProblems,
  listOf,
  matching,
  MONTH,
  NAME,
  objectOf,
  objectsOf,
  repeatedOf,
} from "../api/schema.ts";
import { ARCHIVE_FILES, DATA_PATHS, archivePath } from "../api/specification.ts";

const LISTS = [DATA_PATHS.archiveIndex, DATA_PATHS.datapackage] as const;

type PartKind = keyof typeof ARCHIVE_FILES;

const KINDS: readonly PartKind[] = ["days", "months"];

const FILE = objectOf({
  path: NAME,
  bytes: COUNT,
  rows: COUNT,
  sha256: matching(/^[0-9a-f]{64}$/u, "a SHA-256 in hexadecimal digits"),
});
type ArchiveFile = z.infer<typeof FILE>;

const DAY = objectOf({ date: DATE, files: listOf(FILE) });
type Part = z.infer<typeof DAY>;

const INDEX = objectOf({
  licence: NAME,
  method: DATE,
  days: listOf(DAY),
  months: listOf(objectOf({ date: MONTH, files: listOf(FILE) })),
});

/** Files of so long a cache lifetime never change. */
const A_YEAR_S = 31_536_000;

/**
 * Checks what lists the archive, and the files of its newest day and month, which are requested. A day may be added between the reads, so
 * all is read again if something is wrong.
 */
export async function checkArchive(
  client: Client,
  first: DataExchanges,
  clock: ServerClock,
  settling: Settling,
): Promise<CheckFinding> {
  if (areAbsent(first, LISTS)) return skip("data.archive", "404: no day is over yet");
  const problems = await findArchiveProblems(client, first, clock);
  if (problems === undefined) return skip("data.archive", "a list could not be read");
  const readAgain = async (): Promise<readonly string[] | undefined> =>
    findArchiveProblems(client, await readData(client, LISTS), clock);
  return settle("data.archive", LISTS.join(" "), problems, readAgain, settling);
}

/** Undefined if a list cannot be read. Source: docs/open-data.md, "Archive". */
async function findArchiveProblems(
  client: Client,
  lists: DataExchanges,
  clock: ServerClock,
): Promise<readonly string[] | undefined> {
  const absent = [...LISTS].flatMap((target) => {
    const exchange = lists.get(target);
    return hasStatus(exchange, 404) ? [`${describeExchange(exchange)}, but not the other`] : [];
  });
  if (absent.length > 0) return absent;
  const listed = objectAt(lists, DATA_PATHS.archiveIndex);
  const described = objectAt(lists, DATA_PATHS.datapackage);
  if (listed === undefined || described === undefined) return undefined;
  const { data: index } = INDEX.safeParse(listed);
  if (index === undefined) return findSchemaProblems(INDEX, listed);
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
    ...findPackageProblems(described, files),
    ...(await Promise.all(newest)).flat(),
  ];
}

function findPartProblems(
  { date, files }: Part,
  kind: PartKind,
  clock: ServerClock,
): readonly string[] {
  const paths = files.map(({ path }) => path);
  const expected = Object.keys(ARCHIVE_FILES[kind]).map((name) => `${date}/${name}`);
  return [
    ...(isInFuture(endOf(date), clock) ? [`${date} is not over`] : []),
    ...(paths.toSorted().join() === expected.toSorted().join()
      ? []
      : [`its files are ${show(paths)}, not ${expected.join(" and ")}`]),
  ];
}

/** The end of a day or a month, in Unix seconds. */
function endOf(date: string): number {
  const [year = 0, month = 1, day] = date.split("-").map(Number);
  return (day === undefined ? Date.UTC(year, month) : Date.UTC(year, month - 1, day + 1)) / 1_000;
}

/** The package has the files of the index, with their sizes and digests. */
function findPackageProblems(
  { resources }: JsonObject,
  files: readonly ArchiveFile[],
): readonly string[] {
  if (!Array.isArray(resources)) return [`resources is ${show(resources)}, not a list`];
  const described = objectsOf(resources);
  const there = new Map(
    described.map(({ path, bytes, hash }) => [path, `${String(bytes)} ${String(hash)}`]),
  );
  const listed = new Map<unknown, string>(
    files.map(({ path, bytes, sha256 }) => [path, `${bytes} sha256:${sha256}`]),
  );
  return [
    ...[...listed]
      .filter(([path, what]) => there.get(path) !== what)
      .map(([path]) => `datapackage.json and the index disagree about ${show(path)}`),
    ...described
      .filter(({ path }) => !listed.has(path))
      .map(({ path }) => `datapackage.json has ${show(path)}, the index has not`),
    ...repeatedOf(described.map(({ name }) => name)).map(
      (name) => `datapackage.json has the name ${show(name)} more than once`,
    ),
  ];
}

/** Whether a file is there as the index says, and may be kept for ever. A path that is none of the archive is not requested. */
async function findFileProblems(
  client: Client,
  kind: PartKind,
  { path, bytes, sha256 }: ArchiveFile,
): Promise<readonly string[]> {
  const { name = "" } = /^[\d-]+\/(?<name>[a-z.]+)$/u.exec(path)?.groups ?? {};
  const type = Object.entries(ARCHIVE_FILES[kind]).find(([one]) => one === name)?.[1];
  if (type === undefined) return [];
  const answer = await client.send({ method: "GET", target: archivePath(path) });
  if (!hasStatus(answer, 200)) return [`${describeExchange(answer)}, but the index has it`];
  const digest = createHash("sha256").update(answer.body).digest("hex");
  const directives = directivesOf(answer);
  const isForEver = directives.has("immutable") && Number(directives.get("max-age")) >= A_YEAR_S;
  const shownType = headerOf(answer, "content-type") ?? "absent";
  const coding = headerOf(answer, "content-encoding");
  return [
    ...(answer.body.length === bytes
      ? []
      : [`has ${answer.body.length} bytes, in the index ${bytes}`]),
    ...(digest === sha256 ? [] : [`has the SHA-256 ${digest}, in the index ${sha256}`]),
    ...(isForEver ? [] : [`Cache-Control is ${headerOf(answer, "cache-control") ?? "absent"}`]),
    ...(shownType.split(";", 1)[0] === type ? [] : [`Content-Type is ${shownType}, not ${type}`]),
    ...(coding === undefined
      ? []
      : [`Content-Encoding is ${coding}: clients would change the file`]),
    ...findCorsProblems(answer),
  ].map((problem) => `${path}: ${problem}`);
}
