import { createReadStream } from "node:fs";
import { opendir, readdir, readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type {
  ETag,
  FoundObject,
  Inventory,
  ObjectStore,
  Precondition,
  StoreOperation,
} from "../model/store.ts";
import { readStart } from "../model/read-start.ts";
import { unlessAbsent } from "../model/errors.ts";
import { checkKey, type StoreRole, toStoreError } from "./store-error.ts";
import { makeFolder, type Modes, removeFile, removeLeftovers, replaceFile } from "./atomic-file.ts";
import { toFileSegments } from "./key.ts";
import pLimit from "p-limit";
import { lock } from "proper-lockfile";
import { createHash } from "node:crypto";

/** Inside the root, so that a rename stays on one file system. No key can name it, and no proxy serves it. */
const TEMPORARY_FOLDER = ".tmp";

/** Web server and vantages, which run as other users, must read the files of these; only the owner may read the others. */
const READABLE: ReadonlySet<StoreRole> = new Set(["public", "exchange", "ask", "evidence"]);

function modesOf(role: StoreRole): Modes {
  return READABLE.has(role) ? { file: 0o644, folder: 0o755 } : { file: 0o600, folder: 0o700 };
}

/**
 * A store in a directory, one file for each object: `api/v1/status` is `<root>/api/v1/status.json` (see `toFileSegments`).
 * Files have no content type and no cache policy: the web server sets both from the path. The first write also removes leftovers of
 * crashed writers. Does not access the disk before the first call. Operations throw `StoreError` for an invalid key and for every
 * failing system call.
 *
 * @param role decides the permissions of new files, and the option that messages name.
 */
export function createDirectoryStore(
  root: string,
  { role = "public" }: { readonly role?: StoreRole } = {},
): ObjectStore {
  const absoluteRoot = resolve(root);
  const temporaryFolder = join(absoluteRoot, TEMPORARY_FOLDER);
  const modes = modesOf(role);
  const whileLocked = createCriticalSection(temporaryFolder, modes.folder);
  const name = `file:${root}`;
  let tidying: Promise<void> | undefined;

  async function attempt<T>(
    operation: StoreOperation,
    key: string,
    act: (path: string) => Promise<T>,
  ): Promise<T> {
    checkKey(name, operation, key);
    const path = join(absoluteRoot, ...toFileSegments(key));
    try {
      return await act(path);
    } catch (error) {
      throw toStoreError(error, { storeName: name, role, operation, key, path });
    }
  }

  return {
    name,
    identity: `file:${absoluteRoot}`,
    read: (key, maxBytes) => attempt("read", key, (path) => readTagged(path, maxBytes)),
    find: (key) => attempt("find", key, async (path) => (await readTagged(path))?.etag),
    has: (key) =>
      attempt("find", key, async (path) => (await unlessAbsent(stat(path)))?.isFile() === true),
    write: (key, object, precondition) =>
      attempt("write", key, async (path) => {
        await (tidying ??= removeLeftovers(temporaryFolder, Date.now()));
        // No other writer may rename between the comparison and the rename. What takes long is done before and after them.
        const compareAndMove = (move: () => Promise<void>): Promise<boolean> =>
          whileLocked(async () => {
            const held = (await readTagged(path))?.etag;
            if (!mayWrite(precondition, held)) return false;
            await move();
            return true;
          });
        const decide = precondition && compareAndMove;
        return (await replaceFile(path, object.body, temporaryFolder, modes, decide))
          ? { kind: "written", etag: digestOf(object.body) }
          : { kind: "conflict" };
      }),
    remove: (key) => attempt("remove", key, (path) => removeFile(path, absoluteRoot)),
    list: (folder) => attempt("list", folder, () => listKeys(absoluteRoot, folder)),
    listAll: (limit) => attempt("list", "*", () => takeNames(absoluteRoot, limit)),
  };
}

async function listKeys(root: string, folder: string): Promise<readonly string[]> {
  const path = join(root, ...folder.split("/"));
  const entries = (await unlessAbsent(readdir(path, { withFileTypes: true }))) ?? [];
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  return names.filter((name) => name.includes(".")).map((name) => `${folder}/${name}`);
}

/** Folders count as well: there may be millions of empty ones. */
async function takeNames(root: string, limit: number): Promise<Inventory> {
  const names: string[] = [];
  let seen = 0;
  for await (const { name, isFolder } of walk(root, "")) {
    if ((seen += 1) > limit) return { names, isComplete: false };
    if (!isFolder) names.push(name);
  }
  return { names, isComplete: true };
}

/** Everything below a folder except temporary files. Does not follow links, which may lead anywhere. */
async function* walk(
  root: string,
  folder: string,
): AsyncGenerator<{ readonly name: string; readonly isFolder: boolean }> {
  // Absent: pruned in the meantime, or never written to.
  for await (const entry of (await unlessAbsent(opendir(join(root, folder)))) ?? []) {
    const name = `${folder}${entry.name}`;
    if (name === TEMPORARY_FOLDER) continue;
    const isFolder = entry.isDirectory();
    yield { name, isFolder };
    if (isFolder) yield* walk(root, `${name}/`);
  }
}

async function readTagged(path: string, maxBytes?: number): Promise<FoundObject | undefined> {
  const reading =
    maxBytes === undefined ? readFile(path) : readStart(createReadStream(path), maxBytes);
  const body = await unlessAbsent<Uint8Array>(reading);
  return body && { body, etag: digestOf(body) };
}

/** A critical section takes milliseconds, so a lock this old belongs to a process that was killed. The minimum of the library. */
const STALE_MS = 5_000;

/**
 * In total twice as long as the lock of a dead writer lasts, and counted, because the clock may be set. The library draws, sorts and copies
 * all waits for each lock beforehand, so they grow and are few.
 */
const RETRIES = { retries: 150, factor: 1.05, minTimeout: 5, maxTimeout: 100, randomize: true };

/** Acts that one hold of the lock serves: other processes wait as well. */
const ACTS_TOGETHER = 16;

interface Act {
  readonly run: () => Promise<void>;
  readonly fail: (error: unknown) => void;
}

/**
 * Runs acts one after another while this process holds the lock of a folder. Those of this process wait in memory, and share the lock: to
 * take it costs more than most acts, and who finds it taken comes back only after a pause.
 */
function createCriticalSection(folder: string, mode: number) {
  const inTurn = pLimit(1);
  const waiting: Act[] = [];
  const serve = async (): Promise<void> => {
    const acts = waiting.splice(0, ACTS_TOGETHER);
    if (acts.length === 0) return;
    const runAll = async (): Promise<void> => {
      for (const { run } of acts) await run();
    };
    await withLock(folder, mode, runAll).catch((error: unknown) => {
      for (const { fail } of acts) fail(error);
    });
  };
  return <T>(act: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      waiting.push({ run: () => act().then(resolve, reject), fail: reject });
      void inTurn(serve);
    });
}

/** Runs the act while this process holds the lock of the folder. Throws the system's error; ELOCKED if the lock stayed taken. */
async function withLock<T>(folder: string, mode: number, act: () => Promise<T>): Promise<T> {
  await makeFolder(folder, mode);
  const release = await lock(folder, {
    lockfilePath: join(folder, "lock"),
    stale: STALE_MS,
    retries: RETRIES,
    // Another process took the lock over while this one was paused: the write is then a late one, which publishing tolerates.
    onCompromised: () => undefined,
  });
  try {
    return await act();
  } finally {
    // It no longer exists when it was taken over.
    await release().catch(() => undefined);
  }
}

/** The tag in stores that have none of their own: SHA-256 of the bytes. */
export function digestOf(body: Uint8Array): ETag {
  return createHash("sha256").update(body).digest("hex");
}

/** Whether a precondition holds for the object with this tag (undefined: no object). No precondition always holds. */
export function mayWrite(precondition: Precondition | undefined, held: ETag | undefined): boolean {
  if (precondition === undefined) return true;
  return precondition.kind === "absent" ? held === undefined : held === precondition.etag;
}
