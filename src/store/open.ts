import { setTimeout as delay } from "node:timers/promises";
import type { ObjectStore } from "../model/store.ts";
import { createDirectoryStore } from "./directory.ts";
import { parseLocation } from "./location.ts";
import type { S3Location } from "./s3-url.ts";
import { SETTING_OF, type StoreRole } from "./settings.ts";

export type OpenedStore =
  | { readonly kind: "opened"; readonly store: ObjectStore }
  /** The URL is not that of a store; the message names the option and says what to write. */
  | { readonly kind: "refused"; readonly message: string };

export interface OpenStoreOptions {
  /** `public` is the store of `--store`, `private` that of `--state`. */
  readonly role: StoreRole;
}

/**
 * The store of a URL: `file:DIR`, `file:/DIR`, `file:///DIR`, or `s3://BUCKET/PREFIX?…`. Accesses neither disk nor network, so a
 * directory that cannot be used fails at the first read or write. Never rejects. (A promise, because the S3 client is loaded here.)
 */
export async function openStore(url: string, options: OpenStoreOptions): Promise<OpenedStore> {
  const location = parseLocation(url);
  switch (location.kind) {
    case "directory":
      return { kind: "opened", store: createDirectoryStore(location.path, options) };
    case "s3":
      return { kind: "opened", store: await openBucket(location.location, options) };
    case "unknown":
      return refuse(options.role, location.problem);
  }
}

/** The client is a large module, which a store in a directory never loads. */
async function openBucket(location: S3Location, { role }: OpenStoreOptions): Promise<ObjectStore> {
  const { createS3Store } = await import("./s3.ts");
  return createS3Store(location, {
    role,
    random: Math.random,
    sleep: (ms) => delay(ms),
  });
}

function refuse(role: StoreRole, problem: string): OpenedStore {
  return { kind: "refused", message: `${SETTING_OF[role]}: ${problem}` };
}
