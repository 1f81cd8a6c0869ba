import type { Document } from "../model/snapshot.ts";
import {
  type ETag,
  type ObjectStore,
  type Precondition,
  StoreError,
  type WriteResult,
} from "../model/store.ts";

/** Looks at one object before giving up: each time, somebody else has changed it in between. */
const TRIES = 8;

const FIRST_BACKOFF_MS = 20;

export interface ObjectWriterDependencies {
  readonly store: ObjectStore;
  /** Whether another writer has advanced the state since. Asked only when a write met something unexpected. */
  readonly isOvertaken: () => Promise<boolean>;
  readonly sleep: (ms: number) => Promise<void>;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Whether this writer has been at it for so long that it must stop, lest it write over a newer generation unseen. */
  readonly isOutOfTime: () => boolean;
}

/** How the removal of one object ended. */
export type RemovalEnd = "removed" | "absent" | "stopped";

/** `unknown`: the answer was lost, the write may have been carried out. */
type Attempted = WriteResult | { readonly kind: "unknown"; readonly error: StoreError };

/**
 * Writes and removes objects one by one, each only over what it has seen, until another writer is faster or the time is up. `touch` is
 * called before whatever may change the store. Every method throws `StoreError`.
 */
export class ObjectWriter {
  readonly #deps: ObjectWriterDependencies;
  #written = 0;
  #removed = 0;
  #isOvertaken = false;
  #isOutOfTime = false;

  constructor(deps: ObjectWriterDependencies) {
    this.#deps = deps;
  }

  get written(): number {
    return this.#written;
  }

  get removed(): number {
    return this.#removed;
  }

  get isOvertaken(): boolean {
    return this.#isOvertaken;
  }

  get isOutOfTime(): boolean {
    return this.#isOutOfTime;
  }

  /**
   * Writes over the version that the state remembers (null: over nothing).
   *
   * @returns the tag of what was written; undefined when this writer must stop.
   */
  writeOver(document: Document, etag: ETag | null, touch: () => void): Promise<ETag | undefined> {
    return this.#write(document, etag, false, touch);
  }

  /** Leaves the object alone if it still has the tag that was confirmed. Returns as `writeOver`. */
  async verify(
    document: Document,
    etag: ETag | null,
    touch: () => void,
  ): Promise<ETag | undefined> {
    const held = await this.#deps.store.find(document.key);
    if (held !== undefined && held === etag) return held;
    return this.#write(document, held ?? null, true, touch);
  }

  /**
   * Writes where no generation is known to have written, so that a place which is empty costs one request an object. What is there
   * nevertheless, as after the loss of a state, is compared. Returns as `writeOver`.
   */
  async create(document: Document, touch: () => void): Promise<ETag | undefined> {
    if (this.#mustStop()) return undefined;
    touch();
    const result = await this.#tryWrite(document, preconditionFor(null));
    if (result.kind === "written") {
      this.#written += 1;
      return result.etag;
    }
    // As in `#write`: a store that never answers is no slow one.
    if (result.kind === "unknown" && this.#mustStop() && this.#isOutOfTime) throw result.error;
    return this.compare(document, touch);
  }

  /**
   * Leaves the object alone if it has the right bytes already, although nobody confirmed it: after a crash, or when a state was lost.
   * Returns as `writeOver`.
   */
  async compare(document: Document, touch: () => void): Promise<ETag | undefined> {
    const held = await this.#deps.store.read(document.key);
    if (held !== undefined && Buffer.compare(held.body, document.body) === 0) return held.etag;
    return this.#write(document, held?.etag ?? null, true, touch);
  }

  /** Removes the object. With `mustLook` only if it is there. */
  async remove(key: string, mustLook: boolean, touch: () => void): Promise<RemovalEnd> {
    if (this.#mustStop()) return "stopped";
    if (mustLook && (await this.#deps.store.find(key)) === undefined) return "absent";
    // A removal has no precondition: what a newer generation may have put there again must not go.
    if (await this.#askOvertaken()) return "stopped";
    touch();
    await this.#deps.store.remove(key);
    this.#removed += 1;
    return "removed";
  }

  /**
   * Writes over the version of a tag (null: over nothing), and if that is no longer there, over what a look finds.
   *
   * @param isLookedUp the tag is what the store was just found to hold, and not what the state remembers. It may then be that of
   * a newer generation: the state is asked after the look, so that whatever is published later makes the write fail.
   */
  async #write(
    document: Document,
    etag: ETag | null,
    isLookedUp: boolean,
    touch: () => void,
  ): Promise<ETag | undefined> {
    let expected = etag;
    let mustAsk = isLookedUp;
    let failure: StoreError | undefined;
    for (let attempt = 1; attempt <= TRIES; attempt += 1) {
      if (this.#mustStop()) {
        // A store that never answers is no slow one: who waits for it must hear of it.
        if (this.#isOutOfTime && failure !== undefined) throw failure;
        return undefined;
      }
      if (mustAsk && (await this.#askOvertaken())) return undefined;
      touch();
      const result = await this.#tryWrite(document, preconditionFor(expected));
      if (result.kind === "written") {
        this.#written += 1;
        return result.etag;
      }
      failure = result.kind === "unknown" ? result.error : undefined;
      if (failure !== undefined && attempt === TRIES) throw failure;
      // A conflict may be our own earlier try; a lost answer may hide a success. Only a look tells what is there now.
      await this.#deps.sleep(this.#deps.random() * FIRST_BACKOFF_MS * 2 ** attempt);
      expected = (await this.#deps.store.find(document.key)) ?? null;
      mustAsk = true;
    }
    throw new StoreError(
      "write",
      document.key,
      `${this.#deps.store.name}: ${document.key} was changed by others ${TRIES} times in a row. Is another program writing there?`,
    );
  }

  async #tryWrite(document: Document, expected: Precondition): Promise<Attempted> {
    const { key, body, contentType, cacheControl } = document;
    try {
      return await this.#deps.store.write(key, { body, contentType, cacheControl }, expected);
    } catch (error) {
      if (error instanceof StoreError && error.isUnknown) return { kind: "unknown", error };
      throw error;
    }
  }

  async #askOvertaken(): Promise<boolean> {
    const isOvertaken = await this.#deps.isOvertaken();
    if (isOvertaken) this.#isOvertaken = true;
    return isOvertaken;
  }

  #mustStop(): boolean {
    if (this.#deps.isOutOfTime()) this.#isOutOfTime = true;
    return this.#isOvertaken || this.#isOutOfTime;
  }
}

function preconditionFor(etag: ETag | null): Precondition {
  return etag === null ? { kind: "absent" } : { kind: "unchanged", etag };
}
