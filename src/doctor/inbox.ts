import { inboxKey, encodeInbox } from "../state/inbox.ts";
import { createInboxId } from "../store/inbox-id.ts";
import { type ObjectStore, StoreError, type StoreOperation } from "../model/store.ts";
import type { Check } from "./check.ts";
import { parseLocation } from "../store/location.ts";

const NAME = "--state inbox";

/** The right that each step needs in a store with policies, as AWS names it. */
const RIGHTS: Readonly<Partial<Record<StoreOperation, string>>> = {
  write: "s3:PutObject on inbox/*",
  list: "s3:ListBucket on the bucket",
  find: "s3:GetObject on inbox/*",
  remove: "s3:DeleteObject on inbox/*",
};

/**
 * Whether reports can be written, found and removed, by an object that does it. It is a valid batch without reports, so a concurrent
 * publish may count and remove it.
 */
export async function checkInbox(
  url: string,
  store: ObjectStore,
  nowMs: number,
): Promise<readonly Check[]> {
  const key = inboxKey(createInboxId(nowMs));
  const object = {
    body: encodeInbox([]),
    contentType: "application/json",
    cacheControl: "no-store",
  };
  const written = await attempt(url, () => store.write(key, object, { kind: "absent" }));
  if (written !== undefined) return [written];
  // Reports both failures, because several rights may be missing.
  const listed = await attempt(url, async () => {
    const isListed = (await store.list("inbox")).includes(key);
    if (isListed || (await store.find(key)) === undefined) return;
    throw new StoreError("list", "inbox", `${store.name}: a written object is not listed.`);
  });
  const removed = await attempt(url, () => store.remove(key));
  const failed = [listed, removed].filter((check) => check !== undefined);
  if (failed.length > 0) return failed;
  return [{ name: NAME, result: "ok", detail: "reports can be written, listed and removed" }];
}

/** The failure of a step, with the right that it needs; undefined if it succeeded. */
async function attempt(url: string, act: () => Promise<unknown>): Promise<Check | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const right = parseLocation(url).kind === "s3" ? RIGHTS[error.operation] : undefined;
    const needs = right === undefined ? "" : ` It needs ${right}.`;
    return { name: NAME, result: "fail", detail: error.message + needs };
  }
}
