/** What a store keeps beside the bytes. */
export interface StoredObject {
  readonly body: Uint8Array;
  readonly contentType: string;
  readonly cacheControl: string;
}

/** The version of an object that a store holds. Opaque: equal tags mean equal bytes, and nothing else may be read from it. */
export type ETag = string;

export interface FoundObject {
  readonly body: Uint8Array;
  readonly etag: ETag;
}

/** What must hold at the moment of a write. */
export type Precondition =
  | { readonly kind: "absent" }
  | { readonly kind: "unchanged"; readonly etag: ETag };

/** `conflict`: the precondition did not hold. It may have been one's own earlier try that changed the object. */
export type WriteResult =
  | { readonly kind: "written"; readonly etag: ETag }
  | { readonly kind: "conflict" };

/** What lies in a place, as far as somebody looked. */
export interface Inventory {
  /** Below the place, in no order, and as the store has them: one that adds an extension to a key shows it. */
  readonly names: readonly string[];
  /** Whether these are all. */
  readonly isComplete: boolean;
}

/** A place for objects under slash-separated keys. It moves bytes and knows nothing of what they mean. */
export interface ObjectStore {
  /** For messages: `file:public`. */
  readonly name: string;
  /** Where it is, the same however somebody wrote it: an absolute path, or service, bucket, prefix and style of keys. */
  readonly identity: string;
  /** The object under the key, or undefined when there is none. Throws `StoreError`. */
  read(key: string): Promise<FoundObject | undefined>;
  /** The tag of the object under the key, without its bytes; undefined when there is none. Throws `StoreError`. */
  find(key: string): Promise<ETag | undefined>;
  /**
   * Replaces the object in one step: a reader sees the old bytes or the new ones. With a precondition, only if it holds at
   * that very moment. Throws `StoreError`; after one whose `isUnknown` is true the object may have been written all the same.
   */
  write(key: string, object: StoredObject, precondition?: Precondition): Promise<WriteResult>;
  /** Removes the object; an absent one is fine. Throws `StoreError`. */
  remove(key: string): Promise<void>;
  /**
   * Keys of the objects right below a folder, in no order. Their names must have a dot: stores that add an extension to others
   * could not tell. Throws `StoreError`.
   */
  list(folder: string): Promise<readonly string[]>;
  /** Names of what lies in the place, ours or not, and no more than so many: a place may hold millions. Throws `StoreError`. */
  listAll(limit: number): Promise<Inventory>;
  /** How the store wants a tag in `If-Match`, as far as was found out; absent where there is no such choice. */
  readonly etagStyle?: () => "quoted" | "unquoted";
  /**
   * How far the clock of this machine was ahead of the store's at its last answer, in milliseconds; negative: behind. Undefined before
   * the first answer that told; absent where the store has no clock of its own.
   */
  readonly clockAheadMs?: () => number | undefined;
}

export type StoreOperation = "read" | "find" | "write" | "remove" | "list";

export interface StoreErrorOptions extends ErrorOptions {
  /** The request may have been carried out: the answer was lost, came too late, or was an error of the store itself. */
  readonly isUnknown?: boolean;
}

/** A store did not do what was asked. The message says what to mend. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly operation: StoreOperation;
  readonly key: string;
  readonly isUnknown: boolean;

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
  }
}

/** How many requests of each kind a store was asked for. */
export type RequestCounts = Readonly<Record<StoreOperation, number>>;
