import pLimit from "p-limit";
import type { PublishedObject } from "../model/publication.ts";
import type { Document } from "../model/snapshot.ts";
import {
  type ETag,
  type ObjectStore,
  type Precondition,
  StoreError,
  type WriteResult,
} from "../model/store.ts";
import { isMassRemoval, SUSPICION_MS, taskFor } from "./plan.ts";

/** Enough to hide the latency of a store far away, few enough to be no burden to it. */
const CONCURRENCY = 16;

/** Looks at one object before giving up: each time, somebody else has changed it in between. */
const TRIES = 8;

const FIRST_BACKOFF_MS = 20;

export interface PublishDependencies {
  readonly store: ObjectStore;
  /** Whether another writer has advanced the state since. Asked only when a write met something unexpected. */
  readonly isOvertaken: () => Promise<boolean>;
  readonly sleep: (ms: number) => Promise<void>;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Whether this writer has been at it for so long that it must stop, lest it write over a newer generation unseen. */
  readonly isOutOfTime: () => boolean;
}

export interface PublishPlan {
  /** Details first, the list last. */
  readonly documents: readonly Document[];
  readonly objects: ReadonlyMap<string, PublishedObject>;
  readonly isAudit: boolean;
  readonly nowMs: number;
  /** Largest share of the objects that may be removed at once, 0–1; 1 removes whatever is asked for. */
  readonly maxRemovalShare: number;
}

export interface PublishResult {
  /** What is known of the objects now. */
  readonly objects: ReadonlyMap<string, PublishedObject>;
  readonly written: number;
  readonly unchanged: number;
  readonly removed: number;
  /** Removals that were held back because there were too many at once. */
  readonly heldBack: number;
  /** Another writer was faster: what is not done here is its business now. */
  readonly isOvertaken: boolean;
  /** The time was up before everything was done. */
  readonly isOutOfTime: boolean;
  /** Keys that were written, or may have been. */
  readonly touched: ReadonlySet<string>;
}

/**
 * Brings the public store to a generation: all documents but the last at once, then the last one (the list, which names the
 * others), then the removals. The first failure stops what has not begun, waits for what has, and is thrown (`StoreError`).
 */
export async function publish(
  deps: PublishDependencies,
  plan: PublishPlan,
): Promise<PublishResult> {
  const work = new Publishing(deps, plan);
  await forEachBounded(plan.documents.slice(0, -1), (document) => work.put(document));
  await forEachBounded(plan.documents.slice(-1), (document) => work.put(document));
  const obsolete = [...plan.objects].filter(([, { digest }]) => digest === null);
  const isHeldBack = isMassRemoval(plan.objects, plan.maxRemovalShare);
  if (!isHeldBack) await forEachBounded(obsolete, ([key, object]) => work.remove(key, object));
  return work.result(
    isHeldBack ? obsolete.filter(([, { isPublished }]) => !isPublished).length : 0,
  );
}

class Publishing {
  readonly #deps: PublishDependencies;
  readonly #plan: PublishPlan;
  readonly #objects: Map<string, PublishedObject>;
  readonly #touched = new Set<string>();
  #written = 0;
  #removed = 0;
  #isOvertaken = false;
  #isOutOfTime = false;

  constructor(deps: PublishDependencies, plan: PublishPlan) {
    this.#deps = deps;
    this.#plan = plan;
    this.#objects = new Map(plan.objects);
  }

  result(heldBack: number): PublishResult {
    const { documents } = this.#plan;
    return {
      objects: this.#objects,
      written: this.#written,
      unchanged: documents.length - this.#written,
      removed: this.#removed,
      heldBack,
      isOvertaken: this.#isOvertaken,
      isOutOfTime: this.#isOutOfTime,
      touched: this.#touched,
    };
  }

