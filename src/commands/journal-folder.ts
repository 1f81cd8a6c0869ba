import { access, constants } from "node:fs/promises";
import { resolve } from "node:path";
import { makeFolder } from "../store/durable-file.ts";
import { errnoOf } from "../store/failure.ts";
import { UsageError } from "./failures.ts";

/** The disk of a journal fails now. The setting may be right, so another start can succeed. */
export class JournalError extends Error {
  override readonly name = "JournalError";
}

/** What no other value of `--journal` is needed for: space, descriptors or a disk may be there again later. Codes: errno(3). */
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

/** Makes the folder of a journal if need be. Throws `UsageError` or `JournalError` when it cannot be read and written. */
export function makeJournalFolder(folder: string): Promise<void> {
  return withJournal(folder, async () => {
    await makeFolder(resolve(folder), 0o700);
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  });
}

/** Does something with the folder of a journal. A failure of the system is thrown as `UsageError` or `JournalError`. */
export async function withJournal<T>(folder: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const code = errnoOf(error);
    if (code === undefined || !(error instanceof Error)) throw error;
    const message = `--journal ${folder}: reports cannot be kept there (${error.message}).`;
    if (PASSING.has(code)) {
      throw new JournalError(`${message} Check that disk, and start the intake again.`, {
        cause: error,
      });
    }
    throw new UsageError([`${message} Name a folder that this user can read and write.`]);
  }
}
