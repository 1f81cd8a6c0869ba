import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type ObjectStore, StoreError } from "../model/store.ts";
import { replaceFile } from "../store/durable-file.ts";
import { errnoOf } from "../store/failure.ts";

export const SECRET_KEY = "intake-secret.bin";
const SECRET_BYTES = 32;

/** Beside the files of the journal, which have other names. */
const COPY_NAME = "secret.bin";
const COPY_MODES = { file: 0o600, folder: 0o700 } as const;

/** A state store that an intake cannot use until somebody has changed something there: trying again is of no use. */
export class UnusableStoreError extends StoreError {}

/**
 * The key of the networks' hashes as the state store has it; undefined before the first intake. Throws `StoreError`, and
 * `UnusableStoreError` when it is damaged: a new one would count networks again, and replace what somebody may still restore.
 */
export async function findSecret(store: ObjectStore): Promise<Uint8Array | undefined> {
  const secret = (await store.read(SECRET_KEY))?.body;
  if (secret === undefined || isWhole(secret)) return secret;
  throw new UnusableStoreError(
    "read",
    SECRET_KEY,
    `${store.name}: ${SECRET_KEY} is damaged, it has ${secret.byteLength} bytes in place of ${SECRET_BYTES}. Restore it from a backup, or delete it: then the next start puts the copy of its journal there, or makes another, and networks may count twice for an hour.`,
  );
}

function isWhole(secret: Uint8Array): boolean {
  return secret.byteLength === SECRET_BYTES;
}

/**
 * Gives the state store a key where it has none: made once, shared by all intakes of a state, and known to nobody else. Throws
 * `StoreError`.
 *
 * @param copy an intake's own: a store that lost its key gets the same one again.
 * @returns the key that holds, which may be another intake's.
 */
export async function putSecret(
  store: ObjectStore,
  copy: Uint8Array | undefined,
): Promise<Uint8Array> {
  const object = {
    body: copy ?? randomBytes(SECRET_BYTES),
    contentType: "application/octet-stream",
    cacheControl: "no-store",
  };
  await store.write(SECRET_KEY, object, { kind: "absent" });
  return (await findSecret(store)) ?? object.body;
}

/**
 * The copy of the key that an earlier start left beside the journal; undefined when there is none, or a damaged one, which the next
 * start that reaches the store replaces. Throws the system's error.
 */
export async function readCopy(folder: string): Promise<Uint8Array | undefined> {
  try {
    const copy = await readFile(join(folder, COPY_NAME));
    return isWhole(copy) ? copy : undefined;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Keeps a copy beside the journal, for a start while the store is down. For the owner alone. Throws the system's error. */
export async function keepCopy(folder: string, secret: Uint8Array): Promise<void> {
  const known = await readCopy(folder);
  if (known !== undefined && Buffer.compare(known, secret) === 0) return;
  await replaceFile(join(folder, COPY_NAME), secret, folder, COPY_MODES);
}
