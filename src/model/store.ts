/** What a store keeps beside the bytes. */
export interface StoredObject {
  readonly body: Uint8Array;
  readonly contentType: string;
  readonly cacheControl: string;
}

/** A place for objects under slash-separated keys. It moves bytes and knows nothing of what they mean. */
export interface ObjectStore {
  /** For messages: `file:public`. */
  readonly name: string;
  /** The bytes under the key, or undefined when there is no such object. Throws `StoreError`. */
  read(key: string): Promise<Uint8Array | undefined>;
  /** Replaces the object in one step: a reader sees the old bytes or the new ones. Throws `StoreError`. */
  write(key: string, object: StoredObject): Promise<void>;
  /** Removes the object; an absent one is fine. Throws `StoreError`. */
  remove(key: string): Promise<void>;
}

/** A store did not do what was asked. The message says what to mend. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly operation: "read" | "write" | "remove";
  readonly key: string;

  constructor(
    operation: "read" | "write" | "remove",
    key: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.operation = operation;
    this.key = key;
  }
}
