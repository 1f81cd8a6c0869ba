import { randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import { lstat, open, realpath, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { lock } from "proper-lockfile";
import type { FoundObject } from "../model/store.ts";
import { digestOf } from "../store/etag.ts";
import { errnoOf } from "../store/failure.ts";

/** An edit takes a second or two at most; a lock this old belongs to a process that was killed. */
const STALE_MS = 10_000;

/** Waits that together are longer than a dead editor's lock lives, and than many editors in a row take. */
const RETRIES = { retries: 3_000, factor: 1, minTimeout: 5, maxTimeout: 20, randomize: true };

/** Only the user who makes it: the ids in a registry are meant to be unguessable. */
const NEW_FILE_MODE = 0o600;

/** A file that nobody else edits, as far as programs keep to its lock. */
export interface LockedFile {
  /** At most `maxBytes`; undefined when there is no file yet. Throws the system's error. */
  readonly read: (maxBytes: number) => Promise<FoundObject | undefined>;
  /**
   * Replaces the file in one step, unless it is no longer as it was read (editors of people keep to no lock), or the lock was
   * lost. Owner and mode stay. Throws the system's error.
   */
  readonly replace: (
    body: Uint8Array,
    held: FoundObject | undefined,
  ) => Promise<"written" | "conflict">;
}

/** The beginning of a file; undefined when there is none. Throws the system's error. */
export async function readFileStart(
  path: string,
  maxBytes: number,
): Promise<FoundObject | undefined> {
  const handle = await open(path).catch(ignoreAbsent);
  if (handle === undefined) return undefined;
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of handle.createReadStream({ end: maxBytes - 1, autoClose: false })) {
      const bytes: Uint8Array = chunk;
      chunks.push(bytes);
    }
    const body = Buffer.concat(chunks);
    return { body, etag: digestOf(body) };
  } finally {
    await handle.close();
  }
}

/**
 * Runs the act while no other process of this machine holds the lock of the file (`FILE.lock` beside it). A symbolic link
 * stays one: what it points to is meant. Throws the system's error; ELOCKED when the lock stayed taken.
 */
export async function withLockedFile<T>(
  path: string,
  act: (file: LockedFile) => Promise<T>,
): Promise<T> {
  const target = await findTarget(path);
  let isLost = false;
  const release = await lock(target, {
    // The file need not be there yet.
    realpath: false,
    stale: STALE_MS,
    retries: RETRIES,
    onCompromised: () => {
      isLost = true;
    },
  });
  try {
    return await act({
      read: (maxBytes) => readFileStart(target, maxBytes),
      replace: async (body, held) => {
        const now = await readFileStart(target, body.length + (held?.body.length ?? 0) + 1);
        if (isLost || now?.etag !== held?.etag) return "conflict";
        await replaceKeeping(target, body, await stat(target).catch(ignoreAbsent));
        return "written";
      },
    });
  } finally {
    // Gone already when another process took it over.
    await release().catch(() => undefined);
  }
}

/** A dangling link is an error of the system's: to make its file somewhere would be a guess. */
async function findTarget(path: string): Promise<string> {
  const target = await realpath(path).catch(ignoreAbsent);
  if (target !== undefined) return target;
  if ((await lstat(path).catch(ignoreAbsent)) === undefined) {
    return join(await realpath(dirname(path)), basename(path));
  }
  return realpath(path);
}

async function replaceKeeping(
  path: string,
  body: Uint8Array,
  held: Stats | undefined,
): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  try {
    const handle = await open(temporary, "wx", NEW_FILE_MODE);
    try {
      await handle.writeFile(body);
      if (held !== undefined) await keepOwner(handle, held);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    // What went wrong first is what matters.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Root may edit a file of another user, who must be able to read it afterwards; others cannot give files away. */
async function keepOwner(handle: FileHandle, held: Stats): Promise<void> {
  const made = await handle.stat();
  if (made.uid !== held.uid || made.gid !== held.gid) {
    await handle.chown(held.uid, held.gid).catch(() => undefined);
  }
  await handle.chmod(held.mode & 0o777);
}

/** Some platforms cannot sync a folder; there the rename alone must do. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

function ignoreAbsent(error: unknown): undefined {
  if (errnoOf(error) !== "ENOENT") throw error;
}
