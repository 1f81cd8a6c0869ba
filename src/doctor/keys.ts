import { randomUUID } from "node:crypto";
import { type ObjectStore, StoreError } from "../model/store.ts";
import type { Check } from "./check.ts";
import { parseLocation } from "../store/location.ts";

const NAME = "--store keys";
const CURE = "Add keys=suffixed to --store, before anything is published there.";

/**
 * Whether the store keeps and lists both an object and others below its key, such as `api/v1/status` and `api/v1/status/<slug>`: in stores
 * that keep objects as files, a file cannot be a folder. No check for stores where no key is the folder of another.
 */
export async function checkKeys(url: string, store: ObjectStore): Promise<readonly Check[]> {
  const location = parseLocation(url);
  if (location.kind !== "s3" || location.location.keyStyle !== "exact") return [];
  // With a dot in the name, because `list` returns only such keys.
  const parent = `doctor/${randomUUID()}.list`;
  const child = `${parent}/detail`;
  return [{ name: NAME, ...(await tryBoth(store, parent, child)) }];
}

async function tryBoth(
  store: ObjectStore,
  parent: string,
  child: string,
): Promise<Pick<Check, "result" | "detail">> {
  try {
    for (const key of [parent, child]) await store.write(key, bodyOf(key));
    for (const key of [parent, child]) {
      const found = await store.read(key);
      if (found === undefined || Buffer.compare(found.body, bodyOf(key).body) !== 0)
        return { result: "fail", detail: `the store loses x or x/y if both exist. ${CURE}` };
    }
    const isListed = (await store.list("doctor")).includes(parent);
    return isListed
      ? { result: "ok", detail: "keeps both x and x/y, and lists x" }
      : {
          result: "warn",
          detail: `the store does not list x if there is x/y, so a backup made by listing loses x. ${CURE}`,
        };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { result: "fail", detail: error.message };
  } finally {
    await removeAll(store, [child, parent]);
  }
}

/** Ignores failures: the check of the store itself reports a missing right to remove. */
async function removeAll(store: ObjectStore, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    try {
      await store.remove(key);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    }
  }
}

function bodyOf(key: string): { body: Uint8Array; contentType: string; cacheControl: string } {
  return {
    body: Buffer.from(`status-snapshot doctor ${key}\n`),
    contentType: "text/plain; charset=utf-8",
    cacheControl: "no-store",
  };
}
