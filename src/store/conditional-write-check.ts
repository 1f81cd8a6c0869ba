import { writeIfUnchanged, type ETag, type ObjectStore, StoreError } from "../model/store.ts";

/** Which preconditions a store enforces. A store may accept the header and ignore it, so each case is tried. */
export interface ConditionalWriteSupport {
  /** A second create of the same object is refused. */
  readonly isCreateExclusive: boolean;
  /** A write over a version that is no longer there is refused. */
  readonly isStaleRefused: boolean;
  /** A write over the version that is there succeeds. */
  readonly isCurrentAccepted: boolean;
  /** The error of the first conditional write, where the store refused the request itself rather than its effect. */
  readonly refusal?: string;
}

/** Whether several writers may share the store. Races that sequential requests cannot show are in docs/publish/protocol.md. */
export function supportsConcurrentWriters({
  isCreateExclusive,
  isStaleRefused,
  isCurrentAccepted,
}: ConditionalWriteSupport): boolean {
  return isCreateExclusive && isStaleRefused && isCurrentAccepted;
}

/**
 * Tries conditional writes on an object of its own, and removes it. Throws `StoreError` when the store cannot be written, read or
 * removed from at all.
 *
 * @param key of an object that does not exist yet.
 */
export async function checkConditionalWrites(
  store: ObjectStore,
  key: string,
): Promise<ConditionalWriteSupport> {
  try {
    const first = await tryWrite(store, key, "first", undefined);
    const second = await tryWrite(store, key, "second", undefined);
    const current = await overwrite(store, key);
    const late = await tryWrite(store, key, "late", first.etag ?? "0");
    const fourth = await tryWrite(store, key, "fourth", current);
    return {
      isCreateExclusive: first.etag !== undefined && second.etag === undefined,
      isStaleRefused: late.etag === undefined,
      isCurrentAccepted: fourth.etag !== undefined,
      ...(first.refusal === undefined ? {} : { refusal: first.refusal }),
    };
  } finally {
    await store.remove(key);
  }
}

/** The tag of what was written; none when the precondition did not hold, or the store does not support preconditions. */
async function tryWrite(
  store: ObjectStore,
  key: string,
  text: string,
  etag: ETag | undefined,
): Promise<{ readonly etag?: ETag; readonly refusal?: string }> {
  try {
    const result = await writeIfUnchanged(store, key, toObject(text), etag);
    return result.kind === "written" ? { etag: result.etag } : {};
  } catch (error) {
    // Some stores answer 501 to any precondition; any other fault shows in the write without one.
    if (!(error instanceof StoreError)) throw error;
    return { refusal: error.message };
  }
}

async function overwrite(store: ObjectStore, key: string): Promise<ETag> {
  const result = await store.write(key, toObject("third"));
  return result.kind === "written" ? result.etag : "";
}

function toObject(text: string): { body: Uint8Array; contentType: string; cacheControl: string } {
  return {
    body: new TextEncoder().encode(`status-snapshot doctor: ${text}\n`),
    contentType: "text/plain; charset=utf-8",
    cacheControl: "no-store",
  };
}
