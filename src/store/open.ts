import { setTimeout as delay } from "node:timers/promises";
import type { ObjectStore } from "../model/store.ts";
import { createDirectoryStore } from "./directory.ts";
import { parseLocation } from "./location.ts";
import { SETTING_OF, type StoreRole } from "./store-error.ts";

/**
 * The store of a URL: `file:DIR`, `file:/DIR`, `file:///DIR`, or `s3://BUCKET/PREFIX?…`. Accesses neither disk nor network, so a
 * directory that cannot be used fails at the first read or write. Never rejects. (A promise, because the S3 client is loaded here.)
 */
export async function openStore(url: string, { role }: { readonly role: StoreRole }) {
  const location = parseLocation(url);
  switch (location.kind) {
    case "directory":
      return { kind: "opened" as const, store: createDirectoryStore(location.path, { role }) };
    case "s3": {
      // The client is a large module, which a store in a directory never loads.
      const { S3Store } = await import("./s3.ts");
      const effects = { random: Math.random, sleep: (ms: number) => delay(ms) };
      const store: ObjectStore = new S3Store(location.location, { role, ...effects });
      return { kind: "opened" as const, store };
    }
    case "unknown":
      // The message names the option, and says what to write.
      return { kind: "refused" as const, message: `${SETTING_OF[role]}: ${location.problem}` };
  }
}
