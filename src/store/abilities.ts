import { type ETag, type ObjectStore, StoreError } from "../model/store.ts";

/** What a store makes of preconditions. "Accepts the header" is not "enforces it", so each is tried. */
export interface Abilities {
  /** A second create of the same object is refused. */
  readonly isCreateExclusive: boolean;
  /** A write over a version that is no longer there is refused. */
  readonly isStaleRefused: boolean;
  /** A write over the version that is there succeeds. */
  readonly isCurrentAccepted: boolean;
  /** What became of the first conditional write where the store refused the request itself, and not what it was to do. */
  readonly refusal?: string;
}

/** Whether several writers may share the store. Races that no sequence of requests shows are in docs/publishing.md. */
export function canShare({
  isCreateExclusive,
  isStaleRefused,
  isCurrentAccepted,
}: Abilities): boolean {
  return isCreateExclusive && isStaleRefused && isCurrentAccepted;
}

/**
 * Tries the abilities on an object of its own, which is removed afterwards. Throws `StoreError` when the store cannot be
 * written, read or removed from at all.
 *
 * @param key of an object that does not exist yet.
 */
export async function probeAbilities(store: ObjectStore, key: string): Promise<Abilities> {
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

/** The tag of what was written; none when the precondition was refused, or is not understood by the store at all. */
async function tryWrite(
  store: ObjectStore,
  key: string,
  text: string,
  etag: ETag | undefined,
): Promise<{ readonly etag?: ETag; readonly refusal?: string }> {
  const precondition =
    etag === undefined ? { kind: "absent" as const } : { kind: "unchanged" as const, etag };
  try {
    const result = await store.write(key, toObject(text), precondition);
    return result.kind === "written" ? { etag: result.etag } : {};
  } catch (error) {
    // Some stores answer 501 to any precondition; whatever else is wrong shows in the write without one.
    if (!(error instanceof StoreError)) throw error;
    return error.isUnknown ? {} : { refusal: error.message };
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
