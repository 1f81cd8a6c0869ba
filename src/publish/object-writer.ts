import type { Document } from "../model/service/snapshot.ts";
import {
  backoffMs,
  type ConditionalWriteResult,
  writeIfUnchanged,
  type ETag,
  KEYS_CURE,
  type ObjectStore,
  StoreError,
} from "../model/store.ts";

/** Attempts to write one object before giving up. */
const TRIES = 8;

const BACKOFF = { firstMs: 20, longestMs: 5_120 };

export interface ObjectWriterDependencies {
  readonly store: ObjectStore;
  /** Whether another writer has advanced the state since. Called only after an unexpected result, and before a removal. */
  readonly isOvertaken: () => Promise<boolean>;
  readonly sleep: (ms: number) => Promise<void>;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Whether this writer must stop, because it could overwrite a newer generation unnoticed. */
  readonly isOutOfTime: () => boolean;
}

export type RemovalEnd = "removed" | "absent" | "stopped";

/**
 * Writes and removes single objects, and overwrites only a version that it knows, until another writer is faster or the time is up.
 * `touch` is called before each request that may change the store. Every method throws `StoreError`.
 */
export class ObjectWriter {
  readonly #deps: ObjectWriterDependencies;
  written = 0;
  removed = 0;
  isOvertaken = false;
  isOutOfTime = false;

  constructor(deps: ObjectWriterDependencies) {
    this.#deps = deps;
  }

  /** Writes the object unless it still has the confirmed tag. Returns as `write`. */
  async verify(document: Document, etag: ETag | null, touch: () => void) {
    const held = await this.#deps.store.find(document.key);
    if (held !== undefined && held === etag) return held;
    return this.write(document, held ?? null, touch, true);
  }

  /**
   * Writes an object that no known generation has written: one request for each object of an empty store. An object that exists
   * nevertheless, as after the loss of a state, is compared. Returns as `write`.
   */
  async create(document: Document, touch: () => void): Promise<ETag | undefined> {
    if (this.#mustStop()) return undefined;
    touch();
    const result = await this.#tryWrite(document, null);
    if (result.kind === "written") return result.etag;
    // As in `write`: a store that never responds is not a slow one.
    if (result.kind === "unknown" && this.#mustStop() && this.isOutOfTime) throw result.error;
    return this.compare(document, touch);
  }

  /** Writes the object unless it already has the right bytes, unconfirmed, as after a crash or the loss of a state. Returns as `write`. */
  async compare(document: Document, touch: () => void): Promise<ETag | undefined> {
    const held = await this.#deps.store.read(document.key);
    if (held !== undefined && Buffer.compare(held.body, document.body) === 0) return held.etag;
    return this.write(document, held?.etag ?? null, touch, true);
  }

  /** Removes the object. With `mustVerify` only if it exists. */
  async remove(key: string, mustVerify: boolean, touch: () => void): Promise<RemovalEnd> {
    if (this.#mustStop()) return "stopped";
    if (mustVerify && !(await this.#deps.store.has(key))) return "absent";
    // A removal has no precondition, and must not remove what a newer generation may have written again.
    if (await this.#checkOvertaken()) return "stopped";
    touch();
    await this.#deps.store.remove(key);
    this.removed += 1;
    return "removed";
  }

  /**
   * Writes over the version with a tag (null: none), and if that has been replaced, over the version that the store has.
   *
   * @returns the tag of what was written; undefined when this writer must stop.
   * @param isLookedUp the tag comes from the store, not from the state, and may be of a newer generation. `isOvertaken` is called
   * after the lookup, so that anything published later makes the write fail.
   */
  async write(
    document: Document,
    etag: ETag | null,
    touch: () => void,
    isLookedUp = false,
  ): Promise<ETag | undefined> {
    let expected = etag;
    let mustAsk = isLookedUp;
    let failure: StoreError | undefined;
    for (let attempt = 1; attempt <= TRIES; attempt += 1) {
      if (this.#mustStop()) {
        // A store that never responds is not a slow one: the error must be reported.
        if (this.isOutOfTime && failure !== undefined) throw failure;
        return undefined;
      }
      if (mustAsk && (await this.#checkOvertaken())) return undefined;
      touch();
      const result = await this.#tryWrite(document, expected);
      if (result.kind === "written") return result.etag;
      failure = result.kind === "unknown" ? result.error : undefined;
      if (failure !== undefined && attempt === TRIES) throw failure;
      // A conflict may be with an earlier attempt, and a lost response may hide a success: only a lookup shows the version.
      await this.#deps.sleep(backoffMs(attempt, this.#deps.random, BACKOFF));
      expected = (await this.#deps.store.find(document.key)) ?? null;
      mustAsk = true;
    }
    const { name } = this.#deps.store;
    throw new StoreError(
      "write",
      document.key,
      expected === null
        ? `${name}: ${document.key} does not exist, and the store refuses to create it, as some do with an object that is the folder of others. ${KEYS_CURE}`
        : `${name}: ${document.key} was changed by others ${TRIES} times in a row. Is another program writing there?`,
    );
  }

  async #tryWrite(document: Document, expected: ETag | null): Promise<ConditionalWriteResult> {
    const { key, contentType, cacheControl, body } = document;
    const object = { contentType, cacheControl, body };
    const result = await writeIfUnchanged(this.#deps.store, key, object, expected ?? undefined);
    if (result.kind === "written") this.written += 1;
    return result;
  }

  async #checkOvertaken(): Promise<boolean> {
    const isOvertaken = await this.#deps.isOvertaken();
    if (isOvertaken) this.isOvertaken = true;
    return isOvertaken;
  }

  #mustStop(): boolean {
    if (this.#deps.isOutOfTime()) this.isOutOfTime = true;
    return this.isOvertaken || this.isOutOfTime;
  }
}
