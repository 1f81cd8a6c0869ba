import type { ObjectStore } from "../model/store.ts";
import { createDirectoryStore } from "./directory.ts";
import { parseLocation } from "./location.ts";
import { SETTING_OF, type StoreRole } from "./settings.ts";

export type OpenedStore =
  | { readonly kind: "opened"; readonly store: ObjectStore }
  /** The URL is not one of a store; the message names the option and says what to write. */
  | { readonly kind: "refused"; readonly message: string };

export interface OpenStoreOptions {
  /** What the store is for: `public` is the store of `--store`, `private` that of `--state`. */
  readonly role: StoreRole;
}

/**
 * The store behind a URL: `file:DIR`, `file:/DIR` or `file:///DIR`. Touches neither disk nor network: a directory that
 * cannot be used shows itself at the first read or write. Never rejects. (A promise, because stores that need heavy
 * modules load them here.)
 */
export async function openStore(url: string, options: OpenStoreOptions): Promise<OpenedStore> {
  const location = parseLocation(url);
  switch (location.kind) {
    case "directory":
      return { kind: "opened", store: createDirectoryStore(location.path, options) };
    case "s3":
      return refuse(options.role, `"${url}": s3:// is not supported yet. Write file:DIR.`);
    case "unknown":
      return refuse(options.role, location.problem);
  }
}

function refuse(role: StoreRole, problem: string): OpenedStore {
  return { kind: "refused", message: `${SETTING_OF[role]}: ${problem}` };
}
