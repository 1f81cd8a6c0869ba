import { createHash } from "node:crypto";
import { lstat, open, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { lock } from "proper-lockfile";
import type { FoundObject } from "../../model/store.ts";
import { replaceOwnedFile } from "../../store/atomic-file.ts";
import { unlessAbsent } from "../../model/errors.ts";

/** An edit takes two seconds at most; an older lock belongs to a killed process. */
const STALE_MS = 10_000;

/** Together longer than `STALE_MS`, and than many edits in a row. */
const RETRIES = { retries: 3_000, factor: 1, minTimeout: 5, maxTimeout: 20, randomize: true };

/** For the owner only, because the ids in a registry are unguessable. */
const NEW_FILE_MODE = 0o600;

/** Access to a file or object. */
export interface Held {
  /** Undefined: it does not exist. Throws system errors and `StoreError`. */
  readonly read: () => Promise<FoundObject | undefined>;
  /** Replaces it unless it has changed since it was read; `unknown`: it may have been written. Throws as `read` does. */
  readonly replace: (
    body: Uint8Array,
    held: FoundObject | undefined,
  ) => Promise<"written" | "conflict" | "unknown">;
}

/** Takes a file piece by piece, whose memory is used again, and says what of it is wanted. */
export interface Sieve {
  readonly push: (piece: Uint8Array) => void;
  readonly end: () => Uint8Array;
}

const PIECE_BYTES = 64 * 1024;

function createKeepAll(): Sieve {
  const pieces: Uint8Array[] = [];
  return {
    push: (piece) => void pieces.push(Buffer.from(piece)),
    end: () => Buffer.concat(pieces),
  };
}

/** The first `maxBytes` of a file, with the digest of all of them; undefined if there is none. Throws system errors. */
export async function readFileStart(
  path: string,
  maxBytes: number,
  keep: Sieve = createKeepAll(),
): Promise<FoundObject | undefined> {
  const handle = await unlessAbsent(open(path));
  if (handle === undefined) return undefined;
  try {
    const digest = createHash("sha256");
    // One buffer for all pieces: those of a registry of millions would be garbage faster than it is collected.
    const buffer = Buffer.allocUnsafe(Math.min(PIECE_BYTES, maxBytes));
    for (let left = maxBytes; left > 0;) {
      const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, left), null);
      if (bytesRead === 0) break;
      const piece = buffer.subarray(0, bytesRead);
      digest.update(piece);
      keep.push(piece);
      left -= bytesRead;
    }
    return { body: keep.end(), etag: digest.digest("hex") };
  } finally {
    await handle.close();
  }
}

/**
 * Runs an action under the lock of a file (`FILE.lock` next to it), which holds between processes of this machine. A symbolic link is
 * followed and kept. Throws system errors; ELOCKED if the lock stayed taken. The action reads at most `maxBytes`. It replaces the file
 * atomically, with owner and mode, unless the file has changed (text editors ignore the lock) or the lock was lost.
 */
export async function withLockedFile<T>(
  path: string,
  maxBytes: number,
  act: (file: Held) => Promise<T>,
): Promise<T> {
  const target = await findTarget(path);
  let isLost = false;
  const release = await lock(target, {
    // The file need not exist.
    realpath: false,
    stale: STALE_MS,
    retries: RETRIES,
    onCompromised: () => {
      isLost = true;
    },
  });
  try {
    return await act({
      read: () => readFileStart(target, maxBytes),
      replace: async (body, held) => {
        const now = await readFileStart(target, body.length + (held?.body.length ?? 0) + 1);
        if (isLost || now?.etag !== held?.etag) return "conflict";
        await replaceOwnedFile(target, body, NEW_FILE_MODE);
        return "written";
      },
    });
  } finally {
    // Fails if another process has taken the lock over.
    await release().catch(() => undefined);
  }
}

/** Throws for a dangling link: where to create its file would be a guess. */
async function findTarget(path: string): Promise<string> {
  const isThere = (await unlessAbsent(lstat(path))) !== undefined;
  return isThere ? realpath(path) : join(await realpath(dirname(path)), basename(path));
}
