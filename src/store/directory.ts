import { opendir, readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import {
  type FoundObject,
  type Inventory,
  type ObjectStore,
  StoreError,
  type WriteResult,
} from "../model/store.ts";
import { digestOf, isMet } from "./etag.ts";
import { errnoOf, toStoreError } from "./failure.ts";
import { type Modes, removeFile, removeLeftovers, replaceFile } from "./durable-file.ts";
import { findKeyProblem, toFileSegments } from "./key.ts";
import { createTurns } from "./lock.ts";
import type { StoreRole } from "./settings.ts";

/** Inside the root, so that a rename stays on one file system. No key can name it, and no front serves it. */
const TEMPORARY_FOLDER = ".tmp";

/** A web server, another user, must read the documents (0644); nobody else may read the state (0600). */
const MODES = {
  public: { file: 0o644, folder: 0o755 },
  private: { file: 0o600, folder: 0o700 },
  registry: { file: 0o600, folder: 0o700 },
} as const satisfies Record<StoreRole, Modes>;

export interface DirectoryStore extends ObjectStore {
  /** Absolute path of the directory. It is made by the first write. */
  readonly root: string;
}

export interface DirectoryStoreOptions {
  /**
   * Decides the permissions of new files, and the option that messages name.
   * @default "public"
   */
  readonly role?: StoreRole;
}

/**
 * A store in a directory, one file an object: `api/v1/status` is `<root>/api/v1/status.json` (see `toFileSegments`).
 * Files carry no content type and no cache rule: the web server in front sets both from the path.
 * The first write also removes what crashed writers left. Touches nothing before the first call, and does not throw itself;
 * the operations throw `StoreError` for a key that is not one and for every failing system call.
 */
export function createDirectoryStore(
  root: string,
  { role = "public" }: DirectoryStoreOptions = {},
): DirectoryStore {
  const absoluteRoot = resolve(root);
  const temporaryFolder = join(absoluteRoot, TEMPORARY_FOLDER);
  const takeTurn = createTurns(temporaryFolder, MODES[role].folder);
  const name = `file:${root}`;
  let tidying: Promise<void> | undefined;

  async function attempt<T>(
    operation: StoreError["operation"],
    key: string,
    act: (path: string) => Promise<T>,
  ): Promise<T> {
    const problem = findKeyProblem(key);
    if (problem !== undefined) {
      const message = `${name}: ${JSON.stringify(key)} is no key: ${problem}.`;
      throw new StoreError(operation, key, message);
    }
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
    root: absoluteRoot,
    read: (key) => attempt("read", key, readTagged),
    find: (key) => attempt("find", key, async (path) => (await readTagged(path))?.etag),
    write: (key, object, precondition) =>
      attempt("write", key, async (path) => {
        await (tidying ??= removeLeftovers(temporaryFolder, Date.now()));
        const replace = async (): Promise<WriteResult> => {
          await replaceFile(path, object.body, temporaryFolder, MODES[role]);
          return { kind: "written", etag: digestOf(object.body) };
        };
        if (precondition === undefined) return replace();
        // Between the look and the rename nobody else may rename, so writers with preconditions take turns.
        return takeTurn(async () => {
          const held = (await readTagged(path))?.etag;
          return isMet(precondition, held) ? replace() : { kind: "conflict" };
        });
      }),
    remove: (key) => attempt("remove", key, (path) => removeFile(path, absoluteRoot)),
    list: (folder) => attempt("list", folder, () => listKeys(absoluteRoot, folder)),
    listAll: (limit) => attempt("list", "*", () => takeNames(absoluteRoot, limit)),
  };
}

async function listKeys(root: string, folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(join(root, ...folder.split("/")), { withFileTypes: true });
    const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    return names.filter((name) => name.includes(".")).map((name) => `${folder}/${name}`);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return [];
    throw error;
  }
}

/** Folders count as well, for a place may have millions of empty ones. */
async function takeNames(root: string, limit: number): Promise<Inventory> {
  const names: string[] = [];
  let seen = 0;
  for await (const { name, isFolder } of walk(root, "")) {
    if ((seen += 1) > limit) return { names, isComplete: false };
    if (!isFolder) names.push(name);
  }
  return { names, isComplete: true };
}

/** Everything below a folder but what is under way. Links are not followed: they may lead anywhere. */
async function* walk(
  root: string,
  folder: string,
): AsyncGenerator<{ readonly name: string; readonly isFolder: boolean }> {
  const entries = await opendir(join(root, folder)).catch((error: unknown) => {
    // Pruned meanwhile, or never written to.
    if (errnoOf(error) === "ENOENT") return [];
    throw error;
  });
  for await (const entry of entries) {
    const name = `${folder}${entry.name}`;
    if (name === TEMPORARY_FOLDER) continue;
    const isFolder = entry.isDirectory();
    yield { name, isFolder };
    if (isFolder) yield* walk(root, `${name}/`);
  }
}

async function readTagged(path: string): Promise<FoundObject | undefined> {
  try {
    const body = await readFile(path);
    return { body, etag: digestOf(body) };
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
