import { constants } from "node:fs";
import { type FileHandle, mkdir, open, readFile, rename, stat, unlink } from "node:fs/promises";
import { join } from "node:path";

/** Only the user of the intake may read the reports. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** A journal file is `open` while lines are added, and `sealed` when it may be read. */
export type FileState = "open" | "sealed";

/** The path of a journal file. */
export function toPath(folder: string, id: string, state: FileState): string {
  return join(folder, `${id}.${state}`);
}

/** Creates the folder of a journal. Throws the system's error. */
export async function makeJournalFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
}

/** Creates an empty open file and syncs its folder. Throws the system's error. */
export async function createFile(folder: string, id: string): Promise<FileHandle> {
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
export async function appendSynced(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  await handle.appendFile(bytes);
  await handle.datasync();
}

/** Whether the handle's file is still at the path: another process may have sealed or removed it. */
export async function isAt(handle: FileHandle, path: string): Promise<boolean> {
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
export async function removeJournalFile(
  folder: string,
  id: string,
  state: FileState,
): Promise<void> {
  await unlessAbsent(unlink(toPath(folder, id, state)));
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function unlessAbsent<T>(action: Promise<T>): Promise<T | undefined> {
  try {
    return await action;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
