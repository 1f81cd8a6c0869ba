import { randomUUID } from "node:crypto";
import { type ObjectStore, StoreError } from "../model/store.ts";
import type { Check } from "../render/checks.ts";
import { parseLocation } from "../store/location.ts";

const NAME = "--store keys";
const CURE = "Add keys=suffixed to --store, before anything is published there.";

/**
 * Whether the store keeps an object beside others below it, as the list `api/v1/status` and the details `api/v1/status/<slug>` are, and
 * shows it to who lists: some stores keep objects as files, and a file is no folder. Nothing for places where no key is another's folder.
 */
export async function checkKeys(url: string, store: ObjectStore): Promise<readonly Check[]> {
  const place = parseLocation(url);
  if (place.kind !== "s3" || place.location.keyStyle !== "exact") return [];
  // A point in the name, for only such are listed.
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
        return { result: "fail", detail: `the store loses x or x/y where both are. ${CURE}` };
    }
    const isListed = (await store.list("doctor")).includes(parent);
    return isListed
      ? { result: "ok", detail: "keeps x beside x/y, and lists it" }
      : {
          result: "warn",
          detail: `the store does not list x where there is x/y, so a backup made by listing loses it. ${CURE}`,
        };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { result: "fail", detail: error.message };
  } finally {
    await removeAll(store, [child, parent]);
  }
}

/** What cannot be removed was said already, or is a right that the check of the store itself asks for. */
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
