import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type ObjectStore, StoreError } from "../model/store.ts";
import { toPrivateObject } from "../state/codec/stored.ts";
import { replaceFile } from "../store/atomic-file.ts";
import { unlessAbsent } from "../model/errors.ts";

export const SECRET_KEY = "intake-secret.bin";
const SECRET_BYTES = 32;

/** In the folder of the journal, whose own files have other names. */
const COPY_NAME = "secret.bin";
const COPY_MODES = { file: 0o600, folder: 0o700 } as const;

/** A state store that an intake cannot use until an operator changes it, so retries are useless. */
export class UnusableStoreError extends StoreError {}

/**
 * The key of the network hashes in the state store; undefined before the first intake. Throws `StoreError`, and `UnusableStoreError` if
 * the key is damaged: a new one would count networks twice, and overwrite one that an operator may still restore.
 */
export async function findSecret(store: ObjectStore): Promise<Uint8Array | undefined> {
  const secret = (await store.read(SECRET_KEY))?.body;
  if (secret === undefined || isWhole(secret)) return secret;
  throw new UnusableStoreError(
    "read",
    SECRET_KEY,
    `${store.name}: ${SECRET_KEY} is damaged, it has ${secret.byteLength} bytes in place of ${SECRET_BYTES}. Restore it from a backup, or delete it: then the next start stores the copy from its journal folder there, or creates another key, and networks may count twice for an hour.`,
  );
}

function isWhole(secret: Uint8Array): boolean {
  return secret.byteLength === SECRET_BYTES;
}

/** Stores a secret key, or `copy`, if the state store has none. Returns the stored one, as intakes share it. Throws `StoreError`. */
export async function putSecret(
  store: ObjectStore,
  copy: Uint8Array | undefined,
): Promise<Uint8Array> {
  const secret = copy ?? randomBytes(SECRET_BYTES);
  const object = toPrivateObject(secret, "application/octet-stream");
  await store.write(SECRET_KEY, object, { kind: "absent" });
  return (await findSecret(store)) ?? secret;
}

/** The copy of the key from an earlier start; undefined if it is missing or damaged. Throws system errors. */
export async function readCopy(folder: string): Promise<Uint8Array | undefined> {
  const copy = await unlessAbsent(readFile(join(folder, COPY_NAME)));
  return copy !== undefined && isWhole(copy) ? copy : undefined;
}

/** Keeps a copy in the folder of the journal, readable by the owner only, for a start while the store is down. Throws system errors. */
export async function keepCopy(folder: string, secret: Uint8Array): Promise<void> {
  const known = await readCopy(folder);
  if (known !== undefined && Buffer.compare(known, secret) === 0) return;
  await replaceFile(join(folder, COPY_NAME), secret, folder, COPY_MODES);
}
