import { randomUUID } from "node:crypto";
import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errnoOf, unlessAbsent } from "../model/errors.ts";

/** Permissions of new files and folders, before the umask. */
export interface Modes {
  readonly file: number;
  readonly folder: number;
}

/** No write of one object takes this long, so an older temporary file belongs to a writer that crashed. */
const LEFTOVER_AGE_MS = 3_600_000;

/**
 * A removal prunes empty folders, and may remove the one that a write has just made; of a hundred concurrent writers and
 * removers some need seven attempts. Where no folder can be made at all (/proc), all attempts take milliseconds.
 */
const MOVE_ATTEMPTS = 100;

/** Some platforms cannot open or sync a folder (Windows, some network mounts): there the rename has to be enough. */
const UNSYNCABLE = new Set(["EISDIR", "EPERM", "EACCES", "EINVAL", "ENOTSUP", "EBADF", "ENOENT"]);

/**
 * Replaces the file under `path` in one step that survives a power cut: temporary file, fsync, rename, fsync of the folder.
 * Makes missing folders. The temporary folder must be on the same file system. A failure before the rename leaves the old file.
 * Throws the system's error.
 *
 * @param decide does the rename if the file may be replaced, and returns whether it did.
 */
export async function replaceFile(
  path: string,
  body: Uint8Array,
  temporaryFolder: string,
  modes: Modes,
  decide: (move: () => Promise<void>) => Promise<boolean> = always,
): Promise<boolean> {
  const temporary = join(temporaryFolder, randomUUID());
  const makeTemporary = (): Promise<void> => writeSynced(temporary, body, modes.file);
  const makeWithFolder = (): Promise<void> =>
    // The folders exist except the first time: making them each time would be half of the work.
    makeTemporary().catch(async (error: unknown) => {
      if (errnoOf(error) !== "ENOENT") throw error;
      await makeFolder(temporaryFolder, modes.folder);
      return makeTemporary();
    });
  const move = (): Promise<void> => moveInto(temporary, path, modes.folder);
  return replaceBy(temporary, path, makeWithFolder, () => decide(move));
}

async function always(move: () => Promise<void>): Promise<boolean> {
  await move();
  return true;
}

/**
 * The same for a file of an operator: a file that exists keeps its owner and mode, the folder must exist, and the temporary file is
 * in it, because only that is certain to be on the same file system. `path` must not be a symbolic link, which would be replaced.
 *
 * @param newMode of a file that did not exist, before the umask.
 */
export async function replaceOwnedFile(
  path: string,
  body: Uint8Array,
  newMode: number,
): Promise<void> {
  const held = await unlessAbsent(stat(path));
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  const keepOwner = async (handle: FileHandle): Promise<void> => {
    if (held === undefined) return;
    // Root may edit a file of another user, who must be able to read it afterwards; other users cannot give files away.
    const made = await handle.stat();
    if (made.uid !== held.uid || made.gid !== held.gid) {
      await handle.chown(held.uid, held.gid).catch(() => undefined);
    }
    await handle.chmod(held.mode & 0o777);
  };
  const makeTemporary = (): Promise<void> => writeSynced(temporary, body, newMode, keepOwner);
  await replaceBy(temporary, path, makeTemporary, () => always(() => rename(temporary, path)));
}

async function replaceBy(
  temporary: string,
  path: string,
  make: () => Promise<void>,
  move: () => Promise<boolean>,
): Promise<boolean> {
  let isMoved = false;
  try {
    await make();
    isMoved = await move();
  } finally {
    // A failure before is the one to report.
    if (!isMoved) await rm(temporary, { force: true }).catch(() => undefined);
  }
  if (isMoved) await syncFolder(dirname(path));
  return isMoved;
}

/** Removes the file if it exists, and every folder between it and `root` that is then empty. Throws the system's error. */
export async function removeFile(path: string, root: string): Promise<void> {
  await unlessAbsent(unlink(path));
  let folder = dirname(path);
  while (folder !== root && (await removeIfEmpty(folder))) folder = dirname(folder);
  await syncFolder(folder);
}

/** Removes temporary files that crashed writers left more than an hour before `nowMs`. Never throws. */
export async function removeLeftovers(temporaryFolder: string, nowMs: number): Promise<void> {
  const names = await readdir(temporaryFolder).catch(() => []);
  for (const name of names) {
    const path = join(temporaryFolder, name);
    const found = await stat(path).catch(() => undefined);
    if (found === undefined || nowMs - found.mtimeMs <= LEFTOVER_AGE_MS) continue;
    // A leftover that cannot be removed costs only space.
    await rm(path, { force: true }).catch(() => undefined);
  }
}

async function writeSynced(
  path: string,
  body: Uint8Array,
  mode: number,
  prepare?: (handle: FileHandle) => Promise<void>,
): Promise<void> {
  const handle = await open(path, "wx", mode);
  try {
    await handle.writeFile(body);
    await prepare?.(handle);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function moveInto(temporary: string, path: string, folderMode: number): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      // The folders nearly always exist, so they are made only after a rename that missed them.
      if (attempt > 1) await makeFolder(dirname(path), folderMode);
      return await rename(temporary, path);
    } catch (error) {
      // Making them can fail as well: a removal may prune the parent between two steps.
      if (errnoOf(error) !== "ENOENT" || attempt === MOVE_ATTEMPTS) throw error;
    }
  }
}

/**
 * Makes the folder and its missing parents. Throws the system's error: ENOENT where another writer removed a parent that was
 * just made, and where no folder can be made at all (/proc; Node's own recursive mkdir never ends there).
 */
export async function makeFolder(folder: string, mode: number): Promise<void> {
  try {
    await makeOne(folder, mode);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT" || dirname(folder) === folder) throw error;
    await makeFolder(dirname(folder), mode);
    await makeOne(folder, mode);
  }
}

/** A folder that another writer made is fine. The entry of a new one in its parent has to reach the disk as well. */
async function makeOne(folder: string, mode: number): Promise<void> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    if (errnoOf(error) === "EEXIST" && (await stat(folder)).isDirectory()) return;
    throw error;
  }
  await syncFolder(dirname(folder));
}

async function removeIfEmpty(folder: string): Promise<boolean> {
  try {
    await rmdir(folder);
    return true;
  } catch (error) {
    // Another writer has removed it: its parent may be empty as well.
    return errnoOf(error) === "ENOENT";
  }
}

/** Makes new, renamed and removed names in a folder survive a power cut, where the platform can. Throws the system's error. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!UNSYNCABLE.has(errnoOf(error) ?? "")) throw error;
  }
}