  async put(document: Document): Promise<void> {
    const object = this.#plan.objects.get(document.key);
    if (object === undefined) throw new RangeError(`${document.key} is not in the plan`);
    const task = taskFor(object, this.#plan.isAudit, this.#plan.nowMs);
    if (task === "none") return;
    if (task === "write") return this.#write(document, object, object.etag, false);
    return object.isPublished ? this.#verify(document, object) : this.#compare(document, object);
  }

  /** The tag tells whether the object is still the one that was confirmed. */
  async #verify(document: Document, object: PublishedObject): Promise<void> {
    const held = await this.#deps.store.find(document.key);
    if (held !== object.etag) await this.#write(document, object, held ?? null, true);
  }

  /** Nothing is confirmed, but the right bytes may be there already: a crash, or a state that was lost. */
  async #compare(document: Document, object: PublishedObject): Promise<void> {
    const held = await this.#deps.store.read(document.key);
    if (held !== undefined && Buffer.compare(held.body, document.body) === 0) {
      this.#objects.set(document.key, { ...object, etag: held.etag, isPublished: true });
    } else {
      await this.#write(document, object, held?.etag ?? null, true);
    }
  }

  async remove(key: string, object: PublishedObject): Promise<void> {
    const { isAudit, nowMs } = this.#plan;
    const task = taskFor(object, isAudit, nowMs);
    if (task === "none" || this.#mustStop()) return;
    if (task === "look" && (await this.#deps.store.find(key)) === undefined) {
      this.#objects.set(key, { ...object, etag: null, isPublished: true });
      return;
    }
    // A removal has no precondition: what a newer generation may have put there again must not go.
    if (await this.#deps.isOvertaken()) {
      this.#isOvertaken = true;
      return;
    }
    this.#touched.add(key);
    await this.#deps.store.remove(key);
    this.#removed += 1;
    // A writer that is still at work could bring it back, and a removal that lingers could take away what comes next there.
    const suspectUntilMs = nowMs + SUSPICION_MS;
    this.#objects.set(key, { ...object, etag: null, isPublished: true, suspectUntilMs });
  }

  /**
   * Writes over the version of a tag (null: over nothing), and if that is no longer there, over what a look finds.
   *
   * @param isLookedUp the tag is what the store was just found to hold, and not what the state remembers. It may then be that of
   * a newer generation: the state is asked after the look, so that whatever is published later makes the write fail.
   */
  async #write(
    document: Document,
    object: PublishedObject,
    etag: ETag | null,
    isLookedUp: boolean,
  ): Promise<void> {
    let expected = etag;
    let mustAsk = isLookedUp;
    let failure: StoreError | undefined;
    for (let attempt = 1; attempt <= TRIES; attempt += 1) {
      if (this.#mustStop()) {
        // A store that never answers is no slow one: who waits for it must hear of it.
        if (this.#isOutOfTime && failure !== undefined) throw failure;
        return;
      }
      if (mustAsk && (await this.#deps.isOvertaken())) {
        this.#isOvertaken = true;
        return;
      }
      this.#touched.add(document.key);
      const result = await this.#tryWrite(document, preconditionFor(expected));
      if (result.kind === "written") {
        this.#written += 1;
        this.#objects.set(document.key, { ...object, etag: result.etag, isPublished: true });
        return;
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

  #mustStop(): boolean {
    if (this.#deps.isOutOfTime()) this.#isOutOfTime = true;
    return this.#isOvertaken || this.#isOutOfTime;
  }
}

/** `unknown`: the answer was lost, the write may have been carried out. */
type Attempted = WriteResult | { readonly kind: "unknown"; readonly error: StoreError };

function preconditionFor(etag: ETag | null): Precondition {
  return etag === null ? { kind: "absent" } : { kind: "unchanged", etag };
}

async function forEachBounded<T>(
  items: readonly T[],
  act: (item: T) => Promise<void>,
): Promise<void> {
  const limit = pLimit(CONCURRENCY);
  let hasFailed = false;
  const tasks = items.map((item) =>
    limit(async () => {
      if (hasFailed) return;
      try {
        await act(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }),
  );
  // A write that went on after the failure was reported could surprise the next publish.
  await Promise.allSettled(tasks);
  await Promise.all(tasks);
}
