import { errnoOf } from "../model/errors.ts";
import { StoreError, type StoreErrorOptions, type StoreOperation } from "../model/store.ts";
import { findKeyProblem } from "./key.ts";

/** The option that names the store of a role, for messages. */
export const SETTING_OF = {
  public: "--store",
  private: "--state",
  registry: "--monitors",
  exchange: "exchange",
  ask: "--ask",
  evidence: "evidence",
} as const;

/** What a store holds; `ask` and `evidence` are the two sides of the exchange, as a vantage names them. */
export type StoreRole = keyof typeof SETTING_OF;

export interface StoreAttempt {
  readonly storeName: string;
  readonly role: StoreRole;
  readonly operation: StoreOperation;
  readonly key: string;
}

/** `{path}` and `{setting}` are filled in. Codes: errno(3). */
const REMEDIES: Readonly<Record<string, string>> = {
  EACCES:
    "this user is not allowed to use {path}. Give it the right to read and write there, or point {setting} at a folder of its own.",
  EPERM:
    "this user is not allowed to change {path}. Give it the right to read and write there, or point {setting} at a folder of its own.",
  EROFS:
    "{path} is on a read-only file system. Mount it for writing, or point {setting} at another folder.",
  ENOSPC:
    "no space (or no inode) is left on the disk of {path}. Free some, or point {setting} at another disk.",
  EDQUOT:
    "the disk quota of this user is used up at {path}. Free some space, raise the quota, or point {setting} elsewhere.",
  ENOTDIR:
    "a file is in the place of a folder, in the path {path}. Move that file away, or point {setting} at a folder.",
  EEXIST:
    "a file is in the place of a folder, at {path}. Move that file away, or point {setting} at a folder.",
  EISDIR: "a folder is in the place of the file {path}. Move that folder away.",
  ENOENT:
    "{path} disappeared while it was being used, or cannot be made there. Make sure that no other program cleans up that folder, or point {setting} at another one.",
  ENAMETOOLONG:
    "the path {path} is too long for this file system. Point {setting} at a shorter path.",
  ELOOP:
    "symbolic links form a loop in the path {path}. Fix the link, or point {setting} elsewhere.",
  EMFILE:
    "too many files are open in this process ({path}). Raise the limit (ulimit -n), or lower concurrency.",
  ENFILE: "too many files are open on this machine ({path}). Raise its limit (sysctl fs.file-max).",
  EFBIG: "{path} would exceed the largest file size allowed (ulimit -f). Raise that limit.",
  EIO: "the disk of {path} reports an input/output error. Check the disk, or point {setting} at another one.",
  EBUSY: "another program is using {path}. Close that program, and run again.",
};

/** The error of an attempt, with the code of its failure and the words that say what to fix. */
export function failedAttempt(
  { storeName, operation, key }: StoreAttempt,
  code: string,
  words: string,
  options: StoreErrorOptions,
): StoreError {
  const message = `${storeName}: cannot ${operation} ${key} (${code}): ${words}`;
  return new StoreError(operation, key, message, options);
}

/** Throws `StoreError` for an invalid key. */
export function checkKey(storeName: string, operation: StoreOperation, key: string): void {
  const problem = findKeyProblem(key);
  if (problem === undefined) return;
  const message = `${storeName}: ${JSON.stringify(key)} is not a valid key: ${problem}.`;
  throw new StoreError(operation, key, message);
}

/** A failed system call as a `StoreError` that says what to fix. Any other thrown value is a defect, and returned unchanged. */
export function toStoreError(
  error: unknown,
  attempt: StoreAttempt & { readonly path: string },
): unknown {
  const code = errnoOf(error);
  if (code === undefined || !(error instanceof Error)) return error;
  const path = pathOf(error) ?? attempt.path;
  const remedy = REMEDIES[code] ?? `the system answered "${error.message}" for {path}.`;
  const words = remedy.replace("{path}", () => path).replace("{setting}", SETTING_OF[attempt.role]);
  return failedAttempt(attempt, code, words, { cause: error });
}

/** Of a rename the target, which operators know, rather than the temporary file. */
function pathOf(error: Error): string | undefined {
  if ("dest" in error && typeof error.dest === "string") return error.dest;
  return "path" in error && typeof error.path === "string" ? error.path : undefined;
}
