import {
  type ETag,
  type ObjectStore,
  StoreError,
  type StoredObject,
  type WriteResult,
} from "./store.ts";

/** `unknown`: the response was lost, so the write may have been carried out. */
export type ConditionalWriteResult =
  | WriteResult
  | { readonly kind: "unknown"; readonly error: StoreError };

/**
 * Writes over the version that was read, and over nothing else. After `conflict` or `unknown` only a read shows whether the write
 * was ours: a `conflict` may be with an earlier request of the same write. Throws `StoreError` when the write was certainly not
 * done.
 *
 * @param held the tag of that version; undefined where there is no object.
 */
export async function writeIfUnchanged(
  store: ObjectStore,
  key: string,
  object: StoredObject,
  held: ETag | undefined,
): Promise<ConditionalWriteResult> {
  try {
    return await store.write(
      key,
      object,
      held === undefined ? { kind: "absent" } : { kind: "unchanged", etag: held },
    );
  } catch (error) {
    if (error instanceof StoreError && error.isUnknown) return { kind: "unknown", error };
    throw error;
  }
}
