export interface StoredObject {
  readonly body: Uint8Array;
  readonly contentType: string;
  readonly cacheControl: string;
}

/** The version of an object in a store. Opaque: equal tags mean equal bytes, and nothing else. */
export type ETag = string;

export interface FoundObject {
  readonly body: Uint8Array;
  readonly etag: ETag;
}

/** What must hold at the time of a write. */
export type Precondition =
  | { readonly kind: "absent" }
  | { readonly kind: "unchanged"; readonly etag: ETag };

/** `conflict`: the precondition did not hold, perhaps because of the same writer's earlier attempt. */
export type WriteResult =
  | { readonly kind: "written"; readonly etag: ETag }
  | { readonly kind: "conflict" };

/** The names in a store, up to a limit. */
export interface Inventory {
  /** Relative to the store's prefix, unordered, and as stored: with the extension that some stores add to a key. */
  readonly names: readonly string[];
  /** False: there are more. */
  readonly isComplete: boolean;
}

/** Stores objects under slash-separated keys. Independent of what the bytes mean. */
export interface ObjectStore {
  /** For messages: `file:public`. */
  readonly name: string;
  /** Normalised location, for comparison: an absolute path, or service, bucket, prefix and style of keys. */
  readonly identity: string;
  /**
   * Undefined: there is no such object. Throws `StoreError`.
   *
   * @param maxBytes of objects that strangers write: a longer one is cut off one byte after them.
   */
  read(key: string, maxBytes?: number): Promise<FoundObject | undefined>;
  /** The tag of an object, without its bytes; undefined if there is none. Throws `StoreError`. */
  find(key: string): Promise<ETag | undefined>;
  /** Whether there is an object, whatever its bytes. Counts as `find`; cheaper where tags are digests. Throws `StoreError`. */
  has(key: string): Promise<boolean>;
  /**
   * Replaces the object atomically: a reader gets the old bytes or the new ones. A precondition is checked in the same step.
   * Throws `StoreError`; if its `isUnknown` is true, the object may have been written nevertheless.
   */
  write(key: string, object: StoredObject, precondition?: Precondition): Promise<WriteResult>;
  /** Removes the object; succeeds if it is absent. Throws `StoreError`. */
  remove(key: string): Promise<void>;
  /** Keys of the objects directly in a folder, unordered. Names need a dot: some stores add an extension to others. Throws `StoreError`. */
  list(folder: string): Promise<readonly string[]>;
  /** Names of all objects in the store, including those of others, at most `limit`: there may be millions. Throws `StoreError`. */
  listAll(limit: number): Promise<Inventory>;
  /** The form of a tag that the store accepts in `If-Match`, as detected so far; absent if there is no such choice. */
  readonly etagStyle?: () => "quoted" | "unquoted";
  /**
   * How far the clock of this machine was ahead of the store's clock at its last answer; negative: behind. Undefined before the
   * first answer with a time; absent if the store has no clock of its own.
   */
  readonly clockAheadMs?: () => number | undefined;
}

export type StoreOperation = "read" | "find" | "write" | "remove" | "list";

export interface StoreErrorOptions extends ErrorOptions {
  /** The request may have been carried out: the answer was lost, was late, or was an error of the store itself. */
  readonly isUnknown?: boolean;
  /** Code of a fault that other stores at the same endpoint have as well: of the credentials, the clock, the endpoint itself. */
  readonly sharedFault?: string | undefined;
}

/** A request to a store failed. The message says what to fix. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly operation: StoreOperation;
  readonly key: string;
  readonly isUnknown: boolean;
  readonly sharedFault: string | undefined;

  constructor(
    operation: StoreOperation,
    key: string,
    message: string,
    options?: StoreErrorOptions,
  ) {
    super(message, options);
    this.operation = operation;
    this.key = key;
    this.isUnknown = options?.isUnknown ?? false;
    this.sharedFault = options?.sharedFault;
  }
}

/** For the `catch` of a promise: what to do about a failing store. Every other error is thrown again. */
export function onStoreError<T>(handle: (error: StoreError) => T): (error: unknown) => T {
  return (error) => {
    if (error instanceof StoreError) return handle(error);
    throw error;
  };
}

/** Number of requests to a store, by operation. */
export type RequestCounts = Readonly<Record<StoreOperation, number>>;

/** Concurrent requests: enough to hide the latency of a remote store, few enough not to load it. */
export const STORE_CONCURRENCY = 16;

/** `unknown`: the response was lost, so the write may have been carried out. */
export type ConditionalWriteResult =
  | WriteResult
  | { readonly kind: "unknown"; readonly error: StoreError };

/**
 * Writes over the version that was read, and over nothing else. After `conflict` or `unknown` only a read shows whether the write was
 * ours: a `conflict` may be with an earlier request of the same write. Throws `StoreError` when the write was certainly not done.
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

/**
 * How long to wait after a failed attempt (from 1), milliseconds: at random up to a bound that doubles with each, so that writers
 * that met once do not meet again. Source: "Exponential Backoff And Jitter" ("full jitter"), AWS Architecture Blog.
 *
 * @param random uniform in [0, 1).
 */
export function backoffMs(
  attempt: number,
  random: () => number,
  { firstMs, longestMs }: { readonly firstMs: number; readonly longestMs: number },
): number {
  return random() * Math.min(longestMs, firstMs * 2 ** attempt);
}

/** What to do about a store that cannot keep an object whose name is the folder of others. */
export const KEYS_CURE = "Add keys=suffixed to --store, before anything is published there.";
