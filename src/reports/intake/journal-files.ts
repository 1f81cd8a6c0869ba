import { constants } from "node:fs";
import { type FileHandle, open, readFile, rename, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { unlessAbsent } from "../../model/errors.ts";
import { syncFolder } from "../../store/atomic-file.ts";
import { createInboxSeries } from "../../store/inbox-id.ts";

/** Only the user of the intake may read the reports. */
const FILE_MODE = 0o600;

/** A file disappears only if another process starts on the same folder, which does not happen this often in a row. */
const MAX_ATTEMPTS = 5;

/** A journal file is `open` while lines are added, and `sealed` when it may be read. */
type FileState = "open" | "sealed";

function toPath(folder: string, id: string, state: FileState): string {
  return join(folder, `${id}.${state}`);
}

/** Creates an empty open file and syncs its folder. Throws the system's error. */
async function createFile(folder: string, id: string): Promise<FileHandle> {
  const { O_CREAT, O_EXCL, O_WRONLY, O_APPEND } = constants;
  const flags = O_CREAT | O_EXCL | O_WRONLY | O_APPEND;
  const handle = await open(toPath(folder, id, "open"), flags, FILE_MODE);
  try {
    await syncFolder(folder);
  } catch (error) {
    await handle.close();
    await removeJournalFile(folder, id, "open");
    throw error;
  }
  return handle;
}

/** Appends the bytes and syncs them to the disk. Throws the system's error; then a part may have been written. */
async function appendSynced(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  await handle.appendFile(bytes);
  await handle.datasync();
}

/** Whether the handle's file is still at the path: another process may have sealed or removed it. */
async function isAt(handle: FileHandle, path: string): Promise<boolean> {
  const [own, found] = await Promise.all([handle.stat(), unlessAbsent(stat(path))]);
  return found !== undefined && found.ino === own.ino && found.dev === own.dev;
}

/** Renames from `open` to `sealed`. False if the file did not exist. Throws the system's error. */
export async function sealFile(folder: string, id: string): Promise<boolean> {
  const renamed = rename(toPath(folder, id, "open"), toPath(folder, id, "sealed"));
  return (await unlessAbsent(renamed.then(() => true))) ?? false;
}

/** The bytes of a sealed file; undefined if it does not exist. Throws the system's error. */
export async function readSealed(folder: string, id: string): Promise<Uint8Array | undefined> {
  return unlessAbsent(readFile(toPath(folder, id, "sealed")));
}

/** Removes a file if it exists. Throws the system's error. */
export async function removeJournalFile(folder: string, id: string, state: FileState) {
  await unlessAbsent(unlink(toPath(folder, id, state)));
}

export interface JournalSize {
  readonly reports: number;
  readonly bytes: number;
}

interface OpenSegment extends JournalSize {
  readonly id: string;
  readonly handle: FileHandle;
  /** The last write failed, so the last line may be incomplete and none may be added. */
  readonly isTorn: boolean;
}

/**
 * Writes the lines of the journal, in files with at most so many reports. The caller has to make one call at a time. Rejects with the
 * system's error.
 *
 * @param onSealed called for each file to which no line will be added.
 */
export function createSegmentWriter(
  folder: string,
  { maxReports, nowMs }: { readonly maxReports: number; readonly nowMs: () => number },
  onSealed: (id: string, size: JournalSize) => void,
) {
  const nextId = createInboxSeries();
  let current: OpenSegment | undefined;

  /** Seals the current file, if there is one. After an error it is retried before the next line. */
  async function seal(): Promise<void> {
    if (current === undefined) return;
    const { id, handle, reports, bytes } = current;
    if (reports === 0) await removeJournalFile(folder, id, "open");
    else if (await sealFile(folder, id)) onSealed(id, { reports, bytes });
    current = undefined;
    await handle.close();
  }

  async function openFor(reports: number): Promise<OpenSegment> {
    if (current && (current.isTorn || current.reports + reports > maxReports)) await seal();
    if (current) return current;
    const id = nextId(nowMs());
    return { id, handle: await createFile(folder, id), reports: 0, bytes: 0, isTorn: false };
  }

  async function tryAdd(line: Uint8Array, reports: number): Promise<boolean> {
    const segment = await openFor(reports);
    // Reset after the write succeeded.
    current = { ...segment, isTorn: true };
    await appendSynced(segment.handle, line);
    // A process that sealed the file may have read it before this line, so the line counts only in a file that is still open.
    if (await isAt(segment.handle, toPath(folder, segment.id, "open"))) {
      const bytes = segment.bytes + line.byteLength;
      current = { ...segment, reports: segment.reports + reports, bytes };
      return true;
    }
    current = undefined;
    await segment.handle.close();
    return false;
  }

  return {
    /** Resolves when the line with so many reports is on the disk. */
    add: async (line: Uint8Array, reports: number): Promise<void> => {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
        if (await tryAdd(line, reports)) return;
      }
      throw new Error(`${folder}: another process keeps removing the journal files`);
    },
    seal,
    size: (): JournalSize => current ?? { reports: 0, bytes: 0 },
    /** Leaves the current file as it is. */
    close: async (): Promise<void> => current?.handle.close(),
  };
}

/** Writes a file with one line. False if another process removed it meanwhile. Throws the system's error, and removes the file. */
export async function writeSegment(folder: string, id: string, line: Uint8Array): Promise<boolean> {
  const handle = await createFile(folder, id);
  try {
    await appendSynced(handle, line);
    return await sealFile(folder, id);
  } catch (error) {
    // The first error is the relevant one; the line was never acknowledged.
    await removeJournalFile(folder, id, "open").catch(() => undefined);
    throw error;
  } finally {
    await handle.close();
  }
}
