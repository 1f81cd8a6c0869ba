import { access, constants } from "node:fs/promises";
import { resolve } from "node:path";
import { makeFolder } from "../store/atomic-file.ts";
import { errnoOf } from "../store/store-error.ts";
import { UsageError } from "../setup/errors.ts";

/** The disk of a journal fails, but the setting may be right, so another start can succeed. */
export class JournalError extends Error {
  override readonly name = "JournalError";
}

/** Errors that pass without another value of `journal`: no space, no descriptors, a failing disk. Source: errno(3). */
const PASSING: ReadonlySet<string> = new Set([
  "EAGAIN",
  "EBUSY",
  "EDQUOT",
  "EIO",
  "EMFILE",
  "ENFILE",
  "ENOMEM",
  "ENOSPC",
  "ESTALE",
]);

/** Creates the folder of a journal if it is missing. Throws `UsageError` or `JournalError` if it cannot be read and written. */
export function createJournalFolder(folder: string): Promise<void> {
  return withJournalFolder(folder, async () => {
    await makeFolder(resolve(folder), 0o700);
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  });
}

/** Runs an action on the folder of a journal, and throws system errors as `UsageError` or `JournalError`. */
export async function withJournalFolder<T>(folder: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const code = errnoOf(error);
    if (code === undefined || !(error instanceof Error)) throw error;
    const message = `journal ${folder}: reports cannot be kept there (${error.message}).`;
    if (PASSING.has(code)) {
      throw new JournalError(`${message} Check that disk, and start the intake again.`, {
        cause: error,
      });
    }
    throw new UsageError([`${message} Name a folder that this user can read and write.`]);
  }
}
