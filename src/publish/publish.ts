import pLimit from "p-limit";
import type { Document } from "../model/snapshot.ts";
import type { ObjectStore } from "../model/store.ts";

/** Enough to hide the latency of a store far away, few enough to be no burden to it. */
const DEFAULT_CONCURRENCY = 16;

export interface PublishOptions {
  /** Objects that are no longer part of the snapshot. Keys of the documents given are left out. */
  readonly removeKeys: readonly string[];
  /**
   * Operations on the store at once, a whole number from 1.
   * @default 16
   */
  readonly concurrency?: number;
  /** Called after each document that was written. */
  readonly onWritten?: (document: Document) => void;
}

export interface PublishResult {
  readonly written: number;
  /** Documents whose bytes the store held already. */
  readonly unchanged: number;
  /** Removals asked for; an object that was absent counts as well. */
  readonly removed: number;
}

/**
 * Publishes what changed, so that a reader who takes the list first never meets an older detail, or one that is missing:
 * all documents but the last at once, then the last one (the list, which names the others), then the removals.
 *
 * The first failure stops what has not begun, waits for what has, and is thrown as it is (a `StoreError`); the list is then
 * untouched, and what was published stays. The next call heals: it compares with the store, not with a memory of it.
 */
export async function publish(
  store: ObjectStore,
  documents: readonly Document[],
  options: PublishOptions,
): Promise<PublishResult> {
  const { removeKeys, concurrency = DEFAULT_CONCURRENCY, onWritten } = options;
  let written = 0;
  const put = async (document: Document): Promise<void> => {
    if (!(await writeIfChanged(store, document))) return;
    written += 1;
    onWritten?.(document);
  };

  await forEachBounded(documents.slice(0, -1), concurrency, put);
  await forEachBounded(documents.slice(-1), concurrency, put);

  const published = new Set(documents.map((document) => document.key));
  const obsolete = [...new Set(removeKeys)].filter((key) => !published.has(key));
  await forEachBounded(obsolete, concurrency, (key) => store.remove(key));

  return { written, unchanged: documents.length - written, removed: obsolete.length };
}

async function writeIfChanged(store: ObjectStore, document: Document): Promise<boolean> {
  const { key, body, contentType, cacheControl } = document;
  const held = await store.read(key);
  if (held !== undefined && Buffer.compare(held, body) === 0) return false;
  await store.write(key, { body, contentType, cacheControl });
  return true;
}

async function forEachBounded<T>(
  items: readonly T[],
  concurrency: number,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const limit = pLimit(concurrency);
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
