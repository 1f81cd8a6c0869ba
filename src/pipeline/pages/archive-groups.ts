import type { ArchiveState } from "../../model/service/archive.ts";
import { hashText } from "../../model/fnv1a.ts";
import { METHOD_VERSION } from "../../model/service/method.ts";
import type { Document } from "../../model/service/snapshot.ts";
import type { ObjectStore } from "../../model/store.ts";
import {
  ARCHIVE_INDEX_KEY,
  archiveKeysOf,
  buildArchiveIndex,
  buildDatapackage,
  DATAPACKAGE_KEY,
  toArchiveDocument,
} from "../../open-data/archive/archive-documents.ts";
import { dayFiles, NDJSON_FILE } from "../../open-data/archive/seal.ts";
import { decodeChecks } from "../../open-data/archive/spool.ts";
import { type GroupFamily, NO_GROUPS } from "../../publish/object-groups.ts";
import { readArchiveFile } from "../../state/archive-store.ts";

/** Family of the files of the archive: a group for each day and month, and one for what lists them. */
export const ARCHIVE = "archive";

const INDEX_ID = "index";

/** Of each digest: enough to tell files apart, and short, because each generation stores and compares them all. */
const SIGNATURE_DIGITS = 8;

/** The keys of a group. */
export function archiveGroupKeys(id: string): readonly string[] {
  return id === INDEX_ID ? [ARCHIVE_INDEX_KEY, DATAPACKAGE_KEY] : archiveKeysOf(id);
}

/**
 * Plans the public files of the archive. They are made from the sealed ones, so another public store gets the same. Like pictures they
 * are slow to make and not urgent.
 */
export function planArchive(archive: ArchiveState, stateStore: ObjectStore): GroupFamily {
  const parts = [...archive.days, ...archive.months];
  if (parts.length === 0) return NO_GROUPS;
  const digests = parts.map(({ date, files }) => {
    return [date, files.map(({ sha256 }) => sha256.slice(0, SIGNATURE_DIGITS)).join("")] as const;
  });
  // The list follows from these. It is long after some years, so only a publish that needs it makes it.
  const ofIndex = [METHOD_VERSION, ...digests.map((one) => one.join(":"))].join(" ");
  return {
    ...NO_GROUPS,
    signatures: new Map([...digests, [INDEX_ID, hashText(ofIndex)]]),
    // Days leave only because they are older than what is kept.
    isDeliberate: () => true,
    keysOf: archiveGroupKeys,
    build: async (id) =>
      id === INDEX_ID ? buildLists(archive) : buildPart(archive, id, stateStore),
  };
}

function buildLists(archive: ArchiveState): readonly Document[] {
  return [buildArchiveIndex(archive, METHOD_VERSION), buildDatapackage(archive, METHOD_VERSION)];
}

/** None if a sealed file is gone. */
async function buildPart(
  { days, months }: ArchiveState,
  date: string,
  stateStore: ObjectStore,
): Promise<readonly Document[]> {
  const day = days.find((one) => one.date === date);
  if (day !== undefined) {
    const sealed = await readArchiveFile(stateStore, date, NDJSON_FILE);
    const checks = sealed && decodeChecks(sealed);
    if (sealed === undefined || checks === undefined) return [];
    return dayFiles(sealed, checks, day.method).map(({ name, body }) =>
      toArchiveDocument(date, name, body),
    );
  }
  const documents: Document[] = [];
  for (const { name } of months.find((one) => one.date === date)?.files ?? []) {
    const body = await readArchiveFile(stateStore, date, name);
    if (body === undefined) return [];
    documents.push(toArchiveDocument(date, name, body));
  }
  return documents;
}
