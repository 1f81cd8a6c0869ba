import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, rename, rm, rmdir, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errnoOf } from "./failure.ts";

/** Permissions that new files and folders get, before the umask takes its share. */
export interface Modes {
  readonly file: number;
  readonly folder: number;
}

/** No writer needs this long for one object, so what is older belongs to one that crashed. */
const LEFTOVER_AGE_MS = 3_600_000;

/**
 * A removal that prunes folders may take away, again and again, the one that a write has just made; of a hundred
 * writers and removers at once some need seven attempts. Where no folder can ever be made (/proc) the rest costs
 * milliseconds.
 */
const MOVE_ATTEMPTS = 100;

/** Some platforms cannot open or sync a folder (Windows, some network mounts); there the rename alone must do. */
const UNSYNCABLE = new Set(["EISDIR", "EPERM", "EACCES", "EINVAL", "ENOTSUP", "EBADF", "ENOENT"]);

/**
 * Puts the bytes under `path` in one step that survives a power cut: temporary file, fsync, rename, fsync of the folder.
 * The temporary folder must be on the same file system. A failure leaves the old file, and throws the system's error.
 */
export async function replaceFile(
  path: string,
  body: Uint8Array,
  temporaryFolder: string,
  modes: Modes,
): Promise<void> {
  const temporary = join(temporaryFolder, randomUUID());
  const makeTemporary = (): Promise<void> => writeSynced(temporary, body, modes.file);
  try {
    // The folders are there but for the first time: to make them each time would be half of the work.
    await makeTemporary().catch(async (error: unknown) => {
      if (errnoOf(error) !== "ENOENT") throw error;
      await makeFolder(temporaryFolder, modes.folder);
      return makeTemporary();
    });
    await moveInto(temporary, path, modes.folder);
  } catch (error) {
    // What went wrong first is what matters; a leftover is tidied away later.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Removes the file, and every folder between it and `root` that is empty then. Throws the system's error; absent is fine. */
export async function removeFile(path: string, root: string): Promise<void> {
  await unlink(path).catch((error: unknown) => {
    if (errnoOf(error) !== "ENOENT") throw error;
  });
  let folder = dirname(path);
  while (folder !== root && (await removeIfEmpty(folder))) folder = dirname(folder);
  await syncFolder(folder);
}

/** Removes from the temporary folder what crashed writers left more than an hour before `nowMs`. Never throws. */
export async function removeLeftovers(temporaryFolder: string, nowMs: number): Promise<void> {
  const names = await readdir(temporaryFolder).catch(() => []);
  for (const name of names) {
    const path = join(temporaryFolder, name);
    const found = await stat(path).catch(() => undefined);
    if (found === undefined || nowMs - found.mtimeMs <= LEFTOVER_AGE_MS) continue;
    // A leftover that cannot be removed costs a little space; publishing matters more.
    await rm(path, { force: true }).catch(() => undefined);
  }
}

async function writeSynced(path: string, body: Uint8Array, mode: number): Promise<void> {
  const handle = await open(path, "wx", mode);
  try {
    await handle.writeFile(body);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function moveInto(temporary: string, path: string, folderMode: number): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      // The folders are there nearly always, so they are made only after a rename that missed them.
      if (attempt > 1) await makeFolder(dirname(path), folderMode);
      return await rename(temporary, path);
    } catch (error) {
      // Making them can miss as well: a removal may prune the parent between two steps.
      if (errnoOf(error) !== "ENOENT" || attempt === MOVE_ATTEMPTS) throw error;
    }
  }
}

/**
 * Makes the folder and whatever is missing above it. Throws the system's error: ENOENT where another writer removed what was
 * just made, and where no folder can be made at all (/proc; Node's own recursive way never ends there).
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

/** Another writer's folder is as good as ours. A new one is an entry of its parent, which has to reach the disk as well. */
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
    // Gone already, by another writer's hand: its parent may be empty as well.
    return errnoOf(error) === "ENOENT";
  }
}

async function syncFolder(folder: string): Promise<void> {
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
